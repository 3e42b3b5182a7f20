//! Plans the changes of the files that a command's operations create, edit or remove.

use super::super::edited::apply_edit;
use super::super::{Action, Change, Edit, Existing, LEDGER_FILE, Ledger, Operation, Plan, Snapshot, Step};
use super::Rendering;
use super::decision::{Decision, Next, State, decide};
use super::draft::Draft;
use super::records::{PlanContext, file_text, in_the_way, same};
use super::wanted::rendered_files;
use crate::model::{Project, ProjectPath};
use crate::{Result, conflict};
use std::collections::BTreeSet;

/// Two functions that return everything that opctl generates for a project: one for the project before a command, one
/// for the project after the command. Both functions take the ledger (`.opctl/files.yaml`), and are called only if an
/// edited file, or a deleted file that the command creates again, needs the result.
#[derive(Clone, Copy)]
pub struct Renderings<'a> {
    /// Renders the project before the command. If an edited file lacks an insertion of this rendering, the user has
    /// changed or removed the insertion.
    pub before: &'a dyn Fn(&Ledger) -> Result<Rendering>,
    /// Renders the project after the command. The rendered texts are the bases of later merges into edited files.
    pub after: &'a dyn Fn(&Ledger) -> Result<Rendering>,
}

/// Plans the change of every file that `operations` name. `project` is the wanted content of `PROJECT`.
///
/// # Errors
/// Fails if existing files prevent the operations, with one error for all files; if the marker of an edit is
/// missing, with the lines to paste; or if a path leads out of the project.
pub fn reconcile_operations(
    operations: &[Operation],
    project: &Project,
    tree: &Snapshot,
    renderings: Renderings<'_>,
    context: &PlanContext<'_>,
) -> Result<Plan> {
    let known = tree.text(LEDGER_FILE).map_or_else(|| Ok(Ledger::default()), Ledger::parse)?;
    let mut draft = Draft::new(&known, tree);
    let mut before: Option<Rendering> = None;
    let mut contested: Vec<(&str, &str)> = Vec::new();
    let mut with_new_lines: BTreeSet<&ProjectPath> = BTreeSet::new();
    for operation in operations {
        let Operation { path, step } = operation;
        if may_write_into(step) {
            conflict::check(path, file_text(path, tree)?.unwrap_or_default())?;
        }
        let text = draft.open(path)?;
        let is_pristine = text.as_deref().is_none_or(|text| {
            draft.ledger.is_pristine(path, text) || draft.ledger.is_merged(path) && keeps_all_of(step, text)
        });
        let Step::Edit(edit) = step else {
            contested.extend(
                plan_whole_file(step, path, text.as_deref(), is_pristine, &mut draft)
                    .map(|reason| (path.as_str(), reason)),
            );
            continue;
        };
        if text.is_none() && takes_out(edit) {
            continue;
        }
        let new = apply_edit(edit, text.as_deref(), path)?;
        let is_effective = text.as_ref() != Some(&new);
        if is_effective && !is_pristine && is_insertion(edit) {
            let before = match &mut before {
                Some(before) => before,
                missing => missing.insert((renderings.before)(&known)?),
            };
            if before.operations().any(|made| made == operation) {
                continue;
            }
        }
        if is_effective {
            draft.edit(path, new.clone(), if takes_out(edit) { Action::Update } else { Action::Insert });
        }
        // An edit of a file that the user changed does not make it pristine again.
        if is_pristine {
            draft.record_text(path, &new);
        } else if known.files.contains_key(path) {
            with_new_lines.insert(path);
        }
    }
    if !contested.is_empty() {
        return Err(in_the_way(&contested, context));
    }
    let is_changed = |path: &&ProjectPath| draft.changes.get(*path).is_some_and(Change::is_effective);
    with_new_lines.retain(is_changed);
    let restored: BTreeSet<&ProjectPath> = operations
        .iter()
        .filter(|operation| matches!(operation.step, Step::Create { .. } | Step::Edit(_)))
        .map(|operation| &operation.path)
        .filter(|path| known.files.contains_key(*path) && tree.text(path).is_none())
        .filter(is_changed)
        .collect();
    if !with_new_lines.is_empty() || !restored.is_empty() {
        let wanted = rendered_files(&(renderings.after)(&draft.ledger)?, &draft.ledger, &draft.tree_after())?;
        for (path, wanted) in with_new_lines.into_iter().filter_map(|path| Some((path, wanted.get(path)?))) {
            draft.rebase(path, wanted.text.clone());
        }
        // A file that the user deleted and that the command makes again also has the lines of earlier commands.
        for (path, wanted) in restored.into_iter().filter_map(|path| Some((path, wanted.get(path)?))) {
            let mut own = operations.iter().filter(|operation| operation.path == *path);
            let text = own.try_fold(wanted.text.clone(), |text, operation| match &operation.step {
                Step::Edit(edit) => apply_edit(edit, Some(&text), path),
                _ => Ok(text),
            })?;
            draft.make(path, &text);
        }
    }
    draft.finish(project, context)
}

