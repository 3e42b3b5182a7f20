//! The planned change of each file.

use super::hash;
use crate::model::ProjectPath;
use crate::report::ChangeLine;
use std::sync::OnceLock;

/// An action on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The file is created.
    Create,
    /// The file's content is replaced.
    Update,
    /// Lines are inserted into the file.
    Insert,
    /// The file is removed.
    Remove,
    /// The file already has the planned content.
    Unchanged,
    /// The user's file at the path is kept.
    Skip,
    /// The file is written with conflict markers.
    Conflict,
}

impl Action {
    /// Returns the action's name, for reports.
    pub fn name(self) -> &'static str {
        match self {
            Action::Create => "create",
            Action::Update => "update",
            Action::Insert => "insert",
            Action::Remove => "remove",
            Action::Unchanged => "unchanged",
            Action::Skip => "skip",
            Action::Conflict => "conflict",
        }
    }
}

/// The planned change of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The path of the changed file in the project.
    pub path: ProjectPath,
    /// The action on the file.
    pub action: Action,
    /// The file's content when the plan was made; `None` if there was no file.
    pub before: Option<String>,
    /// The file's content after the plan is carried out; `None` if there will be no file.
    pub after: Option<String>,
    hash_after: Computed,
}

/// The hash of a change's text, computed at first use. All values compare as equal, because a comparison of two changes
/// already compares the texts, and equal texts have equal hashes.
#[derive(Clone, Debug, Default)]
struct Computed(OnceLock<String>);

impl PartialEq for Computed {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Computed {}

impl Change {
    /// Returns the change from `before` to `after`, with the action that follows from the two contents.
    pub fn new(path: ProjectPath, before: Option<String>, after: Option<String>) -> Self {
        let action = match (&before, &after) {
            (None, Some(_)) => Action::Create,
            (Some(_), None) => Action::Remove,
            (before, after) if before == after => Action::Unchanged,
            _ => Action::Update,
        };
        Change { path, action, before, after, hash_after: Computed::default() }
    }

    /// Returns the hash of the content that the file has after the plan is carried out; `None` if there will be no
    /// file. The hash is for the ledger (`.opctl/files.yaml`) and for the journal (`.opctl/journal/`).
    pub fn hash_after(&self) -> Option<&str> {
        self.after.as_deref().map(|text| self.hash_after.0.get_or_init(|| hash(text)).as_str())
    }

    /// Returns true if the file's content changes.
    pub fn is_effective(&self) -> bool {
        // Most files of an update are unchanged, and comparing their texts takes a part of its time.
        self.action != Action::Unchanged && self.before != self.after
    }

    /// Returns the unified diff; empty if nothing changes.
    pub fn diff(&self) -> String {
        let (before, after) = (self.before.as_deref().unwrap_or_default(), self.after.as_deref().unwrap_or_default());
        let header =
            |side: &str, present: bool| if present { format!("{side}/{}", self.path) } else { "/dev/null".to_owned() };
        similar::TextDiff::from_lines(before, after)
            .unified_diff()
            .header(&header("a", self.before.is_some()), &header("b", self.after.is_some()))
            .to_string()
    }
}

/// All changes of a command, in the order in which they are written; `PROJECT` comes last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// One change for each file that the command looked at.
    pub changes: Vec<Change>,
}

impl Plan {
    /// Returns the changes that change a file's content.
    pub fn effective(&self) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(|change| change.is_effective())
    }

    /// Returns true if no file's content changes.
    pub fn is_empty(&self) -> bool {
        self.effective().next().is_none()
    }

    /// Returns the lines of a report, with diffs if `with_diff` is true.
    pub fn lines(&self, with_diff: bool) -> Vec<ChangeLine> {
        let line = |change: &Change| ChangeLine {
            action: change.action.name().to_owned(),
            path: change.path.to_string(),
            diff: (with_diff && change.is_effective()).then(|| change.diff()),
        };
        self.changes.iter().map(line).collect()
    }
}
