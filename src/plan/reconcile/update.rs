//! Updates the files of a project to the texts that the running opctl generates from the project's `PROJECT`.

use super::super::bases::stored_base;
use super::super::{Ledger, Plan, PlanContext, Snapshot, file_text, hash, merge_locks};
use super::decision::{Next, State};
use super::draft::{Draft, LOCK};
use super::file::{Combined, File};
use super::needed::is_needed;
use super::operations::OTHER;
use super::records::{in_the_way, same};
use super::rules::{Rules, reconcile};
use super::three_way::{MergedText, three_way, two_way};
use super::wanted::{RenderedFile, rendered_files};
use super::{Bases, Rendering};
use crate::Result;
use crate::conflict;
use crate::model::{Project, ProjectPath};
use std::collections::{BTreeMap, BTreeSet};

const SAME_LINES: &str = "you and opctl changed the same lines";
const NO_BASE: &str =
    "the file was edited, and no commit contains the text that opctl generated before, so every difference is marked";
const OBSOLETE: &str =
    "the file was edited, and opctl no longer generates it: copy the parts that you need, and remove the file";

/// An update: compares the files that opctl generates now with the earlier generated files and the working tree.
#[derive(Debug)]
pub struct Update<'a> {
    generated: &'a Rendering,
    wanted: BTreeMap<ProjectPath, RenderedFile>,
    ledger: &'a Ledger,
    tree: &'a Snapshot,
    /// The files that `.opctl/files.yaml` lists, except the files that an update always leaves unchanged.
    known: Vec<LedgerFile<'a>>,
}

/// A file that `.opctl/files.yaml` lists, compared with the text that opctl generates now.
#[derive(Debug)]
struct LedgerFile<'a> {
    from: &'a ProjectPath,
    to: &'a ProjectPath,
    hashes: &'a BTreeSet<String>,
    state: State,
    next: Next,
}

/// A file whose conflict the user has to resolve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InConflict {
    /// The path of the file that the update changes.
    pub path: ProjectPath,
    /// The numbers of the lines with conflict markers.
    pub lines: Vec<usize>,
    /// The reason for the conflict.
    pub reason: &'static str,
}

/// The result of an update.
#[derive(Debug, Default)]
pub struct Updated {
    /// The changes that the update commits.
    pub plan: Plan,
    /// Files whose conflicts the user has to resolve.
    pub conflicts: Vec<InConflict>,
    /// Files that the user has deleted, and that stay deleted.
    pub deleted: Vec<ProjectPath>,
    /// True if cargo has to add missing packages to Cargo.lock.
    pub lock_is_behind: bool,
    /// The number of files that an earlier update left in conflict and whose conflicts the user has resolved.
    pub solved: usize,
}

impl<'a> Update<'a> {
    /// Renders the files that opctl generates now, and compares them with the hashes in the ledger
    /// (`.opctl/files.yaml`) and with the working tree.
    ///
    /// # Errors
    /// Fails only on a defect in opctl's own templates.
    pub fn new(generated: &'a Rendering, ledger: &'a Ledger, tree: &'a Snapshot) -> Result<Self> {
        let wanted = rendered_files(generated, ledger, tree)?;
        let mut update = Update { generated, wanted, ledger, tree, known: Vec::new() };
        update.known =
            ledger.files.iter().filter_map(|(path, hashes)| update.compare_listed_file(path, hashes)).collect();
        Ok(update)
    }

    /// Returns the files with conflict markers from an earlier update. The user has to resolve these conflicts before
    /// the next update.
    pub fn unresolved_conflicts(&self) -> Vec<InConflict> {
        let marked = self.ledger.conflicts.iter().filter_map(|path| {
            let lines = conflict::lines_of(path, self.tree.text(path)?);
            let is_known = self.ledger.files.contains_key(path) && !self.generated.left.contains(path);
            (is_known && !lines.is_empty()).then(|| InConflict { path: path.clone(), lines, reason: SAME_LINES })
        });
        marked.collect()
    }