/// Plans a step that creates, replaces or removes a file as a whole, unlike an edit. If an existing file prevents the
/// step, returns the reason.
fn plan_whole_file(
    step: &Step,
    path: &ProjectPath,
    text: Option<&str>,
    is_pristine: bool,
    draft: &mut Draft<'_>,
) -> Option<&'static str> {
    let (content, next) = match step {
        Step::Create { content, .. } | Step::Generate { content, .. } => (content.as_str(), Next::Other),
        Step::Record(content) => {
            draft.write(path, content);
            return None;
        }
        Step::Remove { .. } | Step::Edit(_) => ("", Next::Nothing),
    };
    // A file that was created is the user's from then on.
    let is_owned = matches!(
        step,
        Step::Generate { .. } | Step::Remove { .. } | Step::Create { existing: Existing::KeepEdits, .. }
    );
    let state = match text {
        None => State::Absent,
        Some(text) if next == Next::Other && same(text, content) => State::UpToDate,
        Some(_) if is_owned && is_pristine => State::Pristine,
        Some(_) if next == Next::Nothing => State::Edited,
        Some(_) => State::Foreign,
    };
    match (decide(state, next), step) {
        // Later commands may have inserted lines that the user has taken out since: the file is not as opctl generated it.
        (Decision::Record, Step::Create { .. }) if draft.ledger.files.contains_key(path) => {}
        (Decision::Record, _) => draft.record_text(path, content),
        (Decision::Create | Decision::Replace, _)
        | (_, Step::Create { existing: Existing::Overwrite, .. } | Step::Generate { force: true, .. }) => {
            draft.write(path, content);
            draft.record_text(path, content);
        }
        (Decision::Remove, _) | (_, Step::Remove { force: true }) => draft.remove(path),
        (Decision::Forget, _) => draft.forget(path),
        (Decision::Contest, Step::Create { existing, .. }) => match existing {
            Existing::Conflict => return Some(OTHER),
            Existing::Skip | Existing::KeepEdits => draft.report(path, Action::Skip),
            Existing::Keep | Existing::Overwrite => {}
        },
        (Decision::Contest, _) => return Some(EDITED),
        (Decision::Keep | Decision::Merge | Decision::TakeOut, _) => {}
    }
    None
}

/// Returns true if the edit inserts lines that opctl can later recognise in the file.
fn is_insertion(edit: &Edit) -> bool {
    matches!(edit, Edit::AtMarker { .. } | Edit::Module { .. } | Edit::Use { .. } | Edit::Dependency { .. })
}

/// Returns true if the step can change an existing file without `--force`.
fn may_write_into(step: &Step) -> bool {
    match step {
        Step::Edit(_) => true,
        Step::Record(_) => false,
        Step::Generate { force, .. } | Step::Remove { force } => !force,
        Step::Create { existing, .. } => matches!(existing, Existing::Conflict | Existing::KeepEdits),
    }
}

/// Returns true if the step generates all lines of `text`, in the same order. Replacing the file then loses no line,
/// even if `.opctl/files.yaml` lacks the hash of `text`, as after a git merge of the generated files of two branches.
fn keeps_all_of(step: &Step, text: &str) -> bool {
    let Step::Generate { content, .. } = step else { return false };
    let mut lines = content.lines();
    text.lines().all(|line| lines.any(|own| own == line.trim_end_matches('\r')))
}

/// Returns true for an edit that only removes a line or an entry. If the file is missing, such an edit has nothing to
/// do.
fn takes_out(edit: &Edit) -> bool {
    matches!(edit, Edit::RemoveLine(_) | Edit::RemoveEntry { .. })
}

/// The reason why an existing file prevents a step: the file has other content.
pub(super) const OTHER: &str = "a file with different content already exists";
const EDITED: &str = "it was written by hand, or edited since opctl wrote it";
