//! Edits the fragments above a scaffold marker, such as `// +opctl:scaffold:controllers`.

use super::MissingMarker;
use super::lines::place_of;
use std::ops::Range;

/// Inserts `fragment` into `text` above the line that equals `marker`, with the marker's indentation. Returns `text`
/// unchanged if it already contains the lines of `fragment` in sequence; the comparison ignores indentation and
/// comments at line ends.
///
/// The entries above a marker are sorted, so that the text does not depend on the order of commands. The search for the
/// position of `fragment` begins at the marker and goes upwards. The search ends at the first entry that sorts before
/// `fragment`, or at the first line of another kind, such as a statement of the user; `fragment` is inserted below this
/// entry or line. The order of existing lines does not change.
pub fn insert_at_marker(text: &str, marker: &str, fragment: &str) -> Result<String, MissingMarker> {
    insert_at_marker_as_in(&[], text, marker, fragment)
}

/// Inserts `fragment` like [`insert_at_marker`], but in the order of `references`, which are texts that may contain the
/// same entries. To order `fragment` and an existing entry, opctl uses the first reference that contains both.
pub fn insert_at_marker_as_in(
    references: &[&str],
    text: &str,
    marker: &str,
    fragment: &str,
) -> Result<String, MissingMarker> {
    let lines: Vec<&str> = text.lines().collect();
    let wanted: Vec<&str> = fragment.lines().map(str::trim).collect();
    let comment = if marker.starts_with("//") { " //" } else { " #" };
    let is = |line: &str, wanted: &str| {
        line.trim() == wanted || line.split(comment).next().is_some_and(|bare| bare.trim() == wanted)
    };
    let stands_at = |window: &[&str]| window.iter().zip(&wanted).all(|(line, wanted)| is(line, wanted));
    if !wanted.is_empty() && lines.windows(wanted.len()).any(stands_at) {
        return Ok(text.to_owned());
    }
    let Some(end) = lines.iter().position(|line| line.trim() == marker) else {
        return Err(MissingMarker { marker: marker.to_owned() });
    };
    let own: String = wanted.concat();
    let places: Vec<_> = references
        .iter()
        .map(|text| text.lines().collect::<Vec<&str>>())
        .filter_map(|lines| Some((place_of(fragment, &lines)?.start, lines)))
        .collect();
    let precedes = |item: &[&str]| {
        let attributes = item.iter().take_while(|line| line.trim_start().starts_with("#[")).count();
        let item = &item[attributes..];
        let known = places.iter().find_map(|(own, lines)| Some(place_of(&item.join("\n"), lines)?.start < *own));
        known.unwrap_or_else(|| {
            let item: String = item.iter().map(|line| line.trim()).collect();
            !are_alike(&item, &own) || item <= own
        })
    };
    let place = items(&lines[..end], indentation(lines[end]))
        .into_iter()
        .rev()
        .take_while(|item| !precedes(&lines[item.clone()]))
        .last()
        .map_or(end, |item| item.start);
    let indent = indentation(lines[end]);
    let inserted = fragment.lines().map(|line| if line.is_empty() { String::new() } else { format!("{indent}{line}") });
    let lines = lines[..place].iter().map(|line| (*line).to_owned()).chain(inserted);
    let rest = text.lines().skip(place).map(str::to_owned);
    Ok(lines.chain(rest).fold(String::with_capacity(text.len() + fragment.len()), |text, line| text + &line + "\n"))
}

/// Returns the line range of each entry in the list at the end of `lines`, directly above the marker. An entry begins
/// with a line that has exactly the indentation `indent`, which is the marker's indentation. The list extends upwards
/// to the first comment, blank line or less indented line. A comment that is not a heading may describe only the entry
/// below it, so that entry is not returned.
fn items(lines: &[&str], indent: &str) -> Vec<Range<usize>> {
    let mut items: Vec<Range<usize>> = Vec::new();
    let mut end = lines.len();
    for (number, line) in lines.iter().enumerate().rev() {
        let code = line.trim();
        if is_comment(line) && !is_heading(&lines[..=number], indent) {
            items.pop();
        }
        if code.is_empty() || is_comment(line) || !line.starts_with(indent) {
            break;
        }
        if code.starts_with("#[") {
            // An attribute belongs to the entry below it.
            let Some(below) = items.last_mut() else { break };
            *below = number..below.end;
            end = number;
        } else if indentation(line) == indent && !code.starts_with([')', ']', '}']) {
            items.push(number..end);
            end = number;
        }
    }
    items.reverse();
    items
}

