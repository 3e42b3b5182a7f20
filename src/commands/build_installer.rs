//! Implements `opctl build-installer`, which writes `config/default` as one file, and a Helm chart with `--chart`.

use super::command::OpctlCommand;
use super::context::Context;
use super::install::TargetArgs;
use super::manifests::{CurrentArgs, with_current_manifests};
use super::remote::RemoteArgs;
use super::write::{WriteArgs, carry_out, plan};
use crate::cluster::{Target, rendered_objects};
use crate::error::{Hint, hint};
use crate::model::ProjectPath;
use crate::plan::{LEDGER_FILE, Ledger, Operation};
use crate::report::Report;
use crate::workspace::Workspace;
use crate::{Result, packaging};
use clap::Args;

const EXAMPLES: &str = "\
Examples:
    opctl build-installer --image registry.example.com/webserver-operator:0.1.0
    opctl build-installer --chart \\
        --image registry.example.com/webserver-operator:0.1.0";

const TEMPLATES: &str = "dist/chart/templates/";

/// Write config/default as one file, and a Helm chart if asked
///
/// The file is dist/install.yaml, and the chart is in dist/chart.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BuildInstallerArgs {
    /// The operator's image [default: the one set by `opctl edit --image`]
    #[arg(long, value_name = "REF")]
    image: Option<String>,
    /// Write a Helm chart into dist/chart
    #[arg(long)]
    chart: bool,
    /// Replace files that were edited by hand: the edits are lost
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    remote: RemoteArgs,
    #[command(flatten)]
    current: CurrentArgs,
    #[command(flatten)]
    write: WriteArgs,
}

impl BuildInstallerArgs {
    /// Returns the command as it was typed, without the flags that only control how files are written.
    fn line(&self) -> Hint {
        let image = self.image.as_ref().map(|image| hint!(" --image {image}", image)).unwrap_or_default();
        hint!(
            "build-installer{image}{remote}{chart}",
            image,
            remote = self.remote.flag(),
            chart = Hint::from(if self.chart { " --chart" } else { "" })
        )
    }
}

impl OpctlCommand for BuildInstallerArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        let target = TargetArgs::default().target(context);
        with_current_manifests(self.current, &target, &self.line(), context, || build(self, &target, context))
    }
}

fn build(args: &BuildInstallerArgs, target: &Target, context: &Context) -> Result<Report> {
    let (workspace, project) = args.write.open_project(context)?;
    let objects =
        rendered_objects(workspace.root(), args.image.as_deref(), "build-installer", target, args.remote.remote())?;
    let mut operations = vec![packaging::installer(&objects, args.force)];
    let mut release = None;
    if args.chart {
        let chart = packaging::chart(&project, &objects, args.force)?;
        operations.extend(chart.operations);
        operations.extend(stale_files(TEMPLATES, &workspace, &operations, args.force)?);
        release = Some(chart.release);
    }
    let plan = plan(&workspace, &operations, &project, Some(&target.opctl(args.line())))?;
    let report = carry_out("build-installer", &workspace, &plan, args.write)?;
    let report = report.next("kubectl apply --server-side -f dist/install.yaml");
    let Some(release) = release else { return Ok(report) };
    let namespace = format!("{}-system", project.name);
    Ok(report.next(hint!(
        "helm install {release} dist/chart --namespace {namespace} --create-namespace",
        release,
        namespace
    )))
}

/// Returns operations that remove the stale files below `folder`: the files that an earlier opctl command wrote and
/// that are not among the files of `operations`.
pub(super) fn stale_files(
    folder: &str,
    workspace: &Workspace,
    operations: &[Operation],
    force: bool,
) -> Result<Vec<Operation>> {
    let Some(text) = workspace.text(LEDGER_FILE)? else { return Ok(Vec::new()) };
    let known = Ledger::parse(&text)?.files.into_keys();
    let is_stale =
        |path: &ProjectPath| path.starts_with(folder) && !operations.iter().any(|operation| operation.path == *path);
    Ok(known.filter(is_stale).map(|path| Operation::remove(path, force)).collect())
}
