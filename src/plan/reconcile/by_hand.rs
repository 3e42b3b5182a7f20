//! Lists the lines that the user has to remove by hand from an edited file when a part of the project is deleted.

use crate::Error;
use crate::error::{Hint, hint};
use similar::{DiffOp, TextDiff};
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of lines that an error lists.
const LISTED: usize = 12;

/// The difference between two texts that opctl generates, as lines to find in the user's text.
struct Removal<'a> {
    /// The lines to remove.
    removed: BTreeSet<&'a str>,
    /// The lines to replace, each with its replacement.
    replaced: BTreeMap<&'a str, &'a str>,
}

impl<'a> Removal<'a> {
    fn between(base: &'a str, new: &'a str) -> Self {
        let lines = |text: &'a str| text.lines().map(str::trim).collect::<Vec<_>>();
        let (old_lines, new_lines) = (lines(base), lines(new));
        let mut removal = Removal { removed: BTreeSet::new(), replaced: BTreeMap::new() };
        for operation in TextDiff::from_slices(&old_lines, &new_lines).ops() {
            let old = &old_lines[operation.old_range()];
            let new = &new_lines[operation.new_range()];
            match operation {
                DiffOp::Replace { .. } if old.len() == new.len() => {
                    removal.replaced.extend(old.iter().copied().zip(new.iter().copied()));
                }
                DiffOp::Delete { .. } | DiffOp::Replace { .. } => removal.removed.extend(old.iter().copied()),
                DiffOp::Equal { .. } | DiffOp::Insert { .. } => {}
            }
        }
        let stays: BTreeSet<&str> = new_lines.into_iter().collect();
        removal.removed.retain(|line| line.contains(char::is_alphanumeric) && !stays.contains(line));
        removal
    }
}

/// Returns true if the user has already removed by hand all lines that opctl generated in `base` but no longer
/// generates in `new`: `ours` has none of these lines or, if markers such as `+kubebuilder:` are among them, none of
/// the markers.
pub(super) fn is_done(ours: &str, base: &str, new: &str) -> bool {
    let Removal { mut removed, .. } = Removal::between(base, new);
    if removed.iter().any(|line| is_marker(line)) {
        removed.retain(|line| is_marker(line));
    }
    !removed.is_empty() && ours.lines().all(|line| !removed.contains(line.trim()))
}

/// Returns the error for a file in which the user edited lines of the deleted part of the project. The error lists
/// the lines that remain in the file.
pub(super) fn left_to_the_user(path: &str, ours: &str, base: &str, new: &str) -> Error {
    let removal = Removal::between(base, new);
    let mut lines = line_descriptions(ours, &removal);
    if lines.is_empty() {
        lines =
            removal.removed.iter().map(|line| format!("`{line}`, or the text that you wrote in its place")).collect();
    }
    let listed = lines.iter().take(LISTED).cloned().collect::<Vec<_>>().join("\n");
    let more = lines.len().saturating_sub(LISTED);
    let more = if more == 0 { String::new() } else { format!("\nand {more} more lines") };
    Error::conflict(format!("`{path}` was edited where opctl removes lines"))
        .caused_by("the lines to remove differ from the lines that opctl generated")
        .hint(hint!(
            "in `{path}`, remove these lines by hand or change them as listed, then run the same command again:\n{}",
            Hint::snippet(format!("{listed}{more}")),
            path
        ))
}

/// Returns descriptions of the lines to remove and to replace. A function is listed by its name instead of its lines.
fn line_descriptions(ours: &str, Removal { removed, replaced }: &Removal<'_>) -> Vec<String> {
    let functions: BTreeSet<&str> = removed.iter().filter_map(|line| function_name(line)).collect();
    let mut listed = Vec::new();
    // The indentation of the function that is taken out, while its lines are passed.
    let mut function: Option<&str> = None;
    for (number, line) in (1..).zip(ours.lines()) {
        let (indentation, text) = line.split_at(line.len() - line.trim_start().len());
        let text = text.trim_end();
        if let Some(outer) = function {
            function = (line.trim_end() != format!("{outer}}}")).then_some(outer);
        } else if let Some(new) = replaced.get(text) {
            listed.push(format!("line {number}: `{text}` becomes `{new}`"));
        } else if let Some(name) = function_name(text).filter(|name| functions.contains(name)) {
            listed.push(format!("line {number}: the function `{name}`"));
            function = text.ends_with('{').then_some(indentation);
        } else if removed.contains(text) && is_marker(text) {
            let marker = text.trim_start_matches('/').trim_start().split(',').next().unwrap_or(text);
            listed.push(format!("line {number}: the marker `{marker}`"));
        } else if removed.contains(text) && !text.starts_with("//") && !text.starts_with("#[") {
            listed.push(format!("line {number}: `{text}`"));
        }
    }
    listed
}

fn is_marker(line: &str) -> bool {
    line.contains("+opctl:") || line.contains("+kubebuilder:")
}

fn function_name(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("fn ")?;
    let is_head = before.split_whitespace().all(|word| word.starts_with("pub") || ["async", "const"].contains(&word));
    let name = after.split(['(', '<']).next()?;
    (is_head && !name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str =
        "fn setup() {\n    a();\n    b();\n}\n\n// +opctl:webhook:path=/b,x=1\nfn b() {\n    \"example\";\n}\n";
    const NEW: &str = "fn setup() {\n    a();\n}\n";

    #[test]
    fn only_lines_of_the_users_text_are_listed() {
        let ours = BASE.replace("\"example\";", "mine();\n    a();").replace("b();", "b(); // Mine.");
        let removal = Removal::between(BASE, NEW);
        assert_eq!(
            line_descriptions(&ours, &removal),
            ["line 6: the marker `+opctl:webhook:path=/b`", "line 7: the function `b`"]
        );
        assert!(!is_done(&ours, BASE, NEW));
        assert!(is_done("fn b() {}\n", BASE, NEW), "the marker alone makes it a webhook");
        let error = left_to_the_user("a.rs", "pub(crate) mod a;\n", "pub mod a;\n", "");
        assert!(error.hint_or_none().as_str().ends_with("`pub mod a;`, or the text that you wrote in its place"));
    }
}
