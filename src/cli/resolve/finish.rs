//! What becomes of each file in conflict.

use super::conflicts::{Conflict, Conflicts, LOCK, only_lines_of};
use super::known::{crates, insertions, is_generated};
use crate::conflict;
use crate::model::{PROJECT_FILE, Project, merge_projects};
use crate::plan::{
    Action, Change, LEDGER_FILE, Ledger, Merged, Operation, Plan, merge, merge_locks, with_line_ends_of,
};
use crate::{Error, Result};

/// A file that a person has to finish.
pub(super) struct Left {
    pub(super) path: String,
    line: Option<usize>,
    pub(super) reason: String,
}

impl Left {
    pub(super) fn place(&self) -> String {
        match self.line {
            Some(line) => format!("`{}` at line {line}", self.path),
            None => format!("`{}`", self.path),
        }
    }
}

/// What is to be done.
#[derive(Default)]
pub(super) struct Resolved {
    pub(super) plan: Plan,
    /// What stays in conflict.
    pub(super) left: Vec<Left>,
    /// Generated files that one side removed: they stay until `opctl manifests` knows.
    pub(super) kept: Vec<String>,
    /// Files without markers that git has not been told about.
    pub(super) by_hand: Vec<String>,
    /// Whether both sides changed what `opctl manifests` writes.
    pub(super) stale: bool,
}

