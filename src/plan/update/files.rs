//! The files of a project that opctl has generated, as they stand there and as they are to be.

use super::super::resolve::same;
use super::super::{Ledger, Snapshot, hash};
use super::wanted::Wanted;
use super::{BASES, Generated, base_file};
use std::collections::{BTreeMap, BTreeSet};

/// A file that the ledger knows.
pub(super) struct Known<'a> {
    /// Its present path.
    pub(super) from: &'a str,
    /// Its path after the update.
    pub(super) to: &'a str,
    /// The hashes of the texts that opctl generated.
    pub(super) hashes: &'a BTreeSet<String>,
    /// The file as opctl generates it now, if it still does.
    pub(super) wanted: Option<&'a Wanted>,
    /// As it stands there, unless somebody deleted it.
    pub(super) ours: Option<&'a str>,
}

/// The state of a generated file in the working tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It is as opctl generates it now.
    UpToDate,
    /// It is as opctl generated it before.
    Pristine,
    /// A user edited it, and opctl generates nothing new for it.
    Edited,
    /// A user edited it, and opctl generates another text now.
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

    /// The base of a stale file, where the project itself has it.
    pub(super) fn base<'a>(&self, wanted: &'a Wanted, snapshot: &'a Snapshot) -> Option<&'a str> {
        let stored = |known: &String| snapshot.text(&base_file(known)).filter(|text| hash(text) == *known);
        wanted.stage(self.hashes).or_else(|| self.hashes.iter().find_map(stored))
    }
}

/// The files that the ledger knows and an update does not leave as they are.
pub(super) fn known<'a>(
    ledger: &'a Ledger,
    generated: &'a Generated,
    wanted: &'a BTreeMap<String, Wanted>,
    snapshot: &'a Snapshot,
) -> Vec<Known<'a>> {
    let target = |from: &'a str| {
        let moved = generated.moved.iter().find(|(earlier, _)| earlier == from).map(|(_, to)| to.as_str());
        let is_free = |to: &&str| !ledger.files.contains_key(*to) && snapshot.text(to).is_none();
        moved.filter(is_free).filter(|to| wanted.contains_key(*to)).unwrap_or(from)
    };
    let files = ledger.files.iter().filter(|(path, _)| !generated.left.contains(*path));
    let known = files.map(|(from, hashes)| {
        let to = target(from);
        Known { from, to, hashes, wanted: wanted.get(to), ours: snapshot.text(from) }
    });
    known.collect()
}

/// The stored bases that no edited file begins with any more.
pub(super) fn unused_bases(ledger: &Ledger, snapshot: &Snapshot, edited: &BTreeSet<String>) -> Vec<(String, String)> {
    let used: BTreeSet<String> =
        edited.iter().filter_map(|path| ledger.files.get(path)).flatten().map(|hash| base_file(hash)).collect();
    let unused = snapshot.texts_below(BASES).filter(|(path, _)| !used.contains(*path));
    unused.map(|(path, text)| (path.to_owned(), text.to_owned())).collect()
}
