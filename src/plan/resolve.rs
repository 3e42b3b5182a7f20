//! Makes a plan of operations and a snapshot.

use super::bases::rebase;
use super::edited::{edited, with_line_ends_of};
use super::update::{Generated, wanted};
use super::{Action, Change, Edit, Entry, Existing, LEDGER_FILE, Ledger, Operation, Plan, Snapshot, Step};
use crate::error::{Hint, hint};
use crate::model::{PROJECT_FILE, Project, ProjectPath};
use crate::{Error, Result, conflict};
use std::collections::BTreeSet;

/// The opctl that makes the plan: its version, for the ledger and `PROJECT`, and its command, for hints.
#[derive(Clone, Debug)]
pub struct PlanContext<'a> {
    /// The version of opctl.
    pub version: &'a str,
    /// The command to repeat with `--force` when files are in the way; `None` where force does not help.
    pub force: Option<&'a Hint>,
}

/// Everything that opctl generates for a project before and after a command, given a ledger. Rendered only if an edited
/// file needs it.
#[derive(Clone, Copy)]
pub struct Renderings<'a> {
    /// An insertion that is in this rendering was made before: if an edited file lacks it, the user has changed or removed
    /// it.
    pub before: &'a dyn Fn(&Ledger) -> Result<Generated>,
    /// The texts of this rendering are the bases of later merges into edited files.
    pub after: &'a dyn Fn(&Ledger) -> Result<Generated>,
}

/// Decides what happens to every file that `operations` name. `project` is the wanted content of `PROJECT`.
///
/// # Errors
/// Fails if files are in the way, with all of them in one error; if the marker of an edit is missing, with the lines to
/// paste; or if a path leaves the project.
pub fn resolve(
    operations: &[Operation],
    project: &Project,
    snapshot: &Snapshot,
    renderings: Renderings<'_>,
    context: &PlanContext<'_>,
) -> Result<Plan> {
    let known = match snapshot.text(LEDGER_FILE) {
        Some(text) => Ledger::parse(text)?,
        None => Ledger::default(),
    };
    let mut ledger = known.clone();
    let mut before: Option<Generated> = None;
    let mut changes: Vec<Change> = Vec::new();
    let mut in_the_way: Vec<(&str, &str)> = Vec::new();
    let mut with_new_lines: BTreeSet<&ProjectPath> = BTreeSet::new();
    for operation in operations {
        let path = &operation.path;
        let index = match changes.iter().position(|change| change.path == *path) {
            Some(index) => index,
            None => {
                let before = readable(path, snapshot)?;
                let action = Action::Unchanged;
                changes.push(Change { path: path.clone(), action, after: before.clone(), before });
                changes.len() - 1
            }
        };
        let change = &mut changes[index];
        if may_write_into(&operation.step) {
            conflict::check(path, change.before.as_deref().unwrap_or_default())?;
        }
        let pristine = change.after.as_deref().is_none_or(|text| {
            ledger.is_pristine(path, text) || ledger.is_merged(path) && keeps_all_of(&operation.step, text)
        });
        if let (Step::Edit(edit), false, Some(text)) = (&operation.step, pristine, &change.after)
            && is_insertion(edit)
            && edited(edit, Some(text), path).is_ok_and(|edited| edited != *text)
        {
            let before = match &mut before {
                Some(before) => before,
                missing => missing.insert((renderings.before)(&known)?),
            };
            if before.operations().any(|made| made == operation) {
                continue;
            }
        }
        match apply(&operation.step, change, pristine)? {
            Applied::InTheWay(reason) => in_the_way.push((path, reason)),
            Applied::Removed => {
                ledger.files.remove(path.as_str());
            }
            // An edit of a file that the user changed does not make it pristine again.
            Applied::Edited if !pristine => {
                with_new_lines.extend(ledger.files.contains_key(path.as_str()).then_some(path));
            }
            Applied::Kept => {}
            Applied::Edited | Applied::Written => {
                if let Some(text) = &change.after
                    && (change.is_effective() || !ledger.is_pristine(path, text))
                {
                    ledger.record(path, text);
                }
            }
        }
    }
    if !in_the_way.is_empty() {
        return Err(conflict(&in_the_way, context));
    }
    with_new_lines.retain(|path| changes.iter().any(|change| change.path == **path && change.is_effective()));
    if !with_new_lines.is_empty() {
        let mut after = snapshot.clone();
        for change in &changes {
            after.insert(change.path.clone(), change.after.clone().map_or(Entry::Missing, Entry::Text));
        }
        let wanted = wanted(&(renderings.after)(&ledger)?, &ledger, &after)?;
        for (path, wanted) in with_new_lines.into_iter().filter_map(|path| Some((path, wanted.get(path)?))) {
            changes.extend(rebase(path, &wanted.text, &mut ledger, snapshot)?);
        }
    }
    with_records(changes, (&known, ledger), project, snapshot, context)
}