    /// Returns the edited files that the update changes, but whose earlier generated text is not in the project: the
    /// path of each file, and the hashes of its earlier generated texts.
    pub fn missing_bases(&self) -> Vec<(ProjectPath, BTreeSet<String>)> {
        let changed = self.known.iter().filter(|file| (file.state, file.next) == (State::Edited, Next::Other));
        let lacks = |file: &&LedgerFile<'_>| {
            self.wanted.get(file.to).is_some_and(|after| base(after, file.hashes, self.tree).is_none())
        };
        changed.filter(lacks).map(|file| (file.from.clone(), file.hashes.clone())).collect()
    }

    /// Returns the result of the update. `bases` are the texts found for [`Update::missing_bases`], by path.
    ///
    /// # Errors
    /// Fails if the user has other files at the paths of new files, if a path leads to anything but a text file in the
    /// project, or if a file has conflict markers of git.
    pub fn decide(&self, bases: &Bases, project: &Project, context: &PlanContext<'_>) -> Result<Updated> {
        let mut draft = Draft::new(self.ledger, self.tree);
        let name = format!("opctl {}", context.version);
        let updated = Updated { solved: draft.ledger.conflicts.len(), ..Updated::default() };
        draft.ledger.conflicts.clear();
        let mut merge = Merge { ledger: self.ledger, tree: self.tree, bases, name, updated, refused: Vec::new() };
        let mut files = Vec::new();
        for LedgerFile { from, to, state, next, .. } in &self.known {
            let (ours, after) = (file_text(from, self.tree)?, self.wanted.get(*to));
            if *state == State::Edited {
                conflict::check(from, ours.unwrap_or_default())?;
            }
            files.push(File { from, to, ours, state: *state, next: *next, before: None, after });
        }
        let targets: BTreeSet<&ProjectPath> = files.iter().map(|file| file.to).collect();
        for (path, after) in self.wanted.iter().filter(|(path, _)| !targets.contains(path)) {
            let ours = file_text(path, self.tree)?;
            let state = match ours {
                None => State::Absent,
                Some(ours) if same(ours, &after.text) => State::UpToDate,
                Some(_) => State::Foreign,
            };
            files.push(File { from: path, to: path, ours, state, next: Next::Other, before: None, after: Some(after) });
        }
        reconcile(files, &mut merge, &mut draft)?;
        if !merge.refused.is_empty() {
            let refused: Vec<(&str, &str)> = merge.refused.iter().map(|path| (path.as_str(), OTHER)).collect();
            return Err(in_the_way(&refused, context));
        }
        let Merge { mut updated, .. } = merge;
        self.restore_needed(&mut updated, &mut draft);
        draft.ledger.conflicts = updated.conflicts.iter().map(|file| file.path.clone()).collect();
        updated.plan = draft.finish(project, context)?;
        Ok(updated)
    }

    /// Compares a file that `.opctl/files.yaml` lists with the newly generated text; `None` if an update never changes
    /// the file.
    fn compare_listed_file(&self, from: &'a ProjectPath, hashes: &'a BTreeSet<String>) -> Option<LedgerFile<'a>> {
        if self.generated.left.contains(from) {
            return None;
        }
        let moved = self.generated.moved.iter().find(|(earlier, _)| earlier == from).map(|(_, to)| to);
        let is_free = |to: &&ProjectPath| !self.ledger.files.contains_key(*to) && self.tree.text(to).is_none();
        let to = moved.filter(is_free).filter(|to| self.wanted.contains_key(*to)).unwrap_or(from);
        let (ours, after) = (self.tree.text(from), self.wanted.get(to));
        let state = match (ours, after) {
            (None, _) => State::Deleted,
            (Some(ours), Some(after)) if same(ours, &after.text) => State::UpToDate,
            (Some(ours), _) if hashes.contains(&hash(ours)) => State::Pristine,
            (Some(_), _) => State::Edited,
        };
        let next = match (ours, after) {
            (_, None) => Next::Nothing,
            (Some(ours), Some(after)) if state == State::Edited && !self.is_new(after, hashes, to, ours) => Next::Same,
            _ => Next::Other,
        };
        Some(LedgerFile { from, to, hashes, state, next })
    }

    /// Returns true if the generated text `after` has changes that the user's text `ours` does not have yet. `hashes`
    /// are the hashes of the generated texts that the user's text started from.
    fn is_new(&self, after: &RenderedFile, hashes: &BTreeSet<String>, path: &str, ours: &str) -> bool {
        if hashes.contains(&hash(&after.text)) {
            return false;
        }
        if let Some(stage) = after.stage(hashes) {
            return !after.adds_nothing(path, stage, ours);
        }
        // Commands on two branches have inserted into the file, and each has stored its own text.
        stored_base(hashes, self.tree).is_none_or(|base| {
            let (base, text) = after.around(path, base, &ours.replace("\r\n", "\n"));
            base != text
        })
    }

    /// Restores deleted files to which other files still refer.
    fn restore_needed(&self, updated: &mut Updated, draft: &mut Draft<'_>) {
        if updated.deleted.is_empty() {
            return;
        }
        let mut tree: BTreeMap<String, String> =
            self.wanted.keys().filter_map(|path| Some((path.to_string(), self.tree.text(path)?.to_owned()))).collect();
        for change in draft.changes.values() {
            tree.remove(change.path.as_str());
            tree.extend(change.after.clone().map(|text| (change.path.to_string(), text)));
        }
        while let Some(index) = updated.deleted.iter().position(|path| is_needed(path, &tree)) {
            let path = updated.deleted.remove(index);
            let text = &self.wanted[&path].text;
            draft.make(&path, text);
            tree.insert(path.into(), text.clone());
        }
    }
}

