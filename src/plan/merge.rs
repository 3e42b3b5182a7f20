//! Merges the versions of a file on two git branches. opctl inserts lines into such a file: the insertions of both
//! branches are kept, and the users' lines are merged line by line.

use super::edited::apply_edit;
use super::{Edit, Operation, Step};
use crate::conflict::{Sides, stands_once};
use crate::edit::remove_at_marker;
use similar::TextMerge;

/// The result of merging a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MergeResult {
    /// The text with the changes of both sides.
    Whole(String),
    /// Both sides changed the same lines. Holds the text with conflict markers at these lines; `None` if opctl cannot
    /// create such a text, for example without a common base.
    Left(Option<String>),
}

/// Merges the texts of both sides of the file at `path`, which started from `base`. `operations` are all operations
/// that opctl may have carried out on either side. Lines of the result end with `\n` alone.
pub fn merge(path: &str, base: Option<&str>, sides: &Sides, operations: &[Operation]) -> MergeResult {
    let lines = |text: &str| text.replace("\r\n", "\n");
    let base = base.map(lines);
    let (ours, theirs) = (&lines(&sides.ours), &lines(&sides.theirs));
    let of_file = || operations.iter().filter(|operation| operation.path == path);
    let made = of_file().filter_map(|operation| match &operation.step {
        Step::Create { content, .. } => Some(content.as_str()),
        _ => None,
    });
    let sides = Texts { path, base: base.as_deref(), made: made.collect(), ours, theirs, names: &sides.names };
    let edits: Vec<&Edit> = of_file().filter_map(edit).collect();
    sides.merge(&edits)
}

/// Returns the edit of the operation, if the edit inserts lines.
fn edit(operation: &Operation) -> Option<&Edit> {
    match &operation.step {
        Step::Edit(edit) => match edit {
            Edit::AtMarker { .. }
            | Edit::Module { .. }
            | Edit::Use { .. }
            | Edit::Dependency { .. }
            | Edit::Feature { .. } => Some(edit),
            Edit::Merge { .. }
            | Edit::Lines(_)
            | Edit::RemoveLine(_)
            | Edit::RemoveEntry { .. }
            | Edit::Image(_)
            | Edit::Storage { .. } => None,
        },
        _ => None,
    }
}

struct Texts<'a> {
    path: &'a str,
    base: Option<&'a str>,
    /// The texts with which opctl may have created the file.
    made: Vec<&'a str>,
    ours: &'a str,
    theirs: &'a str,
    names: &'a (String, String),
}

impl Texts<'_> {
    fn merge(&self, edits: &[&Edit]) -> MergeResult {
        let (at_marker, in_order): (Vec<&Edit>, Vec<&Edit>) =
            edits.iter().copied().partition(|edit| matches!(edit, Edit::AtMarker { .. }));
        // The place of these insertions follows from their names. Every text gets those that are new on either side, so
        // that the merge below sees no change in them.
        let new = |edits: &[&'_ Edit], side: &str, other: &str| -> Vec<usize> {
            let is_new = |edit: &Edit| {
                self.has_edit(edit, side)
                    && !self.has_edit(edit, other)
                    && !self.base.is_some_and(|base| self.has_edit(edit, base))
            };
            (0..edits.len()).filter(|index| is_new(edits[*index])).collect()
        };
        let (of_ours, of_theirs) = (new(&in_order, self.ours, self.theirs), new(&in_order, self.theirs, self.ours));
        let placed = |text: &str, indices: &[usize]| {
            indices.iter().fold(text.to_owned(), |text, index| self.text_after_edit(in_order[*index], text))
        };
        let base = self.base.map(|base| placed(&placed(base, &of_ours), &of_theirs));
        let (ours, theirs) = (placed(self.ours, &of_theirs), placed(self.theirs, &of_ours));
        // New insertions at a marker are removed before the merge, and inserted again after it, where they are sorted.
        let (of_ours, of_theirs) = (new(&at_marker, &ours, &theirs), new(&at_marker, &theirs, &ours));
        let fragments = |indices: &[usize], text: &str| {
            let mut chosen: Vec<&Edit> = indices.iter().map(|index| at_marker[*index]).collect();
            chosen.sort_by_key(|edit| position(edit, text));
            chosen
        };
        let (of_ours, of_theirs) = (fragments(&of_ours, &ours), fragments(&of_theirs, &theirs));
        let taken_out = |text: &str, edits: &[&Edit]| {
            edits.iter().fold(text.to_owned(), |text, edit| remove_insertion(edit, &text))
        };
        let (our_rest, their_rest) = (taken_out(&ours, &of_ours), taken_out(&theirs, &of_theirs));
        let put_back =
            |text: String, edits: &[&Edit]| edits.iter().fold(text, |text, edit| self.text_after_edit(edit, text));
        if our_rest == their_rest {
            return MergeResult::Whole(put_back(ours, &of_theirs));
        }
        let all: Vec<&Edit> = of_ours.into_iter().chain(of_theirs.iter().copied()).collect();
        let Some(base) = base else {
            // A side that is as opctl created the file contributes nothing but its insertions.
            let in_all: Vec<usize> =
                (0..in_order.len()).filter(|index| self.has_edit(in_order[*index], &ours)).collect();
            let as_made = |rest: &String| self.made.iter().any(|made| placed(made, &in_all) == *rest);
            return match (as_made(&their_rest), as_made(&our_rest)) {
                (true, _) => MergeResult::Whole(put_back(ours, &of_theirs)),
                (false, true) => MergeResult::Whole(put_back(their_rest, &all)),
                (false, false) => MergeResult::Left(None),
            };
        };
        if let Some(text) = merge_without_conflict(&base, &ours, &their_rest) {
            return MergeResult::Whole(put_back(text, &of_theirs));
        }
        if let Some(text) = merge_without_conflict(&base, &our_rest, &their_rest) {
            return MergeResult::Whole(put_back(text, &all));
        }
        let mut merge = TextMerge::from_lines(base.as_str(), our_rest.as_str(), their_rest.as_str());
        let text = merge.labels("base", &self.names.0, &self.names.1).to_string();
        let markers_stand = all.iter().all(|edit| match edit {
            Edit::AtMarker { marker, .. } => stands_once(&text, marker),
            _ => true,
        });
        MergeResult::Left(markers_stand.then(|| put_back(text, &all)))
    }

    fn has_edit(&self, edit: &Edit, text: &str) -> bool {
        is_edit_applied(edit, text, self.path)
    }

    /// Returns the text after the edit, or the unchanged text if the edit cannot be applied.
    fn text_after_edit(&self, edit: &Edit, text: String) -> String {
        apply_edit(edit, Some(&text), self.path).unwrap_or(text)
    }
}

