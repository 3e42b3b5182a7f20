//! A file that a git merge left in conflict: the texts of both branches, and the text of their common base.

use super::super::draft::LOCK;
use super::versions::Versions;
use crate::conflict::{self, Sides};
use crate::model::PROJECT_FILE;
use crate::plan::{LEDGER_FILE, with_line_ends_of};
use std::collections::BTreeSet;

/// A file in conflict.
#[derive(Clone, Debug)]
pub(super) struct Conflict {
    /// The file's text in the working tree.
    pub(super) text: String,
    /// The texts of both branches, which opctl takes from the conflict markers. For `PROJECT`, `.opctl/files.yaml` and
    /// `Cargo.lock`, opctl takes the texts from the commits if the user has not begun to edit the file.
    pub(super) sides: Sides,
    /// The file's text in the commit from which both branches started; `None` if opctl does not know this text, for
    /// example because both branches created the file.
    pub(super) base: Option<String>,
}

impl Conflict {
    /// Returns the conflict in the file at `path`, if the file has conflict markers.
    pub(super) fn of(path: &str, versions: &Versions) -> Option<Self> {
        let text = versions.text.as_ref().filter(|text| conflict::line_of(path, text).is_some())?;
        let mut sides = conflict::sides(text)?;
        let base = if versions.is_unmerged {
            versions.base.clone()
        } else {
            // For a file that is new on both sides, the markers show an empty base.
            sides.base.clone().filter(|base| !base.is_empty())
        };
        // Git splits entries of several lines. As long as nobody has edited the file, the sides are taken from the
        // commits.
        if [PROJECT_FILE, LEDGER_FILE, LOCK].contains(&path)
            && versions.is_unmerged
            && let (Some(ours), Some(theirs)) = (&versions.ours, &versions.theirs)
            && only_lines_of(text, [ours, theirs, base.as_deref().unwrap_or_default()])
        {
            (sides.ours, sides.theirs) = (with_line_ends_of(&sides.ours, ours), theirs.clone());
        }
        Some(Conflict { text: text.clone(), sides, base })
    }

    /// Returns the conflict in a `PROJECT` that git merged without conflict markers, if git may have mixed the lines of
    /// different entries; `None` for any other `PROJECT`.
    pub(super) fn from_mixed_entries(versions: &Versions) -> Option<Self> {
        let (text, base) = (versions.text.as_ref()?, versions.base.as_ref()?);
        let (ours, theirs) = (versions.ours.as_ref()?, versions.theirs.as_ref()?);
        let is_mixed = base != ours && base != theirs && only_lines_of(text, [ours, theirs, base]);
        if versions.is_unmerged || !is_mixed {
            return None;
        }
        let (ours, theirs) = (with_line_ends_of(text, ours), theirs.clone());
        let sides = Sides { line: 0, ours, theirs, names: Default::default(), base: None };
        Some(Conflict { text: text.clone(), sides, base: Some(base.clone()) })
    }
}

/// Returns true if a text with conflict markers has only lines of `texts`: the user has not begun to edit the text.
pub(super) fn only_lines_of(text: &str, texts: [&str; 3]) -> bool {
    let known: BTreeSet<&str> = texts.iter().flat_map(|text| text.lines()).collect();
    let marker =
        |line: &str| ["<<<<<<<", "|||||||", "=======", ">>>>>>>"].iter().any(|marker| line.starts_with(marker));
    text.lines().all(|line| known.contains(line) || marker(line))
}
