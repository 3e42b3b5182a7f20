//! Removes from a project the files and lines that opctl no longer generates after a deletion.
//!
//! The same opctl renders the project before and after the deletion, so that the renderings differ only in the deleted
//! parts. A file is removed if opctl renders the file only before the deletion. In other files, the lines inserted for
//! the deleted parts are removed, or the difference of the renderings is merged into the user's text.

use super::super::merge::{is_edit_applied, remove_insertion};
use super::super::{Edit, Ledger, Plan, PlanContext, Snapshot, file_text, hash};
use super::Rendering;
use super::by_hand::{is_done, left_to_the_user};
use super::decision::Next;
use super::draft::Draft;
use super::file::{Combined, File, state};
use super::records::same;
use super::rules::{Rules, reconcile};
use super::three_way::three_way;
use super::wanted::{RenderedFile, rendered_files};
use crate::edit::{insert_module, insert_use, remove_item};
use crate::error::hint;
use crate::model::{Project, ProjectPath};
use crate::{Error, Result, conflict};
use similar::{DiffOp, TextDiff};
use std::collections::{BTreeMap, BTreeSet};

/// The deletion of a part of a project, such as an API or a webhook.
#[derive(Debug)]
pub struct Deletion<'a> {
    /// Everything that opctl generates for the project before the deletion.
    pub before: Rendering,
    /// Everything that opctl generates for the project after the deletion.
    pub after: Rendering,
    /// The files of the deleted part that opctl generated only once, when the user added the part. opctl does not
    /// update these files, because their content depended on the project at that time.
    pub files: &'a [ProjectPath],
    /// Folders to clean up: if the project after the deletion has no `mod.rs` in such a folder, all generated files
    /// below the folder are removed.
    pub folders: &'a [ProjectPath],
}

impl Deletion<'_> {
    /// Returns the plan of the deletion. If `force` is true, the plan also removes edited files. If `force` is false,
    /// the error for these files suggests the command `context.force` with the flag `--force`.
    ///
    /// # Errors
    /// Fails if edited files would be removed and `force` is false, with one error for all these files. Also fails if
    /// the user has edited lines that the deletion removes from a remaining file, with a list of the lines.
    pub fn plan(
        &self,
        (ledger, tree): (&Ledger, &Snapshot),
        project: &Project,
        force: bool,
        context: &PlanContext<'_>,
    ) -> Result<Plan> {
        let (before, after) = (rendered_files(&self.before, ledger, tree)?, rendered_files(&self.after, ledger, tree)?);
        let paths = self.paths(&before, &after, ledger);
        let mut files = Vec::new();
        for path in &paths {
            let ours = file_text(path, tree)?;
            let (before, after) = (before.get(path), after.get(path));
            let next = match (before, after) {
                (_, None) => Next::Nothing,
                (Some(before), Some(after)) if before.text != after.text => Next::Other,
                _ => Next::Same,
            };
            let state = state(path, ours, before, ledger);
            files.push(File { from: path, to: path, ours, state, next, before, after });
        }
        let mut removal = Removal { ledger, force, edited: Vec::new() };
        let mut draft = Draft::new(ledger, tree);
        reconcile(files, &mut removal, &mut draft)?;
        if !removal.edited.is_empty() {
            return Err(edited_files_error(&removal.edited, context));
        }
        draft.changes.retain(|_, change| change.is_effective());
        draft.finish(project, context)
    }

    fn paths(
        &self,
        before: &BTreeMap<ProjectPath, RenderedFile>,
        after: &BTreeMap<ProjectPath, RenderedFile>,
        ledger: &Ledger,
    ) -> BTreeSet<ProjectPath> {
        let is_gone = |folder: &&ProjectPath| !after.contains_key(format!("{folder}/mod.rs").as_str());
        let folders: Vec<String> = self.folders.iter().filter(is_gone).map(|folder| format!("{folder}/")).collect();
        let below = |path: &&ProjectPath| folders.iter().any(|folder| path.starts_with(folder.as_str()));
        before.keys().chain(self.files).chain(ledger.files.keys().filter(below)).cloned().collect()
    }
}

/// Decides, for a deletion, what happens to files that the user edited. The deletion fails if the user edited lines
/// that the deletion removes from a remaining file. An edited file is removed as a whole only with `--force`.
struct Removal<'a> {
    ledger: &'a Ledger,
    force: bool,
    edited: Vec<ProjectPath>,
}