/// Returns the plan of these changes, followed by the changes of the ledger, which is given as it was and as it is to
/// be, and of `PROJECT`.
pub(super) fn with_records(
    mut changes: Vec<Change>,
    (known, mut ledger): (&Ledger, Ledger),
    project: &Project,
    snapshot: &Snapshot,
    context: &PlanContext<'_>,
) -> Result<Plan> {
    let effective = changes.iter().any(Change::is_effective);
    let project_text = project.to_text();
    let project_before = readable(PROJECT_FILE, snapshot)?;
    let project_changes =
        project_before.as_deref().is_none_or(|text| Project::parse(text).ok().as_ref() != Some(project));
    if effective || project_changes {
        context.version.clone_into(&mut ledger.opctl);
    }
    changes.sort_by(|left, right| left.path.cmp(&right.path));
    let ledger_before = readable(LEDGER_FILE, snapshot)?;
    // A ledger whose lines are only in another order, as git left them, is not written.
    let ledger_after = ledger_before.clone().filter(|_| ledger == *known).unwrap_or_else(|| ledger.to_text());
    changes.push(generated(LEDGER_FILE, ledger_before, ledger_after));
    let project_after = if project_changes { project_text } else { project_before.clone().unwrap_or(project_text) };
    changes.push(generated(PROJECT_FILE, project_before, project_after));
    Ok(Plan { changes })
}

/// Returns true for an edit that inserts lines which `opctl` can find again.
fn is_insertion(edit: &Edit) -> bool {
    matches!(edit, Edit::AtMarker { .. } | Edit::Module { .. } | Edit::Use { .. } | Edit::Dependency { .. })
}

/// Returns true if the step can change an existing file without the user's order to replace it.
fn may_write_into(step: &Step) -> bool {
    match step {
        Step::Edit(_) => true,
        Step::Record(_) => false,
        Step::Generate { force, .. } | Step::Remove { force } => !force,
        Step::Create { existing, .. } => matches!(existing, Existing::Conflict | Existing::KeepEdits),
    }
}

/// Returns true if the text that the step generates has all lines of `text`, in their order. Git may have merged the
/// files that opctl generated on two branches into one whose hash neither branch knows; nothing of that file is lost
/// then.
fn keeps_all_of(step: &Step, text: &str) -> bool {
    let Step::Generate { content, .. } = step else { return false };
    let mut lines = content.lines();
    text.lines().all(|line| lines.any(|own| own == line.trim_end_matches('\r')))
}

fn generated(path: &'static str, before: Option<String>, after: String) -> Change {
    let action = match &before {
        None => Action::Create,
        Some(before) if same(before, &after) => Action::Unchanged,
        Some(_) => Action::Update,
    };
    // A checkout with other line ends is not a change, and a changed file keeps its line ends.
    let after = match &before {
        Some(before) if action == Action::Unchanged => before.clone(),
        Some(before) => with_line_ends_of(before, &after),
        None => after,
    };
    let after = Some(after);
    Change { path: ProjectPath::from(path), action, before, after }
}

