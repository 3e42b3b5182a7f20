//! Merges the user's text of a file with the text that opctl generates for the file.

use super::super::{dependencies, has_dependency};
use crate::edit::insert_dependency;
use similar::{ConflictStyle, DiffOp, TextDiff, TextMerge};
use std::ops::Range;

// The names of the texts in conflict markers; opctl's own is named by its version.
const OURS: &str = "yours";
const BASE: &str = "generated before";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MergedText {
    pub(super) text: String,
    /// True if the text has conflict markers.
    pub(super) is_conflicted: bool,
}

/// Merges the changes of `ours` and `theirs` since `base`. The lines of all texts end with `\n` alone.
pub(super) fn three_way(path: &str, base: &str, ours: &str, theirs: &str, name: &str) -> MergedText {
    let (mut base, mut theirs, mut ours) = (base.to_owned(), theirs.to_owned(), ours.to_owned());
    if path.ends_with("Cargo.toml") {
        add_crates(&mut base, &mut ours, &mut theirs);
    }
    let mut merge = TextMerge::from_lines(base.as_str(), ours.as_str(), theirs.as_str());
    merge.labels(BASE, OURS, name).conflict_style(ConflictStyle::Diff3);
    MergedText { text: merge.to_string(), is_conflicted: merge.is_conflicted() }
}

/// Adds to each text of a Cargo.toml the dependencies that `ours` or `theirs` has added since `base`. Otherwise,
/// additions at the same position of a sorted list would conflict.
fn add_crates(base: &mut String, ours: &mut String, theirs: &mut String) {
    let lacks = |text: &str, name: &str| has_dependency(text, name).is_ok_and(|has| !has);
    let add = |text: &mut String, name: &str, value: &str| {
        if let Ok(edited) = insert_dependency(text, name, value, false) {
            *text = edited;
        }
    };
    for (name, value) in &dependencies(theirs) {
        if lacks(base, name) {
            add(ours, name, value);
            add(base, name, value);
        }
    }
    for (name, value) in &dependencies(ours) {
        if lacks(base, name) {
            add(theirs, name, value);
            add(base, name, value);
        }
    }
}

/// Merges two texts without a base: every difference becomes a conflict, because either side can have changed a line.
pub(super) fn two_way(ours: &str, theirs: &str, name: &str) -> MergedText {
    let diff = TextDiff::from_lines(ours, theirs);
    let mut text = String::new();
    let lines = |text: &str, range: Range<usize>| -> String {
        let lines: String = text.split_inclusive('\n').skip(range.start).take(range.len()).collect();
        if lines.is_empty() || lines.ends_with('\n') { lines } else { lines + "\n" }
    };
    let mut is_conflicted = false;
    for operation in diff.ops() {
        let (old, new) = (operation.old_range(), operation.new_range());
        if let DiffOp::Equal { .. } = operation {
            text.extend(ours.split_inclusive('\n').skip(old.start).take(old.len()));
            continue;
        }
        is_conflicted = true;
        text.push_str(&format!("<<<<<<< {OURS}\n{}", lines(ours, old)));
        // An empty base, as git shows it for a file that is new on both sides.
        text.push_str(&format!("||||||| {BASE}\n=======\n{}>>>>>>> {name}\n", lines(theirs, new)));
    }
    MergedText { text, is_conflicted }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &str = "opctl 0.2.0";

    #[test]
    fn lines_changed_on_both_sides_are_marked_with_their_base() {
        let merged = three_way("a.rs", "a\nb\nc\n", "a\nmine\nc\n", "a\nnew\nc\n", NAME);
        let expected = "a\n<<<<<<< yours\nmine\n||||||| generated before\nb\n=======\nnew\n>>>>>>> opctl 0.2.0\nc\n";
        assert_eq!(merged, MergedText { text: expected.to_owned(), is_conflicted: true });
        let merged = three_way("a.rs", "a\nb\nc\nd\n", "mine\nb\nc\nd\n", "a\nb\nc\nnew\n", NAME);
        assert_eq!(merged, MergedText { text: "mine\nb\nc\nnew\n".to_owned(), is_conflicted: false });
    }

    #[test]
    fn crates_of_both_are_in() {
        let manifest = |crates: &[&str]| {
            let lines: Vec<String> = crates.iter().map(|name| format!("{name} = \"1\"\n")).collect();
            format!("[dependencies]\n{}\n[workspace]\n", lines.concat())
        };
        let (base, ours) = (manifest(&["anyhow", "axum", "tower"]), manifest(&["anyhow", "axum", "regex", "tower"]));
        let merged = three_way("Cargo.toml", &base, &ours, &manifest(&["anyhow", "runtime"]), NAME);
        let expected = manifest(&["anyhow", "regex", "runtime"]);
        assert_eq!(merged, MergedText { text: expected, is_conflicted: false });
        let same = manifest(&["anyhow", "axum", "regex", "tower"]);
        assert_eq!(three_way("Cargo.toml", &base, &ours, &same, NAME).text, same);
    }

    #[test]
    fn without_a_base_every_difference_is_marked() {
        let merged = two_way("a\nmine\nc\nlast", "a\nc\nnew\n", NAME);
        let expected = "a\n<<<<<<< yours\nmine\n||||||| generated before\n=======\n>>>>>>> opctl 0.2.0\nc\n\
                        <<<<<<< yours\nlast\n||||||| generated before\n=======\nnew\n>>>>>>> opctl 0.2.0\n";
        assert_eq!(merged, MergedText { text: expected.to_owned(), is_conflicted: true });
        assert!(!two_way("a\n", "a\n", NAME).is_conflicted);
    }
}
