//! Decides what an update does to every file.

use super::super::bases::base_file;
use super::super::resolve::{OTHER, conflict as in_the_way, same, with_records};
use super::super::{
    Action, Change, Ledger, Plan, PlanContext, Snapshot, hash, merge_locks, readable, with_line_ends_of,
};
use super::files::{Known, State, known, unused_bases};
use super::merge::{Merged, three_way, two_way};
use super::needed::is_needed;
use super::wanted::{Wanted, wanted};
use super::{Bases, Generated};
use crate::Result;
use crate::conflict;
use crate::model::{Project, ProjectPath};
use std::collections::{BTreeMap, BTreeSet};

const LOCK: &str = "Cargo.lock";

const SAME_LINES: &str = "you and opctl changed the same lines";
const NO_BASE: &str = "it was edited, and no commit has what opctl generated before: every difference is marked";
const OBSOLETE: &str = "it was edited, and opctl does not generate it any more: take over what you need, and remove it";

/// Compares the files that opctl generates now with those that it generated before and with the working tree.
#[derive(Debug)]
pub struct Update<'a> {
    generated: &'a Generated,
    wanted: BTreeMap<ProjectPath, Wanted>,
    ledger: &'a Ledger,
    snapshot: &'a Snapshot,
}

/// A file whose conflict the user has to resolve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InConflict {
    /// The file's path.
    pub path: ProjectPath,
    /// The lines of the conflict markers.
    pub lines: Vec<usize>,
    /// The reason of the conflict.
    pub reason: &'static str,
}

/// The result of an update.
#[derive(Debug, Default)]
pub struct Updated {
    /// Changes to commit.
    pub plan: Plan,
    /// Files that are left to the user.
    pub conflicts: Vec<InConflict>,
    /// Files that the user has deleted, and that stay deleted.
    pub deleted: Vec<ProjectPath>,
    /// True if cargo has to complete Cargo.lock.
    pub lock_is_behind: bool,
    /// The number of files that an earlier update had left in conflict.
    pub solved: usize,
}

impl<'a> Update<'a> {
    /// Renders the files that opctl generates now.
    ///
    /// # Errors
    /// Fails only on a defect in opctl's own templates.
    pub fn new(generated: &'a Generated, ledger: &'a Ledger, snapshot: &'a Snapshot) -> Result<Self> {
        Ok(Update { generated, wanted: wanted(generated, ledger, snapshot)?, ledger, snapshot })
    }