/// Returns true if the edit would not change `text`.
pub(super) fn is_edit_applied(edit: &Edit, text: &str, path: &str) -> bool {
    apply_edit(edit, Some(text), path).is_ok_and(|edited| edited == text)
}

/// Returns the merged text, if it has no conflict.
fn merge_without_conflict(base: &str, ours: &str, theirs: &str) -> Option<String> {
    let merge = TextMerge::from_lines(base, ours, theirs);
    (!merge.is_conflicted()).then(|| merge.to_string())
}

pub(super) fn remove_insertion(edit: &Edit, text: &str) -> String {
    match edit {
        Edit::AtMarker { marker, fragment } => remove_at_marker(text, marker, fragment),
        _ => text.to_owned(),
    }
}

/// Returns the index of the line in `text` at which the fragment of an edit begins; `None` if `text` has no such line,
/// or if the edit does not insert a fragment at a marker.
fn position(edit: &Edit, text: &str) -> Option<usize> {
    let Edit::AtMarker { fragment, .. } = edit else { return None };
    let first = fragment.lines().next().unwrap_or_default().trim();
    text.lines().position(|line| line.trim() == first)
}

#[cfg(test)]
mod tests {
    use super::super::Existing;
    use super::*;

    fn merge(path: &str, base: Option<&str>, ours: &str, theirs: &str, operations: &[Operation]) -> MergeResult {
        let names = ("ours".to_owned(), "theirs".to_owned());
        let sides = Sides { line: 1, ours: ours.to_owned(), theirs: theirs.to_owned(), names, base: None };
        super::merge(path, base, &sides, operations)
    }

    const MARKER: &str = "// +opctl:scaffold:controllers";

    fn main(lines: &[&str]) -> String {
        let lines: Vec<String> = lines.iter().map(|line| format!("    {line}\n")).collect();
        let lines = lines.concat();
        format!("fn main() {{\n    start();\n{lines}    {MARKER}\n    end();\n}}\n")
    }

    fn setup(name: &str) -> Operation {
        let fragment = format!("{name}::setup(\n    &mut manager,\n);");
        Operation::edit("main.rs", Edit::AtMarker { marker: MARKER.to_owned(), fragment })
    }

    fn lines_of(name: &str) -> [String; 3] {
        [format!("{name}::setup("), "    &mut manager,".to_owned(), ");".to_owned()]
    }

    fn with(names: &[&str]) -> String {
        let lines: Vec<String> = names.iter().flat_map(|name| lines_of(name)).collect();
        main(&lines.iter().map(String::as_str).collect::<Vec<_>>())
    }

