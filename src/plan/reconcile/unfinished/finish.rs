//! Resolves the conflicts that an unfinished git merge left in files, as far as opctl can.

use super::super::decision::{Next, State};
use super::super::draft::{Draft, LOCK};
use super::super::file::{Combined, File};
use super::super::rules::{Rules, reconcile};
use super::super::wanted::RenderedFile;
use super::conflict::{Conflict, only_lines_of};
use super::conflicts::Conflicts;
use crate::conflict::{self, Sides};
use crate::model::{PROJECT_FILE, ProjectPath, merge_projects};
use crate::plan::{
    Change, Edit, Entry, LEDGER_FILE, Ledger, MergeResult, Operation, Plan, Snapshot, dependencies, merge, merge_locks,
    with_line_ends_of,
};
use crate::{Error, Result};
use std::collections::BTreeMap;

/// A file whose conflict the user has to resolve.
#[derive(Clone, Debug)]
pub struct UnresolvedFile {
    /// The path of the file with conflict markers.
    pub path: ProjectPath,
    line: Option<usize>,
    /// The reason why opctl could not resolve the conflict.
    pub reason: String,
}

impl UnresolvedFile {
    /// Returns the path and the line of the first conflict marker, for errors.
    pub fn place(&self) -> String {
        match self.line {
            Some(line) => format!("`{}` at line {line}", self.path),
            None => format!("`{}`", self.path),
        }
    }
}

/// The result of resolving conflicts: the changes to commit, and the files that are left to the user.
#[derive(Debug, Default)]
pub struct Resolved {
    /// The changes that the command commits.
    pub plan: Plan,
    /// Files that stay in conflict.
    pub left: Vec<UnresolvedFile>,
    /// Generated files that one side of the merge removed. opctl keeps these files until `opctl manifests` decides
    /// about them.
    pub kept: Vec<ProjectPath>,
    /// Files without conflict markers that git still lists as unmerged.
    pub by_hand: Vec<ProjectPath>,
    /// True if files that `opctl manifests` writes have to be generated again.
    pub stale: bool,
}