/// Returns true if `item` and `fragment` may be sorted: both are entries of a YAML list, or both are calls of
/// `manager.add` or of a `setup` function. Other statements are not sorted, because their order may matter.
fn are_alike(item: &str, fragment: &str) -> bool {
    let is_registration = |code: &str| {
        let callee = code.split('(').next().unwrap_or_default();
        code.ends_with(");") && (callee == "manager.add" || callee.ends_with("::setup"))
    };
    item.starts_with("- ") && fragment.starts_with("- ") || is_registration(item) && is_registration(fragment)
}

/// Returns true if the comment at the end of `lines` is the heading of a list, and not a comment about one entry: the
/// line above the comment is not an entry of the list.
fn is_heading(lines: &[&str], indent: &str) -> bool {
    let above = lines.iter().rev().find(|line| !is_comment(line) || line.contains("+opctl:"));
    above.is_none_or(|line| {
        is_comment(line) || line.trim().is_empty() || line.ends_with(':') || !line.starts_with(indent)
    })
}

fn is_comment(line: &str) -> bool {
    let code = line.trim_start();
    code.starts_with("//") || code.starts_with("/*") || code.starts_with('#') && !code.starts_with("#[")
}

fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

/// Replaces the lines of `old`, regardless of indentation, with `new`, indented like the first replaced line.
pub fn replace_fragment(text: &str, old: &str, new: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let Some(place) = place_of(old, &lines) else { return text.to_owned() };
    let first = lines[place.start];
    let indent = indentation(first);
    let new: Vec<&str> = new.lines().flat_map(|line| [indent, line, "\n"]).collect();
    [&lines[..place.start], &new, &lines[place.end..]].concat().concat()
}