    #[test]
    fn insertions_of_both_sides_are_sorted_and_others_keep_their_order() {
        let operations = [setup("a"), setup("b"), setup("c"), setup("d")];
        let whole = |base: &[&str], ours: &[&str], theirs: &[&str], expected: &[&str]| {
            let merged = merge("main.rs", Some(&with(base)), &with(ours), &with(theirs), &operations);
            assert_eq!(merged, MergeResult::Whole(with(expected)), "{base:?} {ours:?} {theirs:?}");
        };
        whole(&[], &["b"], &["a"], &["a", "b"]);
        whole(&["a"], &["a", "b"], &["a", "c"], &["a", "b", "c"]);
        whole(&[], &["d", "b"], &["c", "b", "a"], &["a", "d", "b", "c"]);
        whole(&["a"], &["b"], &["a", "c"], &["b", "c"]);
        let without_base = merge("main.rs", None, &with(&["a"]), &with(&["b"]), &operations);
        assert_eq!(without_base, MergeResult::Whole(with(&["a", "b"])));
    }

    #[test]
    fn the_line_of_a_user_is_kept_beside() {
        let operations = [setup("a"), setup("b")];
        let theirs = with(&["b"]).replace("    b::setup(", "    let own = 1;\n    b::setup(");
        let merged = merge("main.rs", Some(&with(&[])), &with(&["a"]), &theirs, &operations);
        let MergeResult::Whole(text) = merged else { panic!("{merged:?}") };
        for line in ["    let own = 1;", "    a::setup(", "    b::setup("] {
            assert_eq!(text.lines().filter(|own| *own == line).count(), 1, "{text}");
        }
    }

    #[test]
    fn lines_that_users_changed_on_both_sides_stay_in_conflict() {
        let operations = [setup("a"), setup("b")];
        let ours = with(&["a"]).replace("end();", "end(1);");
        let theirs = with(&["b"]).replace("end();", "end(2);");
        let merged = merge("main.rs", Some(&with(&[])), &ours, &theirs, &operations);
        let MergeResult::Left(Some(text)) = merged else { panic!("{merged:?}") };
        let expected = with(&["a", "b"])
            .replace("    end();\n", "<<<<<<< ours\n    end(1);\n=======\n    end(2);\n>>>>>>> theirs\n");
        assert_eq!(text, expected);
        let theirs = with(&["b"]).replace(MARKER, "// gone");
        let ours = with(&["a"]).replace(MARKER, "// gone too");
        assert_eq!(merge("main.rs", Some(&with(&[])), &ours, &theirs, &operations), MergeResult::Left(None));
    }

    #[test]
    fn modules_and_dependencies_stand_where_they_belong() {
        let module = |name: &str| Operation::edit("mod.rs", Edit::Module { visibility: "pub", name: name.to_owned() });
        let text = |names: &[&str]| {
            names.iter().fold("//! Doc.\n".to_owned(), |text, name| crate::edit::insert_module(&text, "pub", name))
        };
        let operations = [module("a"), module("b"), module("c")];
        for base in [None, Some(text(&[]))] {
            let merged = merge("mod.rs", base.as_deref(), &text(&["c"]), &text(&["a", "b"]), &operations);
            assert_eq!(merged, MergeResult::Whole(text(&["a", "b", "c"])));
        }
        let merged = merge("mod.rs", Some(&text(&["a"])), &text(&["a", "c"]), &text(&["b"]), &operations);
        assert_eq!(merged, MergeResult::Whole(text(&["b", "c"])));
        let crlf = merge("mod.rs", None, &text(&["c"]).replace('\n', "\r\n"), &text(&["a"]), &operations);
        assert_eq!(crlf, MergeResult::Whole(text(&["a", "c"])));
    }

    #[test]
    fn a_file_that_both_made_is_of_the_side_that_somebody_edited() {
        let module = |name: &str| Operation::edit("mod.rs", Edit::Module { visibility: "pub", name: name.to_owned() });
        let made = |name: &str| Operation::create("mod.rs", format!("//! {name}.\n"), Existing::Keep);
        let side = |name: &str, module: &str| crate::edit::insert_module(&format!("//! {name}.\n"), "pub", module);
        let operations = [made("One"), made("Other"), module("a"), module("b")];
        let merged = merge("mod.rs", None, &side("One", "b"), &side("Other", "a"), &operations);
        assert_eq!(merged, MergeResult::Whole(side("One", "a").replace("pub mod a;", "pub mod a;\npub mod b;")));
        let merged = merge("mod.rs", None, &side("One", "b"), &side("Own", "a"), &operations);
        assert_eq!(merged, MergeResult::Whole(side("Own", "a").replace("pub mod a;", "pub mod a;\npub mod b;")));
        let merged = merge("mod.rs", None, &side("My", "b"), &side("Own", "a"), &operations);
        assert_eq!(merged, MergeResult::Left(None));
    }
}
