//! `opctl explore`.

mod foreign;
mod page;
pub(super) mod remembered;
pub(super) mod seen;
mod stage;

pub use remembered::remembered_plans;

use super::command::{HelpGroup, OpctlCommand, Reports, Uses};
use super::context::Context;
use super::operator_program::adopted;
use super::steps::{self, SimulationArgs};
use super::write::WriteArgs;
use crate::cluster::{Target, run_until_interrupted};
use crate::envtest::ControlPlane;
use crate::error::{Category, hint};
use crate::exec::interrupts;
use crate::explore::{self, Options, Plan, Summary, render};
use crate::report::{Outcome, Report};
use crate::workspace::discover;
use crate::{Error, Result, duration};
use clap::{Args, FromArgMatches};
use foreign::Folders;
use page::Page;
use stage::{Kinds, Subject};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
    opctl explore
    opctl explore --all               # every point, however long it takes
    opctl explore --only crash,lag    # two classes of faults
    opctl explore --list              # the plans, without trying them
    opctl explore --replay 'down@change' --keep
    opctl explore --html found.html
    opctl explore --remember 'down@change'    # `opctl test` plays it
    opctl explore --command ./operator --crds crds --samples cr --roles rbac";

/// The time limit of an exploration: all points of a large operator may take this long.
const LIMIT: Duration = Duration::from_secs(24 * 60 * 60);

/// Find the operator's bugs with the faults of real clusters
///
/// Starts a control plane with simulated nodes and runs the operator behind a proxy, with the sample that
/// `config/samples` has of each kind. Two runs without a fault are recorded; then each run has one fault at one point:
/// a crash after a write, a lost answer, a refusal, a conflict, a watch that lags or ends, a restart, a deleted child.
/// Each run must end with the same objects as those without a fault. One that does not is repeated three times with the
/// fault and three times without it, before it is an error. Read more: opctl help exploring
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(super) struct ExploreArgs {
    /// Begin new runs for this long, such as `90s` or `5m`
    #[arg(long, value_name = "TIME", default_value = "90s", value_parser = time, conflicts_with = "all")]
    budget: Duration,
    /// Try every point, however long it takes
    #[arg(long)]
    all: bool,
    /// Only plans that contain one of these texts, such as `crash` or `services`
    #[arg(long, value_name = "TEXT", value_delimiter = ',')]
    only: Vec<String>,
    /// Only the samples of these kinds
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    kind: Vec<String>,
    /// Show the plans of this operator, and try none
    #[arg(long, conflicts_with_all = ["all", "replay"])]
    list: bool,
    /// Play this plan, once
    #[arg(long, value_name = "PLAN", conflicts_with_all = ["all", "only"])]
    replay: Option<String>,
    /// Write a page for browsers that shows each finding beside a run without a fault
    #[arg(long, value_name = "FILE", conflicts_with_all = ["list", "remember"])]
    html: Option<PathBuf>,
    /// Have `opctl test` play this plan from now on: it is written to tests/explore.toml
    #[arg(long, value_name = "PLAN", conflicts_with_all = ["all", "only", "list", "replay", "command"])]
    remember: Option<String>,
    /// Show what `--remember` would write, and do nothing
    #[arg(long, requires = "remember")]
    dry_run: bool,
    /// Show what `--remember` writes as a unified diff on stdout
    #[arg(long, requires = "remember")]
    diff: bool,
    /// Keep the API server after the replay, until Ctrl+C
    #[arg(long, requires = "replay")]
    keep: bool,
    /// Runs at a time; 1 for an operator with a port of its own [default: 4; 1 in an adopted project]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..=64))]
    jobs: Option<u8>,
    /// Wait at least this long for the operator to come to rest after a fault
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time)]
    patience: Duration,
    #[command(flatten)]
    foreign: ForeignArgs,
}

/// An operator that opctl did not scaffold, in any language: it must take the server and the namespace from `KUBECONFIG`.
#[derive(Args, Debug)]
#[command(next_help_heading = "An operator that is no project of opctl")]
struct ForeignArgs {
    /// Starts the operator; a line for the shell
    #[arg(long, value_name = "LINE", requires = "crds")]
    command: Option<String>,
    /// The folder of its CRDs
    #[arg(long, value_name = "DIR", requires = "command")]
    crds: Option<PathBuf>,
    /// The folder of samples
    #[arg(long, value_name = "DIR", requires = "command", default_value = "config/samples")]
    samples: PathBuf,
    /// The folder of its roles; without one it may do everything
    #[arg(long, value_name = "DIR", requires = "command")]
    roles: Option<PathBuf>,
}