    fn known(&self) -> Vec<Known<'_>> {
        known(self.ledger, self.generated, &self.wanted, self.snapshot)
    }

    /// Returns the files in which an earlier update left conflict markers. The user has to resolve them before the next
    /// update.
    pub fn marked(&self) -> Vec<InConflict> {
        let files = self.known().into_iter().filter(|file| self.ledger.conflicts.contains(file.from));
        let marked = files.filter_map(|file| {
            let lines = conflict::lines_of(file.from, file.ours?);
            (!lines.is_empty()).then(|| InConflict { path: file.from.clone(), lines, reason: SAME_LINES })
        });
        marked.collect()
    }

    /// Returns the stale files whose base is not in the project: their paths, and the hashes of their bases.
    pub fn missing_bases(&self) -> Vec<(ProjectPath, BTreeSet<String>)> {
        let missing = self.known().into_iter().filter(|file| match (file.ours, file.wanted) {
            (Some(ours), Some(wanted)) => {
                file.state(ours, wanted) == State::Stale && file.base(wanted, self.snapshot).is_none()
            }
            _ => false,
        });
        missing.map(|file| (file.from.clone(), file.hashes.clone())).collect()
    }

    /// Decides about every file. `bases` are the missing bases that were found, by the paths of their files.
    ///
    /// # Errors
    /// Fails if files of the user's are in the way of new ones, if a path has anything but a text file in the project,
    /// or if a file has conflict markers of git.
    pub fn decide(&self, bases: &Bases, project: &Project, context: &PlanContext<'_>) -> Result<Updated> {
        let name = format!("opctl {}", context.version);
        let mut draft = Draft { ledger: self.ledger.clone(), name, ..Draft::default() };
        draft.updated.solved = std::mem::take(&mut draft.ledger.conflicts).len();
        let known = self.known();
        for file in &known {
            let text = readable(file.from, self.snapshot)?;
            conflict::check(file.from, text.as_deref().unwrap_or_default())?;
            draft.known(file, bases.get(file.from), self.snapshot);
        }
        let targets: BTreeSet<&ProjectPath> = known.iter().map(|file| file.to).collect();
        let mut refused = Vec::new();
        for (path, wanted) in self.wanted.iter().filter(|(path, _)| !targets.contains(path)) {
            match readable(path, self.snapshot)? {
                None => draft.write(path, Action::Create, None, &wanted.text),
                Some(text) if same(&text, &wanted.text) => draft.record(path, &wanted.text),
                Some(_) if wanted.spares_others => {}
                Some(_) => refused.push((path.as_str(), OTHER)),
            }
        }
        if !refused.is_empty() {
            return Err(in_the_way(&refused, context));
        }
        draft.restore_needed(&self.wanted, self.snapshot);
        draft.keep_bases(self.snapshot)?;
        let Draft { mut updated, changes, ledger, .. } = draft;
        updated.plan = with_records(changes, (self.ledger, ledger), project, self.snapshot, context)?;
        Ok(updated)
    }
}

/// The decisions so far.
#[derive(Debug, Default)]
struct Draft {
    updated: Updated,
    changes: Vec<Change>,
    ledger: Ledger,
    /// The name of this opctl in conflict markers.
    name: String,
    /// Files whose text has another hash than the ledger has for them.
    edited: BTreeSet<ProjectPath>,
    /// New bases of edited files, which no commit has.
    bases: BTreeSet<String>,
}

impl Draft {
    fn known(&mut self, file: &Known<'_>, found: Option<&String>, snapshot: &Snapshot) {
        let Some(wanted) = file.wanted else { return self.obsolete(file) };
        let (path, before) = (file.to, snapshot.text(file.to));
        let is_moved = file.from != path;
        if is_moved {
            self.ledger.files.remove(file.from.as_str());
            self.ledger.files.insert(path.clone(), file.hashes.clone());
            if let Some(ours) = file.ours {
                self.change(file.from, Action::Remove, Some(ours), None);
            }
        }
        let Some(ours) = file.ours else {
            return self.updated.deleted.push(path.clone());
        };
        let (same_text, other_text) =
            if is_moved { (Action::Create, Action::Create) } else { (Action::Unchanged, Action::Update) };
        match file.state(ours, wanted) {
            State::UpToDate => {
                self.record(path, &wanted.text);
                self.change(path, same_text, before, Some(ours));
            }
            State::Pristine => self.write(path, other_text, before, &with_line_ends_of(ours, &wanted.text)),
            State::Edited => {
                self.updated.lock_is_behind |= *path == LOCK && self.updated.solved > 0;
                self.edited.insert(path.clone());
                self.change(path, same_text, before, Some(ours));
            }
            State::Stale => {
                let base = file.base(wanted, snapshot).or(found.map(String::as_str));
                let Merged { text, is_conflicted } = self.merged(path, base, ours, wanted);
                self.ledger.record(path, &wanted.text);
                if !same(&text, &wanted.text) {
                    self.edited.insert(path.clone());
                    self.bases.extend((*path != LOCK).then(|| wanted.text.clone()));
                }
                let action = if is_conflicted { Action::Conflict } else { other_text };
                self.change(path, action, before, Some(&with_line_ends_of(ours, &text)));
            }
        }
    }

