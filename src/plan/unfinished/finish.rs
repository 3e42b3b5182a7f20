//! Resolves the files in conflict as far as opctl can.

use super::super::{
    Action, Change, Edit, LEDGER_FILE, Ledger, Merged, Operation, Plan, dependencies, merge, merge_locks,
    with_line_ends_of,
};
use super::conflict::{Conflict, only_lines_of};
use super::conflicts::Conflicts;
use super::versions::LOCK;
use crate::Error;
use crate::conflict::{self, Sides};
use crate::model::{PROJECT_FILE, ProjectPath, merge_projects};
use std::collections::BTreeMap;

/// A file whose conflict the user has to resolve.
#[derive(Clone, Debug)]
pub struct Left {
    /// The file's path.
    pub path: ProjectPath,
    line: Option<usize>,
    /// The reason why opctl could not resolve the conflict.
    pub reason: String,
}

impl Left {
    /// Returns the path and the line of the first marker, for errors.
    pub fn place(&self) -> String {
        match self.line {
            Some(line) => format!("`{}` at line {line}", self.path),
            None => format!("`{}`", self.path),
        }
    }
}

/// The result: the changes to commit, and the files that are left to the user.
#[derive(Debug, Default)]
pub struct Resolved {
    /// Changes to commit.
    pub plan: Plan,
    /// Files that stay in conflict.
    pub left: Vec<Left>,
    /// Generated files that one side removed: they stay until `opctl manifests` decides about them.
    pub kept: Vec<ProjectPath>,
    /// Files without markers that git still lists as unmerged.
    pub by_hand: Vec<ProjectPath>,
    /// True if files that `opctl manifests` writes have to be generated again.
    pub stale: bool,
}

