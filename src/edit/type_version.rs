//! Turns the type for one version of a kind into the type for another version.

use super::storage::{is_text, part_range, parts_of, set_storage};
use crate::syntax;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::ops::Range;

/// Turns the type for the version `from` of the kind into the type for the version `to`, as the storage version if
/// `stored`. Removes the attributes `deprecated` and `served`. Returns `None` if the text lacks the type for `from`.
pub fn set_version(text: &str, kind: &str, from: &str, to: &str, stored: bool) -> Option<String> {
    let parts = parts_of(text, kind, from)?;
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for part in &parts {
        let (start, end) = part_range(text, part);
        if part.path().is_ident("version") && is_text(part, from) {
            edits.push((start..end, text[start..end].replacen(&format!("\"{from}\""), &format!("\"{to}\""), 1)));
        } else if part.path().is_ident("deprecated") || part.path().is_ident("served") {
            edits.push((with_comma(text, start..end), String::new()));
        }
    }
    set_storage(&replace_ranges(text, edits), kind, to, stored)
}

/// Extends the range of a list item so that it includes the comma after the item, or, for the last item, the comma
/// before the item. Extends it to the whole line if the line contains only the item and its comma.
fn with_comma(text: &str, part: Range<usize>) -> Range<usize> {
    let after = &text[part.end..];
    let Some(comma) =
        after.find(|character: char| !character.is_whitespace()).filter(|at| after[*at..].starts_with(','))
    else {
        // The part is the last of the list: the comma before it is removed with it, if there is one.
        let before = text[..part.start].trim_end();
        let start = if before.ends_with(',') { before.len() - 1 } else { part.start };
        return start..part.end;
    };
    let end = part.end + comma + 1;
    let line = text[..part.start].rfind('\n').map_or(0, |at| at + 1);
    let next = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    let alone = text[line..part.start].trim().is_empty() && text[end..next].trim().is_empty();
    if alone { line..next } else { part.start..next.min(end + usize::from(text[end..].starts_with(' '))) }
}

/// Replaces the version `from` with `to` in the string literals of tests. For `from` = `v1` and `group` =
/// `example.com`, replaces the literal `"v1"`, and `example.com/v1` anywhere in a literal. If `all` is true, treats the
/// whole text as a test; otherwise only items with `#[cfg(test)]`.
pub fn set_tested_version(text: &str, all: bool, group: &str, from: &str, to: &str) -> String {
    let Some(tokens) = syntax::tokens(text) else { return text.to_owned() };
    let mut edits = Vec::new();
    let (old, new) = (format!("{group}/{from}"), format!("{group}/{to}"));
    let mut tested = all;
    for tree in tokens {
        let attribute = matches!(&tree, TokenTree::Group(group) if group.stream().to_string() == "cfg (test)");
        let ends = matches!(&tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
            || matches!(&tree, TokenTree::Punct(mark) if mark.as_char() == ';');
        tested |= attribute;
        if tested {
            literals(TokenStream::from(tree), &mut |place| {
                let literal = &text[place.clone()];
                let changed = if literal == format!("\"{from}\"") {
                    format!("\"{to}\"")
                } else {
                    replace_whole_word(literal, &old, &new)
                };
                if changed != literal {
                    edits.push((place, changed));
                }
            });
        }
        tested &= all || !ends;
    }
    replace_ranges(text, edits)
}

/// Replaces `old` where it is a whole word: for example, `g/v1` is not replaced in `g/v1beta1`.
fn replace_whole_word(text: &str, old: &str, new: &str) -> String {
    let mut parts = text.split(old);
    let mut changed = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let goes_on = part.starts_with(|character: char| character.is_ascii_alphanumeric());
        let within = changed.ends_with(|character: char| character.is_ascii_alphanumeric() || ".-".contains(character));
        changed.push_str(if goes_on || within { old } else { new });
        changed.push_str(part);
    }
    changed
}

fn literals(tokens: TokenStream, found: &mut impl FnMut(Range<usize>)) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => literals(group.stream(), found),
            TokenTree::Literal(literal) => found(literal.span().byte_range()),
            _ => {}
        }
    }
}

/// Returns `text` with each range replaced by its new text. The ranges must not overlap. An edit that is contained
/// twice in `edits` is applied once.
pub fn replace_ranges(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(place, _)| place.start);
    edits.dedup();
    let (mut edited, mut done) = (String::with_capacity(text.len()), 0);
    for (place, new) in edits {
        edited.push_str(&text[done..place.start]);
        edited.push_str(&new);
        done = place.end;
    }
    edited + &text[done..]
}

#[cfg(test)]
mod tests {
    use super::{set_tested_version, set_version};

    #[test]
    fn a_type_becomes_that_of_another_version_in_its_own_words() {
        let kind = |kube: &str| format!("/// Größe.\n#[derive(CustomResource)]\n{kube}\npub struct FooSpec {{}}\n");
        for (from, to) in [
            (
                "#[kube(group = \"g\", version = \"v1\", kind = \"Foo\")]",
                "#[kube(group = \"g\", version = \"v2\", kind = \"Foo\", storage = false)]",
            ),
            (
                "#[kube(\n    version = \"v1\",\n    kind = \"Foo\",\n    served = false,\n    // é\n    doc = \"v1\"\n)]",
                "#[kube(\n    version = \"v2\",\n    kind = \"Foo\",\n    storage = false,\n    // é\n    doc = \"v1\"\n)]",
            ),
            (
                "#[kube(version = \"v1\", kind = \"Foo\", storage = false)]\n#[kube(doc = \"a\", deprecated = \"use v2\")]",
                "#[kube(version = \"v2\", kind = \"Foo\", storage = false)]\n#[kube(doc = \"a\")]",
            ),
            (
                "#[kube(kind = \"Foo\", deprecated, version = \"v1\")]",
                "#[kube(kind = \"Foo\", version = \"v2\", storage = false)]",
            ),
        ] {
            assert_eq!(set_version(&kind(from), "Foo", "v1", "v2", false), Some(kind(to)), "{from}");
        }
        let stored = kind("#[kube(version = \"v1\", kind = \"Foo\", storage = false)]");
        let expected = kind("#[kube(version = \"v2\", kind = \"Foo\")]");
        assert_eq!(
            set_version(&stored, "Foo", "v1", "v2", true).map(|text| text.replace(", storage = true", "")),
            Some(expected)
        );
        assert_eq!(set_version(&stored, "Bar", "v1", "v2", true), None);
    }

    #[test]
    fn only_tests_name_another_version() {
        let text = |version: &str| {
            format!(
                "fn target() -> &str {{\n    \"g.io/v1\"\n}}\n\n#[cfg(test)]\nmod tests {{\n    // g.io/v1\n    const A: &str = \"apiVersion: \
                 g.io/{version}\\nkind\";\n    const B: [&str; 3] = [\"{version}\", \"g.io/v1beta1\", \"big.io/v1\"];\n}}\n"
            )
        };
        assert_eq!(set_tested_version(&text("v1"), false, "g.io", "v1", "v2"), text("v2"));
        assert_eq!(set_tested_version("const A: &str = \"v1\";", true, "g.io", "v1", "v2"), "const A: &str = \"v2\";");
    }
}
