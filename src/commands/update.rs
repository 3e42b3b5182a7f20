//! The command `opctl update`: updates the project to the files that this opctl generates.

use super::command::OpctlCommand;
use super::context::{Context, show};
use super::generated::generated_files;
use super::write::{VERSION, WriteArgs, carry_out, read_ledger, report_drift};
use crate::error::hint;
use crate::exec::earlier_versions;
use crate::model::{Project, ProjectPath, RuntimeSource};
use crate::plan::reconcile::{Bases, InConflict, Update, Updated, paths};
use crate::plan::{BASES, LEDGER_FILE, Ledger, PlanContext, hash};
use crate::report::{Outcome, Report};
use crate::workspace::Workspace;
use crate::{Error, Result};
use clap::Args;
use std::collections::{BTreeMap, BTreeSet};

const EXAMPLES: &str = "Examples:
    git switch -c update && opctl update
    opctl update --dry-run --diff
    # Replace the runtime in the project by the crate on crates.io:
    opctl update --runtime registry
    # For CI, exit code 3 when an update would change the project:
    opctl update --check";

/// Update the project to the files that this opctl generates
///
/// Unmodified files are replaced, removed or created. Edited files are merged in three ways, as git merges
/// branches: the base is the text that opctl generated before, which is found in the git history by the hash in
/// .opctl/files.yaml, or in .opctl/generated. Without git, or if no commit has the base, as in a shallow clone,
/// every difference is marked: your text is never lost.
///
/// Conflicts are marked and listed, and the exit code is 3; choose between the sides and run the command again.
/// Files that you deleted stay deleted, unless another file names them. Files that opctl did not make stay as they
/// are. The files of `opctl manifests` and `opctl build-installer` are updated by these commands. Types that began
/// as a copy of another version are not updated.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct UpdateArgs {
    /// Write nothing; exit with code 3 and the diff when something would change
    #[arg(long, conflicts_with_all = ["dry_run", "diff"])]
    check: bool,
    /// Move the project to the runtime in `runtime/`, or to the crate opctl-runtime of crates.io
    #[arg(long, value_enum)]
    runtime: Option<RuntimeSource>,
    #[command(flatten)]
    write: WriteArgs,
}

impl OpctlCommand for UpdateArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        let write = if self.check { WriteArgs { dry_run: true, diff: true } } else { self.write };
        let (workspace, mut project) = write.open_project(context)?;
        let before = std::mem::replace(&mut project.cli_version, VERSION.to_owned());
        if let Some(runtime) = self.runtime {
            check_runtime(&project)?;
            project.runtime = runtime;
        }
        let ledger = require_ledger(&workspace)?;
        let generated = generated_files(&workspace, &project, &ledger)?;
        let stored = workspace.files_below(BASES);
        let paths = paths(&generated, &ledger);
        let snapshot = workspace.snapshot(paths.iter().chain(&stored))?;
        let update = Update::new(&generated, &ledger, &snapshot)?;
        let marked = update.unresolved_conflicts();
        if !marked.is_empty() {
            return Err(in_conflict(&marked));
        }
        let bases = bases(&workspace, update.missing_bases());
        let updated = update.decide(&bases, &project, &PlanContext { version: VERSION, force: None })?;
        if self.check && !updated.plan.is_empty() {
            return Err(outdated_error(&updated, context));
        }
        let mut report = carry_out("update", &workspace, &updated.plan, write)?;
        if !updated.conflicts.is_empty() && !write.dry_run {
            show(&updated.plan, context);
            return Err(in_conflict(&updated.conflicts));
        }
        report.warnings = warnings(&updated);
        if report.outcome != Outcome::Unchanged {
            report.summary = report.summary.map(|summary| format!("{summary}{}", summary_suffix(&before, &updated)));
        }
        let report = if updated.lock_is_behind { report.next("cargo update --workspace") } else { report };
        Ok(report.next("opctl manifests").next("cargo test"))
    }
}