impl OpctlCommand for ExploreArgs {
    const NAME: &'static str = "explore";
    const GROUP: HelpGroup = HelpGroup::EveryDay;
    const REPORTS: Reports = Reports::Lines;

    fn uses(&self) -> Uses {
        Uses::Programs
    }

    fn run(&self, context: &Context) -> Result<Report> {
        run(self, context)
    }
}

fn time(text: &str) -> Result<Duration, String> {
    duration::parse(text).ok_or_else(|| format!("`{text}` is not a time such as `90s` or `5m`"))
}

fn run(args: &ExploreArgs, context: &Context) -> Result<Report> {
    if let Some(plan) = &args.remember {
        let write = WriteArgs { dry_run: args.dry_run, diff: args.diff };
        return remembered::remember(&plan.parse()?, write, context);
    }
    let page = args.html.as_ref().map(|path| Page::at(&context.directory.join(path))).transpose()?;
    let (explored, mut plane) = explored(args, context)?;
    let root = discover(&context.directory).ok().filter(|_| args.foreign.command.is_none());
    match explored {
        Explored::Plans(found) => {
            if let Some(root) = root {
                seen::keep_listed(&root, &found);
            }
            Ok(listed(&found))
        }
        Explored::Summary(summary) => {
            if let Some(root) = root {
                seen::keep_found(&root, &summary);
            }
            if let Some(page) = &page {
                page.write(&summary, context)?;
            }
            let verdict = tell(&summary, args.replay.is_some(), context);
            if args.keep {
                keep(context, &mut plane)?;
            }
            verdict
        }
    }
}

/// Explores the project in the context's folder for this long, as a step of a longer command.
pub(super) fn explore_for(budget: &str, context: &Context) -> Result<Summary> {
    let command = ExploreArgs::augment_args(clap::Command::new(ExploreArgs::NAME));
    let matches = command.try_get_matches_from([ExploreArgs::NAME, "--budget", budget]);
    let args = matches.and_then(|matches| ExploreArgs::from_arg_matches(&matches));
    match explored(&args.map_err(|error| Error::bug("explore has other flags").source(&error))?, context)?.0 {
        Explored::Summary(summary) => Ok(summary),
        Explored::Plans(_) => Err(Error::bug("plans were not asked for")),
    }
}

/// Starts the servers, explores, and returns the result, with the servers still running.
fn explored(args: &ExploreArgs, context: &Context) -> Result<(Explored, ControlPlane)> {
    let replay: Option<Plan> = args.replay.as_deref().map(str::parse).transpose()?;
    let subject = match (&args.foreign.command, &args.foreign.crds) {
        (Some(line), Some(crds)) => {
            let folders = Folders { crds, samples: &args.foreign.samples, roles: args.foreign.roles.as_deref() };
            foreign::prepare(line, &folders, &args.kind, context)?
        }
        _ => prepare(args, context)?,
    };
    let mut plane = ControlPlane::start(&SimulationArgs::simulated(), &context.console)?;
    context.console.status("Serving", format!("Kubernetes {} at {}", plane.version(), plane.server()));
    let administrator = plane.kubeconfig_path();
    let target = Target { kubeconfig: Some(administrator.clone()), ..Target::default() };
    let identity = match &subject.kinds {
        Kinds::Project(root) => {
            steps::install(context, root, Some(&administrator), None)?;
            steps::policies(context, root, &target)?;
            Some(steps::grant(context, root, &target)?)
        }
        Kinds::Files { definitions, roles } => {
            foreign::install(definitions, &target, &context.console)?;
            roles.as_ref().map(|roles| foreign::grant(roles, &target, &context.console)).transpose()?
        }
    };
    plane.restart_controller_manager()?;

    // An adopted operator may listen on a fixed port, so that only one can run at a time.
    let is_adopted = matches!(&subject.kinds, Kinds::Project(root) if adopted(root).is_some());
    let usual_jobs = if is_adopted { 1 } else { 4 };
    let options = Options {
        budget: (!args.all).then_some(args.budget),
        only: args.only.clone(),
        jobs: args.jobs.map_or(usual_jobs, usize::from),
        patience: args.patience,
        folder: administrator.parent().unwrap_or(Path::new(".")).to_owned(),
    };
    let (kubeconfig, console) = (plane.kubeconfig()?, &context.console);
    let explored = run_until_interrupted(&target, LIMIT, async {
        let world = Arc::new(stage::world(&target, kubeconfig, identity.as_ref(), subject, console).await?);
        for resource in &world.left_out {
            console.note(format!(
                "`{resource}` is left out: its objects have no namespace, and each run needs one of its own"
            ));
        }
        match &replay {
            _ if args.list => Ok(Explored::Plans(explore::list(&world, &options, console).await?)),
            Some(plan) => {
                let one = std::slice::from_ref(plan);
                Ok(Explored::Summary(explore::replay(&world, one, &options, console).await?))
            }
            None => Ok(Explored::Summary(explore::explore(&world, &options, console).await?)),
        }
    });
    // A server that has ended is the reason why an exploration fails.
    plane.check()?;
    let explored = explored.map_err(|error| match error.category() {
        Category::Interrupted => error.hint("opctl explore --budget 30s    # ends sooner, with what it has found"),
        _ => error,
    });
    Ok((explored?, plane))
}

