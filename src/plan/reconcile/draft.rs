//! The changes that a command has planned so far, and the resulting ledger.

use super::super::bases::base_changes;
use super::super::{Action, Change, Entry, Ledger, Plan, PlanContext, Snapshot, hash, with_line_ends_of};
use super::decision::State;
use super::file::{Combined, File};
use super::records::{file_text, same, with_records};
use crate::Result;
use crate::model::{Project, ProjectPath};
use std::collections::{BTreeMap, BTreeSet};

/// Cargo's lock file, which opctl merges package by package. opctl does not store the texts that it generates for this
/// file as bases of later merges, because cargo rewrites the file.
pub(super) const LOCK: &str = "Cargo.lock";

/// An unfinished plan: the changes of a command so far, and the resulting ledger (`.opctl/files.yaml`, the hashes of
/// generated files).
pub(super) struct Draft<'a> {
    known: &'a Ledger,
    pub(super) tree: &'a Snapshot,
    pub(super) ledger: Ledger,
    pub(super) changes: BTreeMap<ProjectPath, Change>,
    /// The texts that opctl generates for edited files, as bases of later merges.
    bases: BTreeSet<String>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(known: &'a Ledger, tree: &'a Snapshot) -> Self {
        Draft { known, tree, ledger: known.clone(), changes: BTreeMap::new(), bases: BTreeSet::new() }
    }

    /// Returns the text that the file at `path` has after the changes planned so far; `None` if the file is missing
    /// then. If the plan has no change for the path yet, adds one that leaves the file as it is.
    ///
    /// # Errors
    /// Fails if the path leads to anything but a text file in the project.
    pub(super) fn open(&mut self, path: &ProjectPath) -> Result<Option<String>> {
        if let Some(change) = self.changes.get(path) {
            return Ok(change.after.clone());
        }
        let before = file_text(path, self.tree)?.map(str::to_owned);
        self.changes.insert(path.clone(), Change::new(path.clone(), before.clone(), before.clone()));
        Ok(before)
    }

    /// Returns the snapshot of the project's files with the changes so far.
    pub(super) fn tree_after(&self) -> Snapshot {
        let mut tree = self.tree.clone();
        for change in self.changes.values() {
            tree.insert(change.path.clone(), change.after.clone().map_or(Entry::Missing, Entry::Text));
        }
        tree
    }

    /// Sets the content that the file at `path` has after the plan.
    fn set(&mut self, path: &ProjectPath, after: Option<String>) {
        let before = self.tree.text(path).map(str::to_owned);
        self.changes.insert(path.clone(), Change::new(path.clone(), before, after));
    }

    /// Sets the action that is reported for the file at `path`.
    pub(super) fn report(&mut self, path: &ProjectPath, action: Action) {
        if let Some(change) = self.changes.get_mut(path) {
            change.action = action;
        }
    }

    /// Plans that the file at `path` gets the content `text`. Does not record the hash of `text` in
    /// `.opctl/files.yaml`.
    pub(super) fn write(&mut self, path: &ProjectPath, text: &str) {
        self.set(path, Some(text.to_owned()));
    }

    /// Plans that the file at `path` gets the content `text`, which opctl generated, and records the hash of `text` in
    /// `.opctl/files.yaml`.
    pub(super) fn make(&mut self, path: &ProjectPath, text: &str) {
        self.write(path, text);
        self.record(path, text);
    }

    /// Records the hash of a generated text in the ledger (`.opctl/files.yaml`). If the file's planned change has the
    /// same text, uses the hash of the change instead of computing the hash again.
    fn record(&mut self, path: &ProjectPath, text: &str) {
        let change = self.changes.get(path).filter(|change| change.after.as_deref() == Some(text));
        let known = change.and_then(Change::hash_after).map(str::to_owned);
        self.ledger.record_hash(path, known.unwrap_or_else(|| hash(text)));
    }

    /// Sets the text that a file has after an edit with the action `action`. For an existing file with several edits,
    /// opctl reports `Update` if any of these edits has the action `Update`, and otherwise the action of the last edit.
    pub(super) fn edit(&mut self, path: &ProjectPath, text: String, action: Action) {
        let earlier = self.changes.get(path).map(|change| change.action);
        self.set(path, Some(text));
        let is_update = self.changes.get(path).is_some_and(|change| change.action == Action::Update);
        if is_update && earlier != Some(Action::Update) {
            self.report(path, action);
        }
    }

    /// Records in the ledger (`.opctl/files.yaml`) that opctl generated `text`, unless the file is unchanged and the
    /// ledger already has the hash of `text`.
    pub(super) fn record_text(&mut self, path: &ProjectPath, text: &str) {
        let is_effective = self.changes.get(path).is_some_and(Change::is_effective);
        if is_effective || !self.ledger.is_pristine(path, text) {
            self.record(path, text);
        }
    }

    /// Records in `.opctl/files.yaml` the hash of `text`, which opctl generates for an edited file, and stores `text`
    /// as the base of the file's next three-way merge.
    pub(super) fn rebase(&mut self, path: &ProjectPath, text: String) {
        self.ledger.record(path, &text);
        if path.as_str() != LOCK {
            self.bases.insert(text);
        }
    }

    /// Moves the entries in `.opctl/files.yaml` of files whose path changes, and plans the removal of the files at
    /// their old paths. An old path may also be the new path of another file: a later step of opctl then replaces the
    /// planned removal with the writing of the other file.
    pub(super) fn relocate(&mut self, files: &[File<'_>]) {
        let moved = || files.iter().filter(|file| file.from != file.to);
        for file in moved() {
            self.forget(file.from);
        }
        for file in moved() {
            let hashes = self.known.files.get(file.from).cloned();
            self.ledger.files.extend(hashes.map(|hashes| (file.to.clone(), hashes)));
            if file.ours.is_some() {
                self.set(file.from, None);
            }
        }
    }

    /// Plans that a file gets the text `text`, which opctl generates, with the line ends of the existing file. Records
    /// the hash of the text in `.opctl/files.yaml`.
    pub(super) fn generate(&mut self, file: &File<'_>, text: &str) {
        self.put(file, text);
        self.record(file.to, text);
    }

    /// Keeps a file that already has the text `text`, and records the hash of `text` in `.opctl/files.yaml`.
    pub(super) fn up_to_date(&mut self, file: &File<'_>, text: &str) {
        self.write(file.to, file.ours.unwrap_or(text));
        self.record_text(file.to, text);
    }

    /// Plans that a file gets a merged text. A file that the user created gets no entry in `.opctl/files.yaml`, and a
    /// file that the user had not edited still counts as unedited.
    pub(super) fn merge(&mut self, file: &File<'_>, combined: Combined) {
        match combined.base {
            _ if file.state == State::Stale => self.ledger.record(file.to, &combined.text),
            Some(base) if [State::Edited, State::Conflicted].contains(&file.state) => {
                if same(&combined.text, &base) {
                    self.ledger.record(file.to, &base);
                } else {
                    self.rebase(file.to, base);
                }
            }
            _ => {}
        }
        self.put(file, &combined.text);
        if combined.is_conflicted {
            self.report(file.to, Action::Conflict);
        }
    }

    /// Plans that a file gets the text `text`, with the line ends of the existing file, if any.
    pub(super) fn put(&mut self, file: &File<'_>, text: &str) {
        let text = match file.ours {
            Some(ours) if same(ours, text) => ours.to_owned(),
            Some(ours) => with_line_ends_of(ours, text),
            None => text.to_owned(),
        };
        self.set(file.to, Some(text));
    }

    /// Plans the removal of a file, and removes the file's entry from the ledger (`.opctl/files.yaml`).
    pub(super) fn remove(&mut self, path: &ProjectPath) {
        self.forget(path);
        self.set(path, None);
    }

    /// Removes a file's entry from `.opctl/files.yaml`.
    pub(super) fn forget(&mut self, path: &ProjectPath) {
        self.ledger.files.remove(path.as_str());
    }

    /// Returns the plan. To the planned changes of files, adds those of `.opctl/files.yaml`, of `PROJECT`, and of the
    /// stored texts for later merges.
    ///
    /// # Errors
    /// Fails if one of opctl's own files cannot be read.
    pub(super) fn finish(self, project: &Project, context: &PlanContext<'_>) -> Result<Plan> {
        let Draft { known, tree, ledger, changes, bases } = self;
        let mut changes: Vec<Change> = changes.into_values().collect();
        // Unused bases alone are no reason to write.
        if ledger != *known || changes.iter().any(Change::is_effective) {
            changes.extend(base_changes(&bases, &ledger, tree)?);
        }
        with_records(changes, (known, ledger), project, tree, context)
    }
}
