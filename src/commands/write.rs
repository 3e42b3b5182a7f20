//! The steps of commands that write to a project: open the project, plan and write the changes, and report them.

use super::context::Context;
use super::generated::{built_in, generated_files};
use super::own_templates::{own_templates, with_own_files};
use crate::envtest::Places;
use crate::error::Hint;
use crate::model::{PROJECT_FILE, Project, ProjectPath};
use crate::plan::reconcile::Rendering;
use crate::plan::{
    Action, BASES, Change, LEDGER_FILE, Ledger, Operation, Plan, PlanContext, Renderings, reconcile_operations,
};
use crate::report::{Outcome, Report};
use crate::workspace::{Sealer, Workspace, discover};
use crate::{Error, Result};
use clap::Args;
use std::path::Path;

/// The version of opctl, which is recorded in `PROJECT` and in the ledger (`.opctl/files.yaml`, the hashes of generated
/// files).
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Options of every command that writes to a project.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(super) struct WriteArgs {
    /// Show what would be done, and do nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Show the changes as a unified diff on stdout
    #[arg(long)]
    pub(super) diff: bool,
}

impl WriteArgs {
    /// Opens the project's folder, for writing unless `--dry-run` is given.
    pub(super) fn open(self, root: &Path, context: &Context) -> Result<Workspace> {
        if self.dry_run {
            Workspace::open(root, &context.console)
        } else {
            Workspace::open_for_writing(root, Sealer::new(Places::of_opctl()), &context.console)
        }
    }

    /// Opens the project that contains the command's working directory, and reads its `PROJECT`.
    pub(super) fn open_project(self, context: &Context) -> Result<(Workspace, Project)> {
        let workspace = self.open(&discover(&context.directory)?, context)?;
        let project = read_project(&workspace)?;
        Ok((workspace, project))
    }
}

/// Reads `PROJECT`.
pub(super) fn read_project(workspace: &Workspace) -> Result<Project> {
    match workspace.text(PROJECT_FILE)? {
        Some(text) => parse_project(&text),
        // It was removed just now.
        None => discover(workspace.root()).and_then(|_| Project::parse("")),
    }
}

/// Parses the text of `PROJECT`. Fails if a newer opctl wrote the text.
pub(super) fn parse_project(text: &str) -> Result<Project> {
    let project = Project::parse(text)?;
    project.check_opctl(VERSION)?;
    Ok(project)
}

/// Reads the ledger (`.opctl/files.yaml`, the hashes of the files that opctl generated).
pub(super) fn read_ledger(workspace: &Workspace) -> Result<Ledger> {
    let snapshot = workspace.snapshot([LEDGER_FILE])?;
    snapshot.text(LEDGER_FILE).map_or_else(|| Ok(Ledger::default()), Ledger::parse)
}

/// Returns the plan that applies `operations` to the current files. `project` is the project after the operations.
/// `force` is the command to repeat with `--force` if existing files prevent the plan; `None` if `--force` does not
/// help.
pub(super) fn plan(
    workspace: &Workspace,
    operations: &[Operation],
    project: &Project,
    force: Option<&Hint>,
) -> Result<Plan> {
    plan_since(None, workspace, operations, project, force)
}

/// Plans the operations like [`plan`], but uses `before` as the old project instead of the project stored in `PROJECT`.
/// Lines that opctl generates for `project` but not for `before` are added even to an edited file, and even if the user
/// has removed these lines.
pub(super) fn plan_since(
    before: Option<&Project>,
    workspace: &Workspace,
    operations: &[Operation],
    project: &Project,
    force: Option<&Hint>,
) -> Result<Plan> {
    let templates = own_templates(workspace)?;
    let with_own: Vec<Operation>;
    let operations = if templates.is_empty() {
        operations
    } else {
        let stored = workspace.text(PROJECT_FILE)?.and_then(|text| Project::parse(&text).ok());
        let ledger = read_ledger(workspace)?;
        let built_in = |project: &Project| built_in(workspace, project, &ledger);
        with_own = with_own_files(&templates, operations, (before.or(stored.as_ref()), project), built_in)?;
        &with_own
    };
    let own = [LEDGER_FILE, PROJECT_FILE].map(ProjectPath::from).into_iter().chain(workspace.files_below(BASES));
    let snapshot = workspace.snapshot(operations.iter().map(|operation| operation.path.clone()).chain(own))?;
    let known = || snapshot.text(PROJECT_FILE).and_then(|text| Project::parse(text).ok());
    let before = |ledger: &Ledger| match before.cloned().or_else(known) {
        Some(project) => generated_files(workspace, &project, ledger),
        None => Ok(Rendering::default()),
    };
    let after = |ledger: &Ledger| generated_files(workspace, project, ledger);
    let renderings = Renderings { before: &before, after: &after };
    reconcile_operations(operations, project, &snapshot, renderings, &PlanContext { version: VERSION, force })
}

/// Writes the changes of the plan, unless `--dry-run` is given or nothing changes, and returns the report.
pub(super) fn carry_out(command: &str, workspace: &Workspace, plan: &Plan, args: WriteArgs) -> Result<Report> {
    let outcome = match (plan.is_empty(), args.dry_run) {
        (true, _) => Outcome::Unchanged,
        (false, true) => Outcome::DryRun,
        (false, false) => Outcome::Changed,
    };
    if outcome == Outcome::Changed {
        workspace.commit(plan)?;
    }
    let mut report = Report::new(command, outcome).summary(summary(command, plan));
    report.changes = plan.lines(args.diff);
    Ok(report)
}

/// Prints the diffs of a plan that should have no changes, and adds the names of the changed files to `error`.
pub(super) fn report_drift(plan: &Plan, error: Error, context: &Context) -> Error {
    if !context.console.json() {
        let diffs: Vec<String> = plan.effective().map(Change::diff).collect();
        context.console.document(&diffs.concat());
    }
    plan.effective().fold(error, |error, change| {
        let would = match change.action {
            Action::Create => "would be added",
            Action::Remove => "would be removed",
            _ => "would change",
        };
        error.caused_by(format!("`{}` {would}", change.path))
    })
}

/// Returns a summary such as `12 files created, 3 changed`.
fn summary(command: &str, plan: &Plan) -> String {
    let count = |actions: &[Action]| plan.effective().filter(|change| actions.contains(&change.action)).count();
    let parts = [
        (count(&[Action::Create]), "created"),
        (count(&[Action::Update, Action::Insert, Action::Conflict]), "changed"),
        (count(&[Action::Remove]), "removed"),
    ];
    let mut texts: Vec<String> = Vec::new();
    for (number, what) in parts.into_iter().filter(|(number, _)| *number > 0) {
        let noun = match (texts.is_empty(), number) {
            (false, _) => "",
            (true, 1) => "file ",
            (true, _) => "files ",
        };
        texts.push(format!("{number} {noun}{what}"));
    }
    if texts.is_empty() { format!("nothing to do: {}", reason_for_nothing(command)) } else { texts.join(", ") }
}

/// Returns the reason why a command that writes had nothing to do.
fn reason_for_nothing(command: &str) -> &'static str {
    match command {
        "manifests" => "the manifests match the types and markers",
        "docs" => "the API reference is up to date",
        "build-installer" => "`dist/` is what `config/default` renders",
        "edit" => "the project already has these settings",
        "update" => concat!("the project is what opctl ", env!("CARGO_PKG_VERSION"), " generates"),
        delete if delete.starts_with("delete ") => "the project does not contain what the command would delete",
        _ => "the project has everything that the command would add",
    }
}
