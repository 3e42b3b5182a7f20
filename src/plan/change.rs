//! The planned change of each file.

use crate::report::ChangeLine;

/// An action on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It is made.
    Create,
    /// Its content is replaced.
    Update,
    /// Something is inserted into it.
    Insert,
    /// It is removed.
    Remove,
    /// It is as it should be.
    Unchanged,
    /// A file of the user's stands there, and is left.
    Skip,
    /// It is written with conflict markers.
    Conflict,
}

impl Action {
    /// The word in reports.
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

/// One file of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Path below the project's root.
    pub path: String,
    /// The action.
    pub action: Action,
    /// The content that was there when the plan was made.
    pub before: Option<String>,
    /// The content that is going to be there.
    pub after: Option<String>,
}

impl Change {
    /// Returns true if the file's content changes.
    pub fn is_effective(&self) -> bool {
        self.before != self.after
    }

    /// The unified diff, empty where nothing changes.
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

/// Everything that a command changes, in the order in which it is written; `PROJECT` comes last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// One change for each file that was looked at.
    pub changes: Vec<Change>,
}

impl Plan {
    /// The changes that change something.
    pub fn effective(&self) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(|change| change.is_effective())
    }

    /// Returns true if nothing is going to change.
    pub fn is_empty(&self) -> bool {
        self.effective().next().is_none()
    }

    /// The lines of a report, with diffs where they are wanted.
    pub fn lines(&self, with_diff: bool) -> Vec<ChangeLine> {
        let line = |change: &Change| ChangeLine {
            action: change.action.name().to_owned(),
            path: change.path.clone(),
            diff: (with_diff && change.is_effective()).then(|| change.diff()),
        };
        self.changes.iter().map(line).collect()
    }
}