/// Returns the base for the three-way merge of an edited file: a text that opctl generated earlier and whose hash is
/// among `hashes`. opctl generates a file in steps, one for each edit, such as an insertion of lines. The base is the
/// text before one of the steps of `after`, or else a text that is stored in the project.
fn base<'a>(after: &'a RenderedFile, hashes: &BTreeSet<String>, tree: &'a Snapshot) -> Option<&'a str> {
    after.stage(hashes).or_else(|| stored_base(hashes, tree))
}

/// The rules of an update: contradictory changes are marked as conflicts, and edited files that opctl no longer
/// generates are left to the user.
struct Merge<'a> {
    ledger: &'a Ledger,
    tree: &'a Snapshot,
    bases: &'a Bases,
    /// The name of this opctl in conflict markers.
    name: String,
    updated: Updated,
    refused: Vec<ProjectPath>,
}

impl Merge<'_> {
    fn in_conflict(&mut self, path: &ProjectPath, lines: Vec<usize>, reason: &'static str) {
        self.updated.conflicts.push(InConflict { path: path.clone(), lines, reason });
    }
}

impl Rules for Merge<'_> {
    fn merge(&mut self, file: &File<'_>, ours: &str) -> Result<Option<Combined>> {
        let lines = |text: &str| text.replace("\r\n", "\n");
        let (path, ours) = (file.to, lines(ours));
        let Some(after) = file.after else { return Ok(None) };
        let stored = self.ledger.files.get(file.from).and_then(|hashes| base(after, hashes, self.tree));
        let base = stored.or(self.bases.get(file.from).map(String::as_str)).map(lines);
        let generated = Some(after.text.clone());
        if path.as_str() == LOCK {
            // Cargo adds the missing packages to the lock file.
            self.updated.lock_is_behind = true;
            let text = base.and_then(|base| merge_locks(Some(&base), &ours, &after.text)).unwrap_or(ours);
            return Ok(Some(Combined { text, base: generated, is_conflicted: false }));
        }
        let (MergedText { text, is_conflicted }, reason) = match base {
            Some(base) => {
                let (base, theirs) = after.around(path, &base, &ours);
                (three_way(path, &base, &ours, &theirs, &self.name), SAME_LINES)
            }
            None => (two_way(&ours, &after.text, &self.name), NO_BASE),
        };
        if is_conflicted {
            self.in_conflict(path, conflict::lines_of(path, &text), reason);
        }
        Ok(Some(Combined { text, base: generated, is_conflicted }))
    }

    fn contest(&mut self, file: &File<'_>, draft: &mut Draft<'_>) {
        match file.after {
            None => {
                draft.forget(file.from);
                self.in_conflict(file.from, Vec::new(), OBSOLETE);
            }
            Some(after) if after.spares_others => {}
            Some(_) => self.refused.push(file.to.clone()),
        }
    }

    fn keep(&mut self, file: &File<'_>, draft: &mut Draft<'_>) {
        match file.ours {
            None => self.updated.deleted.push(file.to.clone()),
            Some(ours) => {
                self.updated.lock_is_behind |= file.to.as_str() == LOCK && self.updated.solved > 0;
                draft.put(file, ours);
            }
        }
    }
}
