//! Runs `opctl manifests`.

use super::args::ManifestsArgs;
use super::operations::operations;
use super::{against, header, json_schema, kinds, oldest};
use crate::commands::command::OpctlCommand;
use crate::commands::context::Context;
use crate::commands::verify::verify;
use crate::commands::write::{WriteArgs, carry_out, plan, read_ledger, report_drift};
use crate::manifest::{DEFINITIONS, Manifests, Options, generate};
use crate::model::Project;
use crate::plan::LEDGER_FILE;
use crate::report::Report;
use crate::{Error, Result};

impl OpctlCommand for ManifestsArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        run(self, context)
    }
}

pub(super) fn run(args: &ManifestsArgs, context: &Context) -> Result<Report> {
    let write = if args.check { WriteArgs { dry_run: true, diff: true } } else { args.write };
    let (workspace, mut project) = write.open_project(context)?;
    project.max_description_length = args.max_description_length.or(project.max_description_length);
    header::choose(&mut project, args.header_file.as_deref(), args.header_year.as_deref())?;
    let schemas_before = project.json_schema.clone();
    json_schema::choose(&mut project, args.json_schema.as_deref())?;
    let against = args.against.older(&workspace, context)?;
    let oldest = oldest::compare(args.kubernetes.as_deref(), &workspace, write.dry_run)?;
    let options = Options { against, oldest, ..Options::of(&project, header::read(&project, &workspace)?) };
    let manifests = generate(workspace.root(), &options, &context.console)?;
    kinds::all_have_types(&project, &manifests.types)?;
    let (manifests, verified) = if args.verify {
        verify(manifests, context).map(|(manifests, summary)| (manifests, Some(summary)))?
    } else {
        (manifests, None)
    };
    // A check also shows changes of files that were edited by hand.
    let force = args.force || args.check;
    let mut operations = operations(&manifests, &workspace, &project, force)?;
    let (ledger, before) = (read_ledger(&workspace)?, schemas_before.as_deref());
    operations.extend(json_schema::operations(&manifests.definitions, &project, before, &ledger, force)?);
    let plan = plan(&workspace, &operations, &project, Some(&"opctl manifests".into()))?;
    // After a git merge, the files may be current although the ledger does not know their hashes.
    let stale = plan.effective().any(|change| change.path != LEDGER_FILE);
    let broken = against::refusal(&manifests, &options);
    if args.check && stale {
        let error = report_drift(&plan, Error::conflict("the manifests are stale"), context);
        let error = broken.iter().fold(error, |error, broken| error.caused_by(broken.message()));
        return Err(error.hint("opctl manifests").with_findings(manifests.findings));
    }
    if let Some(error) = broken {
        return Err(error.with_findings(manifests.findings));
    }
    let mut report = carry_out("manifests", &workspace, &plan, write)?;
    report.findings.clone_from(&manifests.findings);
    report.summary = report.summary.into_iter().chain(verified).reduce(|one, other| format!("{one}; {other}"));
    Ok(next(report, &manifests, &project))
}

fn next(report: Report, manifests: &Manifests, project: &Project) -> Report {
    if project.resources.is_empty() && manifests.files.keys().all(|path| !path.starts_with(DEFINITIONS)) {
        return report.next("opctl create api --kind WebServer");
    }
    if manifests.definitions.is_empty() {
        return report.next("opctl run"); // of kinds that others define
    }
    let report = report.next("opctl install").next("kubectl apply -k config/samples/");
    match project.adopted.as_ref().map(|adopted| &adopted.operator) {
        // The cluster reaches the webhooks of an operator on this machine by `opctl run` alone.
        None if project.has_webhooks() => report.next("opctl run"),
        None => report.next("cargo run"),
        // In a workspace with several programs, `cargo run` asks which one.
        Some(Some(_)) => report.next("opctl run"),
        Some(None) => report,
    }
}