/// Fails if a runtime is chosen for an adopted operator, which has no runtime of opctl.
fn check_runtime(project: &Project) -> Result<()> {
    if project.adopted.is_none() {
        return Ok(());
    }
    Err(Error::user("this operator was adopted, and does not use the opctl runtime")
        .caused_by(
            "`--runtime` switches a project of `opctl init` between the runtime in `runtime/` and the crate on \
             crates.io",
        )
        .hint("opctl update"))
}

/// Reads the ledger (`.opctl/files.yaml`, the hashes of generated files). Fails if the ledger is missing, because opctl
/// could not tell which files are unmodified.
fn require_ledger(workspace: &Workspace) -> Result<Ledger> {
    if workspace.has_text_file(LEDGER_FILE) {
        return read_ledger(workspace);
    }
    Err(Error::user(format!("`{LEDGER_FILE}` is missing"))
        .caused_by("this file records what opctl generated, and so which files are unmodified")
        .hint(hint!("git checkout HEAD -- {LEDGER_FILE}    # restores the last committed version", LEDGER_FILE)))
}

/// Searches the git history for earlier texts of files. `missing` contains the path of each file, with the hashes of
/// the texts to find. Returns the found texts, which are the bases of three-way merges.
fn bases(workspace: &Workspace, missing: Vec<(ProjectPath, BTreeSet<String>)>) -> Bases {
    let missing: BTreeMap<ProjectPath, BTreeSet<String>> = missing.into_iter().collect();
    let is_it = |path: &str, text: &str| missing.get(path).is_some_and(|hashes| hashes.contains(&hash(text)));
    let paths = missing.keys().map(ToString::to_string).collect();
    let found = earlier_versions(workspace.root(), &paths, &is_it);
    found.into_iter().filter_map(|(path, text)| Some((ProjectPath::parse(path).ok()?, text))).collect()
}

fn outdated_error(updated: &Updated, context: &Context) -> Error {
    let files = match updated.plan.effective().count() {
        1 => "1 file differs".to_owned(),
        several => format!("{several} files differ"),
    };
    let error = Error::conflict(format!("{files} from what opctl {VERSION} generates"));
    report_drift(&updated.plan, error, context).hint("opctl update")
}

fn in_conflict(files: &[InConflict]) -> Error {
    let what = match files {
        [only] => format!("`{}` is", only.path),
        several => format!("{} files are", several.len()),
    };
    let error = Error::conflict(format!("{what} in conflict with what opctl generates"));
    let error = files.iter().fold(error, |error, file| error.caused_by(describe_conflict(file)));
    error.hint("resolve the conflicts, then run:\nopctl update")
}

fn describe_conflict(file: &InConflict) -> String {
    let lines: Vec<String> = file.lines.iter().map(ToString::to_string).collect();
    let at = match lines.as_slice() {
        [] => String::new(),
        [only] => format!(" at line {only}"),
        several => format!(" at lines {}", several.join(", ")),
    };
    format!("`{}`{at}: {}", file.path, file.reason)
}

/// Returns warnings about the files in which `opctl update` without `--dry-run` would mark conflicts, and about deleted
/// files that are not created again.
fn warnings(updated: &Updated) -> Vec<String> {
    if updated.plan.is_empty() {
        return Vec::new();
    }
    let deleted = updated.deleted.iter().map(|path| format!("`{path}` was deleted, and is not created again"));
    updated
        .conflicts
        .iter()
        .map(|file| format!("would be in conflict: {}", describe_conflict(file)))
        .chain(deleted)
        .collect()
}

/// Returns the end of the summary, such as `: from opctl 0.1.0 to 0.2.0`.
fn summary_suffix(before: &str, updated: &Updated) -> String {
    let solved = match updated.solved {
        0 => String::new(),
        1 => "; 1 conflict is solved".to_owned(),
        several => format!("; {several} conflicts are solved"),
    };
    if before == VERSION { solved } else { format!(": from opctl {before} to {VERSION}{solved}") }
}