    /// Merges the user's text and the generated text, with conflict markers where they contradict each other.
    fn merged(&mut self, path: &ProjectPath, base: Option<&str>, ours: &str, wanted: &Wanted) -> Merged {
        let lines = |text: &str| text.replace("\r\n", "\n");
        let (base, ours) = (base.map(lines), lines(ours));
        if *path == LOCK {
            // Cargo adds the missing packages to the lock file.
            self.updated.lock_is_behind = true;
            let text = base.and_then(|base| merge_locks(Some(&base), &ours, &wanted.text)).unwrap_or(ours);
            return Merged { text, is_conflicted: false };
        }
        let (merged, reason) = match base {
            Some(base) => {
                let (base, theirs) = wanted.around(path, &base, &ours);
                (three_way(path, &base, &ours, &theirs, &self.name), SAME_LINES)
            }
            None => (two_way(&ours, &wanted.text, &self.name), NO_BASE),
        };
        if merged.is_conflicted {
            self.in_conflict(path, conflict::lines_of(path, &merged.text), reason);
        }
        merged
    }

    /// Removes a file that opctl does not generate any more, or leaves it to the user if it was edited.
    fn obsolete(&mut self, file: &Known<'_>) {
        self.ledger.files.remove(file.from.as_str());
        let Some(ours) = file.ours else { return };
        if file.hashes.contains(&hash(ours)) {
            return self.change(file.from, Action::Remove, Some(ours), None);
        }
        self.in_conflict(file.from, Vec::new(), OBSOLETE);
    }

    fn in_conflict(&mut self, path: &ProjectPath, lines: Vec<usize>, reason: &'static str) {
        self.ledger.conflicts.insert(path.clone());
        self.updated.conflicts.push(InConflict { path: path.clone(), lines, reason });
    }

    /// Creates deleted files again that other files still name.
    fn restore_needed(&mut self, wanted: &BTreeMap<ProjectPath, Wanted>, snapshot: &Snapshot) {
        let mut tree: BTreeMap<String, String> =
            wanted.keys().filter_map(|path| Some((path.to_string(), snapshot.text(path)?.to_owned()))).collect();
        for change in &self.changes {
            tree.remove(change.path.as_str());
            tree.extend(change.after.clone().map(|text| (change.path.to_string(), text)));
        }
        while let Some(index) = self.updated.deleted.iter().position(|path| is_needed(path, &tree)) {
            let path = self.updated.deleted.remove(index);
            let text = &wanted[&path].text;
            self.write(&path, Action::Create, None, text);
            tree.insert(path.into(), text.clone());
        }
    }

    /// Removes the bases that are not needed any more, and writes new ones.
    fn keep_bases(&mut self, snapshot: &Snapshot) -> Result<()> {
        let is_idle = self.updated.solved == 0 && !self.changes.iter().any(Change::is_effective);
        let unused = unused_bases(&self.ledger, snapshot, &self.edited);
        // Unused bases alone are no reason to write.
        for (path, text) in unused.into_iter().filter(|_| !is_idle) {
            self.change(&path, Action::Remove, Some(&text), None);
        }
        for text in std::mem::take(&mut self.bases) {
            let path = base_file(&hash(&text))?;
            if snapshot.text(&path).is_none() {
                self.change(&path, Action::Create, None, Some(&text));
            }
        }
        Ok(())
    }

    /// Writes a file as opctl generates it.
    fn write(&mut self, path: &ProjectPath, action: Action, before: Option<&str>, text: &str) {
        self.ledger.record(path, text);
        self.change(path, action, before, Some(text));
    }

    fn record(&mut self, path: &ProjectPath, text: &str) {
        if !self.ledger.is_pristine(path, text) {
            self.ledger.record(path, text);
        }
    }

    fn change(&mut self, path: &ProjectPath, action: Action, before: Option<&str>, after: Option<&str>) {
        let (before, after) = (before.map(str::to_owned), after.map(str::to_owned));
        self.changes.push(Change { path: path.clone(), action, before, after });
    }
}