/// Removes `fragment` from `text` if its lines have the indentation of `marker`. Lines with another indentation stay,
/// because opctl did not insert them.
pub fn remove_at_marker(text: &str, marker: &str, fragment: &str) -> String {
    let Some(line) = text.lines().find(|line| line.trim() == marker) else { return text.to_owned() };
    let indent = indentation(line);
    let mut inserted = String::new();
    for line in fragment.lines() {
        let indent = if line.is_empty() { "" } else { indent };
        inserted.push_str(&format!("{indent}{line}\n"));
    }
    let whole_lines = |at: &usize| *at == 0 || text[..*at].ends_with('\n');
    match text.match_indices(&inserted).map(|(at, _)| at).find(whole_lines) {
        Some(at) => format!("{}{}", &text[..at], &text[at + inserted.len()..]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARKER: &str = "// +opctl:scaffold:controllers";

    #[test]
    fn a_fragment_goes_above_its_marker_once() {
        let text = "fn main() {\n    // +opctl:scaffold:controllers\n}\n";
        let once = insert_at_marker(text, MARKER, "start(\n    a,\n);").expect("the marker is there");
        assert_eq!(once, "fn main() {\n    start(\n        a,\n    );\n    // +opctl:scaffold:controllers\n}\n");
        assert_eq!(insert_at_marker(&once, MARKER, "start(\n    a,\n);").as_deref(), Ok(once.as_str()));
    }

    #[test]
    fn a_fragment_that_is_there_needs_no_marker() {
        for text in ["  start();\n", "start(); // Mine.\n"] {
            assert_eq!(insert_at_marker(text, MARKER, "start();").as_deref(), Ok(text));
        }
        let list = "- a.yaml  # mine\n";
        assert_eq!(insert_at_marker(list, "# +opctl:scaffold:samples", "- a.yaml").as_deref(), Ok(list));
    }

    #[test]
    fn fragments_are_in_the_alphabets_order_whatever_the_order_of_commands() {
        let text = "resources:\n- ../crd\n# Mine.\n- own.yaml\n# +opctl:x\n";
        let names = ["- b.yaml", "- path: a.yaml\n  target:\n    kind: X", "- z.yaml", "- p.yaml"];
        let all = |order: &[usize]| {
            order
                .iter()
                .fold(text.to_owned(), |text, index| insert_at_marker(&text, "# +opctl:x", names[*index]).unwrap())
        };
        let expected = "resources:\n- ../crd\n# Mine.\n- own.yaml\n- b.yaml\n- p.yaml\n- path: a.yaml\n  target:\n    \
                        kind: X\n- z.yaml\n# +opctl:x\n";
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]] {
            assert_eq!(all(&order), expected, "{order:?}");
        }
        let heading = "- a\n# +opctl:x\n# For people:\n- m\n# +opctl:y\n";
        let first = insert_at_marker(heading, "# +opctl:y", "- b").unwrap();
        assert_eq!(first, "- a\n# +opctl:x\n# For people:\n- b\n- m\n# +opctl:y\n");
        let empty = "resources:\n# +opctl:x\n";
        assert_eq!(insert_at_marker(empty, "# +opctl:x", "- b").unwrap(), "resources:\n- b\n# +opctl:x\n");
    }

    #[test]
    fn a_call_stays_below_the_statements_of_the_user() {
        let text = "    let mut manager = new();\n    manager = own(manager);\n    start();\n    manager.add(b::new());\n    // +opctl:x\n";
        let guarded = "    manager.set_limit(1);\n    #[cfg(unix)]\n    manager.add(b::new());\n    // +opctl:x\n";
        let edited = insert_at_marker(guarded, "// +opctl:x", "manager.add(a::new());").unwrap();
        assert_eq!(edited, guarded.replace("    #[cfg", "    manager.add(a::new());\n    #[cfg"));
        for (fragment, line) in
            [("manager.add(a::new());", 3), ("a::setup(&mut manager);", 3), ("manager.add(c::new());", 4)]
        {
            let edited = insert_at_marker(text, "// +opctl:x", fragment).unwrap();
            assert_eq!(edited.lines().position(|own| own.trim() == fragment), Some(line), "{edited}");
        }
    }

    #[test]
    fn lines_in_another_order_keep_it() {
        let text = "    manager.add(b);\n    manager.add(\n        1,\n    );\n    manager.add(a);\n    // +opctl:x\n";
        let marked = |text: &str, fragment: &str| insert_at_marker(text, "// +opctl:x", fragment).unwrap();
        assert_eq!(marked(text, "manager.add(aa);"), text.replace("    // +", "    manager.add(aa);\n    // +"));
        let empty = "    // +opctl:x\n";
        let guided = ["manager.add(a);", "manager.add(b);", "manager.add(\n    1,\n);"]
            .iter()
            .fold(empty.to_owned(), |made, fragment| {
                insert_at_marker_as_in(&[text], &made, "// +opctl:x", fragment).unwrap()
            });
        assert_eq!(guided, text);
    }

    #[test]
    fn a_fragment_is_taken_out_where_it_was_put() {
        let text = "fn main() {\n    // +opctl:scaffold:controllers\n}\n";
        let edited = insert_at_marker(text, MARKER, "start(\n    a,\n);").expect("the marker is there");
        assert_eq!(remove_at_marker(&edited, MARKER, "start(\n    a,\n);"), text);
        assert_eq!(remove_at_marker(&edited, MARKER, "a,"), edited);
        assert_eq!(remove_at_marker("start();\n", MARKER, "start();"), "start();\n");
    }

    #[test]
    fn a_fragment_is_replaced_where_it_stands() {
        let text = "resources:\n  # mine\n  - a.yaml\n- ab.yaml\n";
        assert_eq!(replace_fragment(text, "- a.yaml", "- b.yaml"), text.replace("- a.", "- b."));
        assert_eq!(replace_fragment(text, "- c.yaml", "- b.yaml"), text);
        let call = replace_fragment("    start(\n        a,\n    );\n", "start(\n    a,\n);", "start(b);");
        assert_eq!(call, "    start(b);\n");
    }

    #[test]
    fn a_missing_marker_is_an_error() {
        assert_eq!(insert_at_marker("", MARKER, "x").expect_err("no marker").marker, MARKER);
    }
}