enum Applied {
    Written,
    Edited,
    Kept,
    Removed,
    /// The file is in the way, for this reason.
    InTheWay(&'static str),
}

pub(super) const OTHER: &str = "a file of other content is there already";
const EDITED: &str = "it was written by hand, or edited since opctl wrote it";

fn apply(step: &Step, change: &mut Change, pristine: bool) -> Result<Applied> {
    match step {
        Step::Create { content, existing } => match &change.after {
            None => Ok(write(change, content)),
            Some(text) if same(text, content) => Ok(Applied::Written),
            Some(_) => match existing {
                Existing::Keep => Ok(Applied::Kept),
                Existing::KeepEdits if pristine => Ok(write(change, content)),
                Existing::Skip | Existing::KeepEdits => {
                    change.action = Action::Skip;
                    Ok(Applied::Kept)
                }
                Existing::Conflict => Ok(Applied::InTheWay(OTHER)),
                Existing::Overwrite => Ok(write(change, content)),
            },
        },
        Step::Generate { content, force } => match &change.after {
            Some(text) if same(text, content) => Ok(Applied::Written),
            Some(_) if !pristine && !force => Ok(Applied::InTheWay(EDITED)),
            _ => Ok(write(change, content)),
        },
        Step::Record(content) => {
            if !change.after.as_deref().is_some_and(|text| same(text, content)) {
                write(change, content);
            }
            Ok(Applied::Kept)
        }
        Step::Remove { force } if !pristine && !force => Ok(Applied::InTheWay(EDITED)),
        Step::Remove { .. } => {
            change.action = if change.before.is_some() { Action::Remove } else { Action::Unchanged };
            change.after = None;
            Ok(Applied::Removed)
        }
        Step::Edit(Edit::RemoveLine(_) | Edit::RemoveEntry { .. }) if change.after.is_none() => Ok(Applied::Kept),
        Step::Edit(edit) => {
            let text = change.after.as_deref();
            let new = edited(edit, text, &change.path)?;
            if text != Some(new.as_str()) {
                if change.before.is_none() {
                    change.action = Action::Create;
                } else if change.action != Action::Update {
                    let takes_out = matches!(edit, Edit::RemoveLine(_) | Edit::RemoveEntry { .. });
                    change.action = if takes_out { Action::Update } else { Action::Insert };
                }
                // An earlier step may have written the file without the lines that the edit inserts.
                if change.before.as_ref() == Some(&new) {
                    change.action = Action::Unchanged;
                }
                change.after = Some(new);
            }
            Ok(Applied::Edited)
        }
    }
}

fn write(change: &mut Change, content: &str) -> Applied {
    change.action = if change.before.is_some() { Action::Update } else { Action::Create };
    change.after = Some(content.to_owned());
    Applied::Written
}

pub(super) fn same(left: &str, right: &str) -> bool {
    left == right || left.replace("\r\n", "\n") == right.replace("\r\n", "\n")
}

pub(super) fn conflict(paths: &[(&str, &str)], context: &PlanContext<'_>) -> Error {
    let ((first, reason), rest) = (paths[0], &paths[1..]);
    let error = Error::conflict(format!("`{first}` is in the way")).caused_by(reason);
    let error = rest.iter().fold(error, |error, (path, _)| error.caused_by(format!("`{path}` is in the way too")));
    match context.force {
        Some(command) => error.hint(hint!("{command} --force    # replaces what is there", command)),
        None => error.hint(hint!("move it away, for example: mv {first} {first}.old", first)),
    }
}

/// Returns the text at `path`; `None` if nothing is there.
///
/// # Errors
/// Fails if there is anything but a text file in the project.
pub fn readable(path: &str, snapshot: &Snapshot) -> Result<Option<String>> {
    match snapshot.entry(path) {
        Entry::Missing => Ok(None),
        Entry::Text(text) => Ok(Some(text.clone())),
        Entry::Binary => Err(Error::user(format!("`{path}` is not a text file"))
            .caused_by("it is not UTF-8")
            .hint(hint!("iconv -t UTF-8 {path} > {path}.utf8 && mv {path}.utf8 {path}", path))),
        Entry::NotAFile => Err(Error::conflict(format!("`{path}` is in the way"))
            .caused_by("a folder or a special file is there, where a file is to be")
            .hint(hint!("mv {path} {path}.old", path))),
        Entry::NotAFolder(file) => Err(Error::conflict(format!("`{file}` is in the way"))
            .caused_by(format!("it is a file, and `{path}` needs a folder there"))
            .hint(hint!("mv {file} {file}.old", file))),
        Entry::Outside(target) => Err(Error::user(format!("`{path}` leads out of the project"))
            .caused_by(format!("it is, or passes through, a symlink to `{target}`"))
            .hint("replace the symlink by what it points to")),
    }
}
