//! The generated files of a project, as they are and as they are to be.

use super::super::bases::{BASES, base_file, stored_base};
use super::super::resolve::same;
use super::super::{Ledger, Snapshot, hash};
use super::Generated;
use super::wanted::Wanted;
use crate::model::ProjectPath;
use std::collections::{BTreeMap, BTreeSet};

/// A file that the ledger lists.
pub(super) struct Known<'a> {
    /// The file's present path.
    pub(super) from: &'a ProjectPath,
    /// The file's path after the update.
    pub(super) to: &'a ProjectPath,
    /// The hashes of the texts that opctl generated.
    pub(super) hashes: &'a BTreeSet<String>,
    /// The file as opctl generates it now, if it still does.
    pub(super) wanted: Option<&'a Wanted>,
    /// The text in the working tree, unless the user deleted the file.
    pub(super) ours: Option<&'a str>,
}

/// The state of a generated file in the working tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// The file is as opctl generates it now.
    UpToDate,
    /// The file is as opctl generated it before.
    Pristine,
    /// A user edited the file, and opctl generates nothing new for it.
    Edited,
    /// A user edited the file, and opctl generates another text now.
    Stale,
}

impl Known<'_> {
    pub(super) fn state(&self, ours: &str, wanted: &Wanted) -> State {
        if same(ours, &wanted.text) {
            State::UpToDate
        } else if self.hashes.contains(&hash(ours)) {
            State::Pristine
        } else if self.hashes.contains(&hash(&wanted.text))
            || wanted.stage(self.hashes).is_some_and(|stage| wanted.adds_nothing(self.to, stage, ours))
        {
            State::Edited
        } else {
            State::Stale
        }
    }

    /// Returns the base of a stale file, if the project itself has it.
    pub(super) fn base<'a>(&self, wanted: &'a Wanted, snapshot: &'a Snapshot) -> Option<&'a str> {
        wanted.stage(self.hashes).or_else(|| stored_base(self.hashes, snapshot))
    }
}

/// Returns the files that the ledger lists, except those that an update leaves as they are.
pub(super) fn known<'a>(
    ledger: &'a Ledger,
    generated: &'a Generated,
    wanted: &'a BTreeMap<ProjectPath, Wanted>,
    snapshot: &'a Snapshot,
) -> Vec<Known<'a>> {
    let target = |from: &'a ProjectPath| {
        let moved = generated.moved.iter().find(|(earlier, _)| earlier == from).map(|(_, to)| to);
        let is_free = |to: &&ProjectPath| !ledger.files.contains_key(*to) && snapshot.text(to).is_none();
        moved.filter(is_free).filter(|to| wanted.contains_key(*to)).unwrap_or(from)
    };
    let files = ledger.files.iter().filter(|(path, _)| !generated.left.contains(*path));
    let known = files.map(|(from, hashes)| {
        let to = target(from);
        Known { from, to, hashes, wanted: wanted.get(to), ours: snapshot.text(from) }
    });
    known.collect()
}

/// Returns the stored bases that no edited file needs any more.
pub(super) fn unused_bases(
    ledger: &Ledger,
    snapshot: &Snapshot,
    edited: &BTreeSet<ProjectPath>,
) -> Vec<(ProjectPath, String)> {
    let used: BTreeSet<ProjectPath> = edited
        .iter()
        .filter_map(|path| ledger.files.get(path))
        .flatten()
        .filter_map(|hash| base_file(hash).ok())
        .collect();
    let unused = snapshot.texts_below(BASES).filter(|(path, _)| !used.contains(*path));
    unused.map(|(path, text)| (path.clone(), text.to_owned())).collect()
}