impl Rules for Removal<'_> {
    fn merge(&mut self, file: &File<'_>, ours: &str) -> Result<Option<Combined>> {
        conflict::check(file.from, ours)?;
        let (Some(before), Some(after)) = (file.before, file.after) else { return Ok(None) };
        let text = text_after_deletion(file.from, ours, before, after)?;
        let is_known = self
            .ledger
            .files
            .get(file.from)
            .is_some_and(|hashes| after.stage(hashes).is_some() || hashes.contains(&hash(&after.text)));
        Ok(Some(Combined { text, base: (!is_known).then(|| after.text.clone()), is_conflicted: false }))
    }

    fn take_out(&mut self, file: &File<'_>, ours: &str) -> Result<String> {
        file.before.map_or_else(|| Ok(ours.to_owned()), |before| remove_edit_lines(file.from, ours, &before.edits()))
    }

    fn contest(&mut self, file: &File<'_>, draft: &mut Draft<'_>) {
        if self.force { draft.remove(file.from) } else { self.edited.push(file.from.clone()) }
    }
}

/// Returns the user's text without the lines that opctl inserted for the deleted parts of the project.
fn text_after_deletion(path: &str, ours: &str, before: &RenderedFile, after: &RenderedFile) -> Result<String> {
    let kept = after.edits();
    let mut gone = before.edits();
    gone.retain(|edit| !kept.contains(edit));
    let rest = remove_edit_lines(path, ours, &gone)?;
    let base = gone.iter().fold(before.text.clone(), |text, edit| taken_out(edit, &text));
    if same(&base, &after.text) {
        return Ok(rest);
    }
    if let Some(text) =
        path.ends_with("Cargo.toml").then(|| replace_changed_blocks(&base, &after.text, &rest)).flatten()
    {
        return Ok(text);
    }
    let merged = three_way(path, &base, &rest, &after.text, "");
    match merged.is_conflicted {
        false => Ok(merged.text),
        true if is_done(&rest, &base, &after.text) => Ok(rest),
        true => Err(left_to_the_user(path, ours, &base, &after.text)),
    }
}

/// Replaces in the user's Cargo.toml `ours` each block of lines in which `new` differs from `base`. The dependencies in
/// `ours` may have another order than in `base`. Returns `None` unless `ours` has each block to replace exactly once.
fn replace_changed_blocks(base: &str, new: &str, ours: &str) -> Option<String> {
    let (old_lines, new_lines): (Vec<&str>, Vec<&str>) =
        (base.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let mut text = format!("\n{ours}");
    for operation in TextDiff::from_lines(base, new).ops() {
        if matches!(operation, DiffOp::Equal { .. }) {
            continue;
        }
        let old = format!("\n{}", old_lines[operation.old_range()].concat());
        if old.len() == 1 || text.matches(&old).count() != 1 {
            return None;
        }
        text = text.replacen(&old, &format!("\n{}", new_lines[operation.new_range()].concat()), 1);
    }
    Some(text[1..].to_owned())
}

/// Returns the text without the lines that the edits in `gone` inserted.
fn remove_edit_lines(path: &str, ours: &str, gone: &[&Edit]) -> Result<String> {
    let text = gone.iter().fold(ours.replace("\r\n", "\n"), |text, edit| taken_out(edit, &text));
    let still = gone.iter().find(|edit| {
        matches!(edit, Edit::AtMarker { .. } | Edit::Module { .. } | Edit::Use { .. })
            && is_edit_applied(edit, &text, path)
    });
    match still {
        Some(edit) => Err(left_to_the_user(path, ours, &format!("{}\n", lines(edit)), "")),
        None => Ok(text),
    }
}

fn taken_out(edit: &Edit, text: &str) -> String {
    match edit {
        Edit::Module { visibility, name } => {
            remove_item(text, &lines(edit), |rest| insert_module(rest, visibility, name))
        }
        Edit::Use { line, name } => remove_item(text, line, |rest| insert_use(rest, name, line)),
        _ => remove_insertion(edit, text),
    }
}

/// Returns the lines that an edit inserts.
fn lines(edit: &Edit) -> String {
    match edit {
        Edit::AtMarker { fragment, .. } => fragment.clone(),
        Edit::Module { visibility, name } => format!("{visibility} mod {name};").trim_start().to_owned(),
        Edit::Use { line, .. } => line.clone(),
        _ => String::new(),
    }
}

fn edited_files_error(paths: &[ProjectPath], context: &PlanContext<'_>) -> Error {
    let (first, rest) = (&paths[0], &paths[1..]);
    let error =
        Error::conflict(format!("`{first}` was edited, and would be removed")).caused_by("your edits would be lost");
    let error = rest.iter().fold(error, |error, path| error.caused_by(format!("`{path}` was edited, too")));
    let command = context.force.cloned().unwrap_or_default();
    error.hint(hint!("{command} --force    # discards your edits; `git diff` shows them", command))
}
