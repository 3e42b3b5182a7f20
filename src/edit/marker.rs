//! Edits the fragments above a scaffold marker, such as `// +opctl:scaffold:controllers`.

use super::MissingMarker;
use super::lines::place_of;

/// Inserts `fragment` above the line that equals `marker`, with the marker's indentation. Returns the text unchanged if
/// it already has the fragment's lines one below the other, whatever their indentation and the comments at their ends.
pub fn insert_at_marker(text: &str, marker: &str, fragment: &str) -> Result<String, MissingMarker> {
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
    let Some(position) = lines.iter().position(|line| line.trim() == marker) else {
        return Err(MissingMarker { marker: marker.to_owned() });
    };
    let indent: String = lines[position].chars().take_while(|character| character.is_whitespace()).collect();
    let mut edited = String::with_capacity(text.len() + fragment.len());
    for (number, line) in lines.iter().enumerate() {
        if number == position {
            for inserted in fragment.lines() {
                if !inserted.is_empty() {
                    edited.push_str(&indent);
                }
                edited.push_str(inserted);
                edited.push('\n');
            }
        }
        edited.push_str(line);
        edited.push('\n');
    }
    Ok(edited)
}

/// Replaces the lines of a fragment, whatever their indentation, by those of another one with the indentation of the first.
pub fn replace_fragment(text: &str, old: &str, new: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let Some(place) = place_of(old, &lines) else { return text.to_owned() };
    let first = lines[place.start];
    let indent = &first[..first.len() - first.trim_start().len()];
    let new: Vec<&str> = new.lines().flat_map(|line| [indent, line, "\n"]).collect();
    [&lines[..place.start], &new, &lines[place.end..]].concat().concat()
}

/// Removes the `fragment` if it has the indentation of its marker; with another indentation, a person put it there.
pub fn remove_at_marker(text: &str, marker: &str, fragment: &str) -> String {
    let Some(line) = text.lines().find(|line| line.trim() == marker) else { return text.to_owned() };
    let indent = &line[..line.len() - line.trim_start().len()];
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
