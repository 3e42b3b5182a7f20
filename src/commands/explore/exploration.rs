//! Runs an exploration: starts a control plane and the operator, and injects the faults that plans describe.

use super::again::repeat_command;
use super::args::ExploreArgs;
use super::foreign::Folders;
use super::stage::{Belong, Kinds, Subject};
use super::{foreign, stage};
use crate::cluster::{Target, run_to_interrupt};
use crate::commands::context::Context;
use crate::commands::operator_program::adoption_record;
use crate::commands::steps::{self, SimulationArgs};
use crate::commands::webhook_server::WebhookServer;
use crate::envtest::ControlPlane;
use crate::error::{Category, hint};
use crate::explore::{Budget, Options, Plan, Summary};
use crate::workspace::discover;
use crate::{Error, Result, explore};
use clap::{Args, FromArgMatches};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The time limit of an exploration. The limit is long, because a large operator has many points at which a fault can
/// be injected, and an exploration may try all of them.
const LIMIT: Duration = Duration::from_secs(24 * 60 * 60);

/// The default number of parallel runs. A run spends most of its time waiting, so that two processor cores suffice
/// for this number of runs.
const JOBS: usize = 8;

/// The default duration of a whole exploration.
const WHOLE: Duration = Duration::from_secs(100);

/// Explores the project in the context's folder for the duration `budget`, such as `30s`, as a step of a longer
/// command.
pub(in crate::commands) fn explore_for(budget: &str, context: &Context) -> Result<Summary> {
    let command = ExploreArgs::augment_args(clap::Command::new("explore"));
    let matches = command.try_get_matches_from(["explore", "--budget", budget]);
    let args = matches.and_then(|matches| ExploreArgs::from_arg_matches(&matches));
    match explore_operator(
        &args.map_err(|error| Error::bug("cannot parse the flags of `opctl explore`").source(&error))?,
        context,
    )?
    .0
    {
        Explored::Summary(summary) if summary.interrupted => Err(Error::interrupted("interrupted")),
        Explored::Summary(summary) => Ok(*summary),
        Explored::Plans(_) => Err(Error::bug("`opctl explore` returned plans instead of a summary")),
    }
}