impl Conflicts<'_> {
    /// Resolves the conflicts of the merge. `operations` are all operations that opctl may have carried out on one or
    /// both of the sides. `made` has, by path, the complete text of each file that opctl generates for the merged
    /// project. `is_generated` returns true for the path of a file that `opctl manifests` writes.
    ///
    /// # Errors
    /// Fails only on a defect in opctl. Files that opctl cannot merge are no error, and are left to the user.
    pub fn resolve(
        &self,
        operations: &[Operation],
        made: &BTreeMap<ProjectPath, String>,
        is_generated: &dyn Fn(&str) -> bool,
    ) -> Result<Resolved> {
        let mut tree = Snapshot::default();
        for (path, versions) in self.versions {
            tree.insert(path.clone(), versions.text.clone().map_or(Entry::Missing, Entry::Text));
        }
        let generated: BTreeMap<&ProjectPath, RenderedFile> = self
            .files
            .iter()
            .filter_map(|(path, conflict)| {
                let ours = self.regenerated_text(path, conflict)?;
                let text = if is_generated(path) { ours } else { made.get(path)?.as_str() };
                Some((path, RenderedFile::whole(text, true)))
            })
            .collect();
        let mut sides = BothSides { conflicts: self, operations, is_generated, resolved: Resolved::default() };
        let files = self.versions.keys().filter_map(|path| sides.file(path, generated.get(path))).collect();
        let mut draft = Draft::new(&self.ledgers.merged, &tree);
        reconcile(files, &mut sides, &mut draft)?;
        let Draft { ledger, mut changes, .. } = draft;
        let project = changes.remove(PROJECT_FILE);
        let mut changes: Vec<Change> = changes.into_values().collect();
        let before = self.text(LEDGER_FILE).unwrap_or_default();
        if Ledger::parse(before).ok().as_ref() != Some(&ledger) && !ledger.files.is_empty() {
            let line_ends = self.files.get(LEDGER_FILE).map_or(before, |conflict| conflict.sides.ours.as_str());
            let after = with_line_ends_of(line_ends, &ledger.to_text());
            changes.push(Change::new(LEDGER_FILE.into(), Some(before.to_owned()), Some(after)));
        }
        changes.extend(project);
        changes.retain(Change::is_effective);
        Ok(Resolved { plan: Plan { changes }, ..sides.resolved })
    }

    /// Returns the text that a file has on the checked-out side of the merge, if opctl can generate the file again;
    /// otherwise `None`. opctl can generate the file again under two conditions: opctl generated the texts of both
    /// sides, and the user has not begun to edit the conflict.
    fn regenerated_text(&self, path: &str, Conflict { text, base, .. }: &Conflict) -> Option<&str> {
        let versions = self.versions.get(path).filter(|_| self.both_generated(path))?;
        let (ours, theirs) = (versions.ours.as_deref()?, versions.theirs.as_deref()?);
        only_lines_of(text, [ours, theirs, base.as_deref().unwrap_or_default()]).then_some(ours)
    }

    /// Returns true if both sides have the file with a text that opctl generated.
    fn both_generated(&self, path: &str) -> bool {
        let generated =
            |ledger: &Ledger, text: &Option<String>| text.as_ref().is_some_and(|text| ledger.is_pristine(path, text));
        self.versions.get(path).is_some_and(|versions| {
            generated(&self.ledgers.ours, &versions.ours) && generated(&self.ledgers.theirs, &versions.theirs)
        })
    }

    /// Returns true if opctl may record the hash of `text`, the merged text of a file, in `.opctl/files.yaml` as a
    /// generated text. Two conditions must hold: the merged `.opctl/files.yaml` has a hash from each side for the file,
    /// and opctl generated either `text` or the texts of both sides.
    fn is_settled_by(&self, path: &str, text: &str) -> bool {
        let ledger = &self.ledgers.merged;
        ledger.is_merged(path) && (ledger.is_pristine(path, text) || self.both_generated(path))
    }
}

/// The rules of a merge: the changes of both sides are kept, and lines that both sides changed are left to the user.
struct BothSides<'a> {
    conflicts: &'a Conflicts<'a>,
    operations: &'a [Operation],
    is_generated: &'a dyn Fn(&str) -> bool,
    resolved: Resolved,
}

impl<'a> BothSides<'a> {
    /// Returns the file at `path` for the reconciliation, if git left the file in conflict, or if git merged the file
    /// and opctl can record the merged text in `.opctl/files.yaml`; otherwise `None`. `after` is the text that opctl
    /// can generate again.
    fn file(&mut self, path: &'a ProjectPath, after: Option<&'a RenderedFile>) -> Option<File<'a>> {
        let versions = self.conflicts.versions.get(path).filter(|_| *path != LEDGER_FILE)?;
        let (is_generated, ledger) = ((self.is_generated)(path), &self.conflicts.ledgers.merged);
        let mut ours = versions.text.as_deref();
        let (state, next) = if let Some(conflict) = self.conflicts.files.get(path) {
            ours = Some(&conflict.sides.ours);
            // `opctl manifests` generates the file again, so that either side will do until then.
            let is_pristine = is_generated && after.is_some();
            self.resolved.stale |= is_pristine;
            (if is_pristine { State::Pristine } else { State::Conflicted }, Next::Other)
        } else if versions.is_unmerged && versions.is_removed {
            let is_pristine = is_generated && ours.is_some_and(|text| ledger.is_pristine(path, text));
            if is_pristine { (State::Pristine, Next::Same) } else { (State::Conflicted, Next::Nothing) }
        } else if versions.is_unmerged {
            (State::Conflicted, Next::Same)
        } else {
            // Git has merged the file.
            ours.filter(|text| self.conflicts.is_settled_by(path, text))?;
            (State::Edited, Next::Same)
        };
        Some(File { from: path, to: path, ours, state, next, before: None, after })
    }

    fn leave_unresolved(&mut self, path: &ProjectPath, text: Option<&str>, reason: String) {
        let line = text.and_then(|text| conflict::line_of(path, text));
        self.resolved.left.push(UnresolvedFile { path: path.clone(), line, reason });
    }
}