impl Conflicts<'_> {
    /// Decides about every file in conflict. `operations` are all operations that opctl may have carried out on either
    /// side. `made` are the whole files that opctl generates for the merged project, by path. `is_generated` returns
    /// true for the files that `opctl manifests` writes.
    pub fn resolve(
        &self,
        operations: &[Operation],
        made: &BTreeMap<ProjectPath, String>,
        is_generated: &dyn Fn(&str) -> bool,
    ) -> Resolved {
        let mut resolved = Resolved::default();
        let mut ledger = self.ledgers.merged.clone();
        let mut project = None;
        for (path, conflict) in self.files.iter().filter(|(path, _)| **path != LEDGER_FILE) {
            let generated = self.regenerated(path, conflict);
            let (after, reason) = if let Some(ours) = generated.filter(|_| is_generated(path)) {
                ledger.record(path, ours);
                resolved.stale = true;
                (Some(ours.to_owned()), None)
            } else {
                match (merged(path, conflict, operations), generated.and(made.get(path)).cloned()) {
                    (Ok(after), _) | (Err(_), Some(after)) => (Some(after), None),
                    (Err((after, reason)), None) => (after, Some(reason)),
                }
            };
            let after = after.map(|text| with_line_ends_of(&conflict.sides.ours, &text));
            if let Some(reason) = reason {
                let line = conflict::line_of(path, after.as_deref().unwrap_or(&conflict.text));
                resolved.left.push(Left { path: path.clone(), line, reason });
            }
            if let Some(after) = after.filter(|after| *after != conflict.text) {
                let change = update(path, &conflict.text, after);
                if *path == PROJECT_FILE { project = Some(change) } else { resolved.plan.changes.push(change) }
            }
        }
        self.settle(&mut ledger, &mut resolved, is_generated);
        self.look_at_unmarked(&ledger, &mut resolved, is_generated);
        let before = self.text(LEDGER_FILE).unwrap_or_default();
        if Ledger::parse(before).ok().as_ref() != Some(&ledger) && !ledger.files.is_empty() {
            let line_ends = self.files.get(LEDGER_FILE).map_or(before, |conflict| conflict.sides.ours.as_str());
            let after = with_line_ends_of(line_ends, &ledger.to_text());
            resolved.plan.changes.push(update(&LEDGER_FILE.into(), before, after));
        }
        resolved.plan.changes.extend(project);
        resolved
    }

    /// Returns our side of a file that opctl generated on both sides and that nobody has begun to edit, so that it can
    /// be generated again.
    fn regenerated(&self, path: &str, Conflict { text, base, .. }: &Conflict) -> Option<&str> {
        let versions = self.versions.get(path).filter(|_| self.both_generated(path))?;
        let (ours, theirs) = (versions.ours.as_deref()?, versions.theirs.as_deref()?);
        only_lines_of(text, [ours, theirs, base.as_deref().unwrap_or_default()]).then_some(ours)
    }

    /// Returns true if the file is as opctl generated it on both sides.
    fn both_generated(&self, path: &str) -> bool {
        let generated =
            |ledger: &Ledger, text: &Option<String>| text.as_ref().is_some_and(|text| ledger.is_pristine(path, text));
        self.versions.get(path).is_some_and(|versions| {
            generated(&self.ledgers.ours, &versions.ours) && generated(&self.ledgers.theirs, &versions.theirs)
        })
    }

    /// Records the hash of each file that opctl generated on both sides and that git or this command merged.
    fn settle(&self, ledger: &mut Ledger, resolved: &mut Resolved, is_generated: &dyn Fn(&str) -> bool) {
        let merged: Vec<ProjectPath> = ledger.files.keys().filter(|path| ledger.is_merged(path)).cloned().collect();
        for path in merged {
            if resolved.left.iter().any(|left| left.path == path) {
                continue;
            }
            let change = resolved.plan.changes.iter().find(|change| change.path == path);
            let text = change.map_or_else(|| self.text(&path), |change| change.after.as_deref());
            let Some(text) = text else { continue };
            if ledger.is_pristine(&path, text) {
                ledger.record(&path, text);
            } else if self.both_generated(&path) {
                ledger.record(&path, text);
                resolved.stale |= is_generated(&path);
            }
        }
    }

    /// Decides about the files that git lists as unmerged and that have no markers.
    fn look_at_unmarked(&self, ledger: &Ledger, resolved: &mut Resolved, is_generated: &dyn Fn(&str) -> bool) {
        let unmerged = self.versions.iter().filter(|(_, versions)| versions.is_unmerged);
        for (path, versions) in unmerged.filter(|(path, _)| !self.files.contains_key(path.as_str())) {
            let is_pristine = || versions.text.as_ref().is_some_and(|text| ledger.is_pristine(path, text));
            if !versions.is_removed {
                resolved.by_hand.push(path.clone());
            } else if is_generated(path) && is_pristine() {
                resolved.kept.push(path.clone());
                resolved.stale = true;
            } else {
                let reason = "one side removed it and the other one changed it".to_owned();
                resolved.left.push(Left { path: path.clone(), line: None, reason });
            }
        }
    }
}

/// Returns the merged text. The error has the partly merged text, if there is one, and the reason of the conflict.
fn merged(
    path: &ProjectPath,
    conflict: &Conflict,
    operations: &[Operation],
) -> Result<String, (Option<String>, String)> {
    let Conflict { sides, base, .. } = conflict;
    let (ours, theirs) = (sides.ours.as_str(), sides.theirs.as_str());
    let same_lines = || "both sides changed the same lines".to_owned();
    match path.as_str() {
        PROJECT_FILE => return merge_projects(base.as_deref(), ours, theirs).map_err(|error| (None, why(&error))),
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
        Merged::Whole(text) => Ok(text),
        Merged::Left(text) => Err((text, same_lines())),
    }
}

/// Returns operations that insert the dependencies of either side of a Cargo.toml.
fn crates(path: &ProjectPath, sides: &Sides) -> Vec<Operation> {
    let named = [&sides.ours, &sides.theirs].into_iter().flat_map(|text| dependencies(text));
    named.map(|(name, value)| Operation::edit(path, Edit::Dependency { name, value, force: false })).collect()
}

fn update(path: &ProjectPath, before: &str, after: String) -> Change {
    Change { path: path.clone(), action: Action::Update, before: Some(before.to_owned()), after: Some(after) }
}

fn why(error: &Error) -> String {
    error.causes().first().cloned().unwrap_or_else(|| error.message().to_owned())
}
