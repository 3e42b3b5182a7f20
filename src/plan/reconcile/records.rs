//! Adds the changes of `.opctl/files.yaml` and of `PROJECT` to the end of a plan, and reads the texts of the plan's
//! files.

use super::super::{Change, Entry, LEDGER_FILE, Ledger, Plan, Snapshot, with_line_ends_of};
use crate::error::{Hint, hint};
use crate::model::{PROJECT_FILE, Project, ProjectPath};
use crate::{Error, Result};

/// The facts about the running opctl that a plan needs: the version of opctl, for `.opctl/files.yaml` and `PROJECT`,
/// and the command line, for hints.
#[derive(Clone, Debug)]
pub struct PlanContext<'a> {
    /// The version of opctl.
    pub version: &'a str,
    /// The command to repeat with `--force` if existing files prevent the plan; `None` if `--force` does not help.
    pub force: Option<&'a Hint>,
}

/// Returns the plan with `changes`, followed by the changes of `.opctl/files.yaml` and of `PROJECT`. `known` is the
/// ledger (the content of `.opctl/files.yaml`) before the command, and `ledger` is the ledger after the command.
pub(super) fn with_records(
    mut changes: Vec<Change>,
    (known, mut ledger): (&Ledger, Ledger),
    project: &Project,
    snapshot: &Snapshot,
    context: &PlanContext<'_>,
) -> Result<Plan> {
    let effective = changes.iter().any(Change::is_effective);
    let project_text = project.to_text();
    let project_before = file_text(PROJECT_FILE, snapshot)?;
    let project_changes = project_before.is_none_or(|text| Project::parse(text).ok().as_ref() != Some(project));
    if effective || project_changes {
        context.version.clone_into(&mut ledger.opctl);
    }
    changes.sort_by(|left, right| left.path.cmp(&right.path));
    let ledger_before = file_text(LEDGER_FILE, snapshot)?;
    // A ledger whose lines are only in another order, as git left them, is not written.
    let ledger_after = ledger_before.filter(|_| ledger == *known).map_or_else(|| ledger.to_text(), str::to_owned);
    changes.push(record(LEDGER_FILE, ledger_before, ledger_after));
    let project_after = project_before.filter(|_| !project_changes).map_or(project_text, str::to_owned);
    changes.push(record(PROJECT_FILE, project_before, project_after));
    Ok(Plan { changes })
}

fn record(path: &'static str, before: Option<&str>, after: String) -> Change {
    // A checkout with other line ends is not a change, and a changed file keeps its line ends.
    let after = match before {
        Some(before) if same(before, &after) => before.to_owned(),
        Some(before) => with_line_ends_of(before, &after),
        None => after,
    };
    Change::new(ProjectPath::from(path), before.map(str::to_owned), Some(after))
}

/// Returns true if the texts are equal except for their line ends.
pub(super) fn same(left: &str, right: &str) -> bool {
    left == right || left.replace("\r\n", "\n") == right.replace("\r\n", "\n")
}

/// Returns the error for existing files that prevent the plan. `paths` holds the path and the reason for each file.
pub(super) fn in_the_way(paths: &[(&str, &str)], context: &PlanContext<'_>) -> Error {
    let ((first, reason), rest) = (paths[0], &paths[1..]);
    let error = Error::conflict(format!("`{first}` is in the way")).caused_by(reason);
    let error = rest.iter().fold(error, |error, (path, _)| error.caused_by(format!("`{path}` is also in the way")));
    match context.force {
        Some(command) => error.hint(hint!("{command} --force    # replaces the existing files", command)),
        None => error.hint(hint!("move the file away, for example: mv {first} {first}.old", first)),
    }
}

/// Returns the text of the file at `path`; `None` if the file is missing.
///
/// # Errors
/// Fails if the path leads to anything but a text file in the project.
pub fn file_text<'a>(path: &str, snapshot: &'a Snapshot) -> Result<Option<&'a str>> {
    match snapshot.entry(path) {
        Entry::Missing => Ok(None),
        Entry::Text(text) => Ok(Some(text)),
        Entry::Binary => Err(Error::user(format!("`{path}` is not a text file"))
            .caused_by("it is not UTF-8")
            .hint(hint!("iconv -t UTF-8 {path} > {path}.utf8 && mv {path}.utf8 {path}", path))),
        Entry::NotAFile => Err(Error::conflict(format!("`{path}` is in the way"))
            .caused_by("the path is a folder or a special file, but must be a regular file")
            .hint(hint!("mv {path} {path}.old", path))),
        Entry::NotAFolder(file) => Err(Error::conflict(format!("`{file}` is in the way"))
            .caused_by(format!("the path is a file, but must be a folder that contains `{path}`"))
            .hint(hint!("mv {file} {file}.old", file))),
        Entry::Outside(target) => Err(Error::user(format!("`{path}` leads out of the project"))
            .caused_by(format!("the path is, or passes through, a symlink to `{target}`"))
            .hint("replace the symlink with the file or folder that it points to")),
    }
}
