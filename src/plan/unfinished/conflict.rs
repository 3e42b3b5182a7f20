//! A file in conflict: both sides, and the text that they started from.

use super::super::{LEDGER_FILE, with_line_ends_of};
use super::versions::{LOCK, Versions};
use crate::conflict::{self, Sides};
use crate::model::PROJECT_FILE;
use std::collections::BTreeSet;

/// A file in conflict.
#[derive(Clone, Debug)]
pub(super) struct Conflict {
    /// As it stands there.
    pub(super) text: String,
    /// Both sides, as far as git could not put them together.
    pub(super) sides: Sides,
    /// The text that both sides started from.
    pub(super) base: Option<String>,
}

impl Conflict {
    /// The conflict that markers show in the file at `path`.
    pub(super) fn of(path: &str, versions: &Versions) -> Option<Self> {
        let text = versions.text.as_ref().filter(|text| conflict::line_of(path, text).is_some())?;
        let mut sides = conflict::sides(text)?;
        let base = if versions.is_unmerged {
            versions.base.clone()
        } else {
            // Of a file that is new on both sides the markers show an empty one.
            sides.base.clone().filter(|base| !base.is_empty())
        };
        // Git takes entries of many lines apart; as long as nobody edited the file, the sides are as they were committed.
        if [PROJECT_FILE, LEDGER_FILE, LOCK].contains(&path)
            && versions.is_unmerged
            && let (Some(ours), Some(theirs)) = (&versions.ours, &versions.theirs)
            && only_lines_of(text, [ours, theirs, base.as_deref().unwrap_or_default()])
        {
            (sides.ours, sides.theirs) = (with_line_ends_of(&sides.ours, ours), theirs.clone());
        }
        Some(Conflict { text: text.clone(), sides, base })
    }

    /// The conflict in `PROJECT` that git has not seen: it may have mixed the lines of two entries without a word.
    pub(super) fn unseen(versions: &Versions) -> Option<Self> {
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

/// True if a text with markers holds nothing but lines of these texts: nobody has begun to edit it.
pub(super) fn only_lines_of(text: &str, texts: [&str; 3]) -> bool {
    let known: BTreeSet<&str> = texts.iter().flat_map(|text| text.lines()).collect();
    let marker =
        |line: &str| ["<<<<<<<", "|||||||", "=======", ">>>>>>>"].iter().any(|marker| line.starts_with(marker));
    text.lines().all(|line| known.contains(line) || marker(line))
}