impl Rules for BothSides<'_> {
    fn merge(&mut self, file: &File<'_>, _: &str) -> Result<Option<Combined>> {
        let Some(conflict) = self.conflicts.files.get(file.to) else { return Ok(None) };
        let (text, is_whole) = match (merge_conflict(file.to, conflict, self.operations), file.after) {
            (Ok(text), _) => (text, true),
            (Err(_), Some(after)) => (after.text.clone(), true),
            (Err((text, reason)), None) => {
                self.leave_unresolved(file.to, Some(text.as_deref().unwrap_or(&conflict.text)), reason);
                let Some(text) = text else { return Ok(None) };
                (text, false)
            }
        };
        let base = (is_whole && self.conflicts.is_settled_by(file.to, &text)).then(|| text.clone());
        Ok(Some(Combined { text, base, is_conflicted: false }))
    }

    fn contest(&mut self, file: &File<'_>, _: &mut Draft<'_>) {
        self.leave_unresolved(file.to, None, "one side removed it and the other one changed it".to_owned());
    }

    fn keep(&mut self, file: &File<'_>, draft: &mut Draft<'_>) {
        let is_generated = (self.is_generated)(file.to);
        if let Some(text) = file.ours.filter(|text| self.conflicts.is_settled_by(file.to, text)) {
            self.resolved.stale |= is_generated && !draft.ledger.is_pristine(file.to, text);
            draft.ledger.record(file.to, text);
        }
        match file.state {
            State::Conflicted => self.resolved.by_hand.push(file.to.clone()),
            State::Pristine => {
                self.resolved.kept.push(file.to.clone());
                self.resolved.stale = true;
            }
            _ => {}
        }
    }
}

/// Returns the merged text. The error has the partly merged text, if any, and the reason for the conflict.
fn merge_conflict(
    path: &ProjectPath,
    conflict: &Conflict,
    operations: &[Operation],
) -> Result<String, (Option<String>, String)> {
    let Conflict { sides, base, .. } = conflict;
    let (ours, theirs) = (sides.ours.as_str(), sides.theirs.as_str());
    let same_lines = || "both sides changed the same lines".to_owned();
    match path.as_str() {
        PROJECT_FILE => {
            return merge_projects(base.as_deref(), ours, theirs).map_err(|error| (None, conflict_reason(&error)));
        }
        LOCK => {
            let [ours, theirs] = [ours, theirs].map(|text| text.replace("\r\n", "\n"));
            return merge_locks(base.as_deref(), &ours, &theirs).ok_or_else(|| (None, same_lines()));
        }
        _ => {}
    }
    let mut operations = operations.to_vec();
    if path.ends_with("Cargo.toml") {
        operations.extend(crates(path, sides));
    }
    if operations.iter().all(|operation| operation.path != *path) {
        return Err((None, same_lines()));
    }
    match merge(path, base.as_deref(), sides, &operations) {
        MergeResult::Whole(text) => Ok(text),
        MergeResult::Left(text) => Err((text, same_lines())),
    }
}

/// Returns operations that insert into a Cargo.toml all dependencies that at least one side has.
fn crates(path: &ProjectPath, sides: &Sides) -> Vec<Operation> {
    let named = [&sides.ours, &sides.theirs].into_iter().flat_map(|text| dependencies(text));
    named.map(|(name, value)| Operation::edit(path, Edit::Dependency { name, value, force: false })).collect()
}

fn conflict_reason(error: &Error) -> String {
    error.causes().first().cloned().unwrap_or_else(|| error.message().to_owned())
}