impl Conflicts<'_> {
    /// Decides about every file.
    pub(super) fn resolve(&self) -> Result<Resolved> {
        let mut resolved = Resolved::default();
        let operations = self.operations()?;
        let mut ledger = match self.ledger {
            Some(_) => self.ledgers[0].clone(),
            None => Ledger::merge(&self.ledgers[0], &self.ledgers[1], &self.ledgers[2]),
        };
        let mut project = None;
        for (path, conflict) in self.files.iter().filter(|(path, _)| *path != LEDGER_FILE) {
            let merged = self.merged(path, conflict, &operations, &mut ledger, &mut resolved);
            let (after, reason) = match merged {
                Ok(after) => (Some(after), None),
                Err((after, reason)) => (after, Some(reason)),
            };
            let after = after.map(|text| with_line_ends_of(&conflict.sides.ours, &text));
            if let Some(reason) = reason {
                let line = conflict::line_of(path, after.as_deref().unwrap_or(&conflict.text));
                resolved.left.push(Left { path: path.clone(), line, reason });
            }
            if let Some(after) = after.filter(|after| *after != conflict.text) {
                let change = update(path, &conflict.text, after);
                if path == PROJECT_FILE { project = Some(change) } else { resolved.plan.changes.push(change) }
            }
        }
        self.settle(&mut ledger, &mut resolved)?;
        self.look_at_unmarked(&ledger, &mut resolved)?;
        let before = match &self.ledger {
            Some(text) => text,
            None => self.files.get(LEDGER_FILE).map_or("", |conflict| conflict.text.as_str()),
        };
        if Ledger::parse(before).ok().as_ref() != Some(&ledger) && !ledger.files.is_empty() {
            let line_ends = self.files.get(LEDGER_FILE).map_or(before, |conflict| conflict.sides.ours.as_str());
            let after = with_line_ends_of(line_ends, &ledger.to_text());
            resolved.plan.changes.push(update(LEDGER_FILE, before, after));
        }
        resolved.plan.changes.extend(project);
        Ok(resolved)
    }

    /// All that opctl may have inserted on either side.
    fn operations(&self) -> Result<Vec<Operation>> {
        let projects = match self.files.get(PROJECT_FILE) {
            Some(Conflict { sides, .. }) => {
                let sides = [&sides.ours, &sides.theirs].into_iter();
                sides.filter_map(|text| Project::parse(text).ok()).collect()
            }
            None => vec![Project::parse(&self.text(PROJECT_FILE)?.unwrap_or_default())?],
        };
        insertions(&projects, [&self.ledgers[1], &self.ledgers[2]])
    }

    /// The text without conflicts; else as far as it could be merged, and why no further.
    fn merged(
        &self,
        path: &str,
        conflict: &Conflict,
        operations: &[Operation],
        ledger: &mut Ledger,
        resolved: &mut Resolved,
    ) -> Result<String, (Option<String>, String)> {
        let Conflict { sides, base, text } = conflict;
        let (ours, theirs) = (sides.ours.as_str(), sides.theirs.as_str());
        let same_lines = || "both sides changed the same lines".to_owned();
        match path {
            PROJECT_FILE => return merge_projects(base.as_deref(), ours, theirs).map_err(|error| (None, why(&error))),
            LOCK => {
                let [ours, theirs] = [ours, theirs].map(|text| text.replace("\r\n", "\n"));
                return merge_locks(base.as_deref(), &ours, &theirs).ok_or_else(|| (None, same_lines()));
            }
            _ => {}
        }
        if is_generated(path)
            && self.both_generated(path)
            && let Some(ours) = self.git.and_then(|git| git.ours(path))
            && let Some(theirs) = self.git.and_then(|git| git.theirs(path))
            && only_lines_of(text, [&ours, &theirs, base.as_deref().unwrap_or_default()])
        {
            ledger.record(path, &ours);
            resolved.stale = true;
            return Ok(ours);
        }
        let mut operations = operations.to_vec();
        if path.ends_with("Cargo.toml") {
            operations.extend(crates(path, sides));
        }
        if operations.iter().all(|operation| operation.path != path) {
            return Err((None, same_lines()));
        }
        match merge(path, base.as_deref(), sides, &operations) {
            Merged::Whole(text) => Ok(text),
            Merged::Left(text) => Err((text, same_lines())),
        }
    }

    /// Whether the file is as opctl generated it on both sides.
    fn both_generated(&self, path: &str) -> bool {
        let [_, ours, theirs] = &self.ledgers;
        let generated =
            |ledger: &Ledger, text: Option<String>| text.is_some_and(|text| ledger.is_pristine(path, &text));
        self.git.is_some_and(|git| generated(ours, git.ours(path)) && generated(theirs, git.theirs(path)))
    }

    /// Takes down the hash of each file that opctl generated on both sides and that git or this command merged.
    fn settle(&self, ledger: &mut Ledger, resolved: &mut Resolved) -> Result<()> {
        let merged: Vec<String> = ledger.files.keys().filter(|path| ledger.is_merged(path)).cloned().collect();
        for path in merged {
            if resolved.left.iter().any(|left| left.path == path) {
                continue;
            }
            let change = resolved.plan.changes.iter().find(|change| change.path == path);
            let text = match change {
                Some(change) => change.after.clone(),
                None => self.text(&path)?,
            };
            let Some(text) = text else { continue };
            if ledger.is_pristine(&path, &text) {
                ledger.record(&path, &text);
            } else if self.both_generated(&path) {
                ledger.record(&path, &text);
                resolved.stale |= is_generated(&path);
            }
        }
        Ok(())
    }

    /// Files that git calls unmerged, and that have no markers.
    fn look_at_unmarked(&self, ledger: &Ledger, resolved: &mut Resolved) -> Result<()> {
        let Some(git) = self.git else { return Ok(()) };
        for path in git.unmerged().filter(|path| !self.files.contains_key(*path)) {
            let text = self.text(path)?;
            if !git.is_removed(path) {
                resolved.by_hand.push(path.to_owned());
            } else if is_generated(path) && text.is_some_and(|text| ledger.is_pristine(path, &text)) {
                resolved.kept.push(path.to_owned());
                resolved.stale = true;
            } else {
                let reason = "one side removed it and the other one changed it".to_owned();
                resolved.left.push(Left { path: path.to_owned(), line: None, reason });
            }
        }
        Ok(())
    }
}

fn update(path: &str, before: &str, after: String) -> Change {
    Change { path: path.to_owned(), action: Action::Update, before: Some(before.to_owned()), after: Some(after) }
}

fn why(error: &Error) -> String {
    error.causes().first().cloned().unwrap_or_else(|| error.message().to_owned())
}