/// Starts the servers, explores the operator, and returns the result, with the servers still running.
pub(super) fn explore_operator(args: &ExploreArgs, context: &Context) -> Result<(Explored, Servers)> {
    let replay: Option<Plan> = args.replay.as_deref().map(str::parse).transpose()?;
    let subject = subject(args, context)?;
    let mut plane = ControlPlane::start(&SimulationArgs::simulated_node_options(), &context.console)?;
    context.console.status("Serving", format!("Kubernetes {} at {}", plane.version(), plane.server()));
    let administrator = plane.kubeconfig_path();
    let target = Target { kubeconfig: Some(administrator.clone()), ..Target::default() };
    let identity = match &subject.kinds {
        Kinds::Project(root) => {
            steps::install(context, root, &target)?;
            steps::policies(context, root, &target)?;
            Some(steps::grant(context, root, &target)?)
        }
        Kinds::Files { definitions, roles } => {
            foreign::install(definitions, &target, &context.console)?;
            roles.as_ref().map(|roles| foreign::grant(roles, &target, &context.console)).transpose()?
        }
    };
    plane.restart_controller_manager()?;

    let mut webhooks = match (&subject.kinds, &identity) {
        (Kinds::Project(root), Some(identity)) => {
            WebhookServer::of_project(root, &subject.launch.program, identity, &plane, context)?
        }
        _ => None,
    };
    let is_adopted = matches!(&subject.kinds, Kinds::Project(root) if adoption_record(root).is_some());
    // An adopted operator may listen on a fixed port, so that only one can run at a time.
    let usual_jobs = if is_adopted { 1 } else { JOBS };
    let options = Options {
        budget: (!args.all).then(|| args.budget.map_or(Budget::Whole(WHOLE), Budget::NewRuns)),
        only: args.only.clone(),
        depth: args.depth,
        jobs: args.jobs.map_or(usual_jobs, usize::from),
        patience: args.patience,
        folder: administrator.parent().unwrap_or(Path::new(".")).to_owned(),
    };
    let (kubeconfig, console) = (plane.kubeconfig()?, &context.console);
    let explored = run_to_interrupt(&target, LIMIT, async |mut interrupted| {
        let world = stage::world(&target, kubeconfig, identity.as_ref(), subject, console);
        let world = Arc::new(run_unless_interrupted(&mut interrupted, world).await?);
        for resource in &world.left_out {
            console.note(format!(
                "`{resource}` is cluster-scoped, and other samples have a namespace: opctl applies the samples of this \
                 resource once, and never changes them; `--kind` with the kind of this resource explores them"
            ));
        }
        match &replay {
            _ if args.list => {
                let plans = Box::pin(explore::list(&world, &options, console));
                run_unless_interrupted(&mut interrupted, plans).await.map(Explored::Plans)
            }
            Some(plan) => {
                let played = Box::pin(explore::replay(&world, std::slice::from_ref(plan), &options, console));
                run_unless_interrupted(&mut interrupted, played)
                    .await
                    .map(|summary| Explored::Summary(Box::new(summary)))
            }
            None => {
                let summary = Box::pin(explore::explore(&world, &options, console, interrupted)).await?;
                Ok(Explored::Summary(Box::new(summary)))
            }
        }
    });
    // A server that has ended is the reason why an exploration fails.
    plane.check()?;
    webhooks.as_mut().map_or(Ok(()), |server| server.check(context))?;
    let explored = explored.map_err(|error| match error.category() {
        Category::Interrupted => {
            let again = repeat_command(args);
            error.hint(hint!("{again} --budget 30s    # ends sooner", again))
        }
        _ => error,
    });
    Ok((explored?, Servers { plane, _webhooks: webhooks }))
}

/// Runs `work` to its end, or fails if an interrupt comes first.
pub(in crate::commands) async fn run_unless_interrupted<T>(
    interrupted: impl Future<Output = ()>,
    work: impl Future<Output = Result<T>>,
) -> Result<T> {
    tokio::select! {
        result = work => result,
        () = interrupted => Err(Error::interrupted("interrupted")),
    }
}

/// Prepares the operator that the flags name: the operator that `--command` starts, or the project's operator.
pub(super) fn subject(args: &ExploreArgs, context: &Context) -> Result<Subject> {
    match (&args.foreign.command, &args.foreign.crds) {
        (Some(line), Some(crds)) => {
            let folders = Folders { crds, samples: &args.foreign.samples, roles: args.foreign.roles.as_deref() };
            foreign::prepare(line, &folders, &args.kind, repeat_command(args), context)
        }
        _ => prepare(args, context),
    }
}

/// Builds the operator of a project.
fn prepare(args: &ExploreArgs, context: &Context) -> Result<Subject> {
    let root = discover(&context.directory)?;
    let samples = stage::samples(&root.join(stage::SAMPLES), &args.kind, Belong::Project)?;
    let arguments = stage::arguments(&root)?;
    steps::manifests(context, &[])?;
    let launch = stage::launch(&root, arguments, &[], repeat_command(args), context)?;
    Ok(Subject { launch, samples, kinds: Kinds::Project(root) })
}

/// The servers of an exploration, which run until this value is dropped, so that a user can look at the objects.
pub(super) struct Servers {
    pub(super) plane: ControlPlane,
    /// The process that serves the project's webhooks: without it, the API server would refuse the user's changes of
    /// objects. `None` if the operator is not from a project, if the project has no webhooks, or if the operator's
    /// program cannot serve webhooks alone.
    _webhooks: Option<WebhookServer>,
}

pub(super) enum Explored {
    Plans(Vec<Plan>),
    Summary(Box<Summary>),
}