/// Builds the operator of a project.
fn prepare(args: &ExploreArgs, context: &Context) -> Result<Subject> {
    let root = discover(&context.directory)?;
    let samples = stage::samples(&root.join(stage::SAMPLES), &args.kind)?;
    let arguments = stage::arguments(&root)?;
    steps::manifests(context, &[])?;
    let launch = stage::launch(&root, arguments, context)?;
    Ok(Subject { launch, samples, kinds: Kinds::Project(root) })
}

enum Explored {
    Plans(Vec<Plan>),
    Summary(Summary),
}

fn listed(plans: &[Plan]) -> Report {
    let lines: Vec<String> = plans.iter().map(ToString::to_string).collect();
    let summary = format!("{} plans", plans.len());
    Report::shown("explore", lines.join("\n"), serde_json::json!({ "plans": lines })).summary(summary)
}

/// Shows the findings; fails if there are errors among them.
fn tell(summary: &Summary, replayed: bool, context: &Context) -> Result<Report> {
    let console = &context.console;
    for finding in &summary.findings {
        console.lines(&render(finding));
    }
    for finding in &summary.flaky {
        let plan = finding.plan.as_deref().unwrap_or_default();
        let (shown, of) = (finding.repeats.shown, finding.repeats.of);
        console.note(format!(
            "seen, but only in {shown} of {of} replays and in {} without the fault: {} ({plan})",
            finding.repeats.placebo, finding.message
        ));
    }
    if !summary.left.is_empty() {
        console.note(format!("{} points were left out: opctl explore --all", summary.left.len()));
    }
    for suspicion in &summary.unconfirmed {
        console.note(format!("not repeated, because there are findings to fix first: {suspicion}"));
    }
    for line in &summary.complaints {
        console.note(format!("without a fault, the operator logs: {line}"));
    }
    if replayed && summary.reached == 0 {
        return Err(Error::user("the operator did not reach the point of this plan")
            .caused_by("the operator does something else in this step now")
            .hint("opctl explore --list    # the plans of this project"));
    }
    let warnings = summary.findings.len() - summary.errors();
    let data = serde_json::to_value(summary).map_err(|error| Error::bug("a summary is not JSON").source(&error))?;
    let (tried, planned, seconds) = (summary.tried, summary.planned, summary.seconds);
    let text =
        format!("{tried} of {planned} points tried in {seconds:.0}s: {} errors, {warnings} warnings", summary.errors());
    let mut report = Report::new("explore", Outcome::Changed).summary(text);
    report.data = Some(data);
    if summary.errors() == 0 {
        return Ok(report);
    }
    if console.json() {
        console.report_line(&report);
    }
    let first = summary.findings.iter().find_map(|finding| finding.plan.as_deref());
    let hint =
        first.map(|plan| hint!("opctl explore --replay {plan} --keep    # and look at the objects with kubectl", plan));
    let summary = report.summary.unwrap_or_default();
    Err(Error::user(format!("the operator has bugs: {summary}"))
        .hint(hint.unwrap_or_else(|| "opctl run    # and look at it".into())))
}

/// Waits until an interrupt; fails if a server ends before.
fn keep(context: &Context, plane: &mut ControlPlane) -> Result<()> {
    let interrupts = interrupts();
    context
        .console
        .status("Serving", "until Ctrl+C; the last run is in the newest namespace `explore-…`; from another shell:");
    context.console.lines(hint!("export KUBECONFIG={}", plane.kubeconfig_path().display()).as_str());
    while !interrupts.came_within(Duration::from_millis(200)) {
        plane.check()?;
    }
    Ok(())
}
