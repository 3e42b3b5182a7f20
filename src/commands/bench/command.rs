//! Runs `opctl bench`.

use super::args::BenchArgs;
use super::sizes::sort_sizes;
use super::subject::Prepared;
use crate::bench::{self, Cluster, Forecast, Idle, Measured, Plan, Resources};
use crate::cluster::{Connection, Target, run_to_interrupt};
use crate::commands::command::OpctlCommand;
use crate::commands::context::Context;
use crate::commands::explore::{Kinds, client_of, grant_in, install, run_unless_interrupted};
use crate::commands::steps;
use crate::commands::webhook_server::WebhookServer;
use crate::envtest::{ControlPlane, Options, serving_certificate};
use crate::error::{Category, hint};
use crate::explore::Serving;
use crate::report::Report;
use crate::system::measures_processes;
use crate::{Error, Result};
use serde_json::json;
use std::path::Path;
use std::time::Duration;

/// The time limit for one measurement, long enough for the creation of many objects. `--timeout` is a separate limit,
/// only for the wait for the operator.
const LIMIT: Duration = Duration::from_secs(24 * 60 * 60);

/// The namespace of an operator that `--command` starts.
const NAMESPACE: &str = "opctl-bench";

impl OpctlCommand for BenchArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        let sizes = sort_sizes(&self.objects)?;
        if !measures_processes() {
            return Err(Error::environment("`opctl bench` needs Linux")
                .caused_by("`opctl bench` reads the operator's memory usage from /proc, which exists only on Linux")
                .hint("run `opctl bench` in a Linux container, or in a CI job on Linux"));
        }
        run(self, &sizes, context)
    }
}

/// The results of the measurements so far, and the version of Kubernetes.
#[derive(Default)]
struct Measurements {
    kubernetes: String,
    idle: Option<Idle>,
    measured: Vec<Measured>,
}

fn run(args: &BenchArgs, sizes: &[u32], context: &Context) -> Result<Report> {
    let prepared = Prepared::new(args, context)?;
    let mut found = Measurements::default();
    for objects in sizes {
        match at_size(*objects, &prepared, &mut found, args, context) {
            Ok(()) => {}
            // The sizes that were measured give a forecast by themselves.
            Err(error) if !found.measured.is_empty() || error.category() == Category::Interrupted => {
                return Ok(report(&found, &prepared, args).fails(&error));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(report(&found, &prepared, args))
}

/// Measures the operator with one number of objects on a new control plane.
fn at_size(
    objects: u32,
    prepared: &Prepared,
    found: &mut Measurements,
    args: &BenchArgs,
    context: &Context,
) -> Result<()> {
    let console = &context.console;
    let options = Options { simulate_nodes: args.simulate_nodes, ..Options::default() };
    let mut plane = ControlPlane::start(&options, console)?;
    console.status("Serving", format!("Kubernetes {} at {}", plane.version(), plane.server()));
    plane.version().clone_into(&mut found.kubernetes);
    let administrator = plane.kubeconfig_path();
    let target = Target { kubeconfig: Some(administrator.clone()), ..Target::default() };
    let identity = match &prepared.kinds {
        Kinds::Project(root) => {
            steps::install(context, root, &target)?;
            steps::policies(context, root, &target)?;
            Some(steps::grant(context, root, &target)?)
        }
        Kinds::Files { definitions, roles } => {
            install(definitions, &target, console)?;
            roles.as_ref().map(|roles| grant_in(NAMESPACE, roles, &target, console)).transpose()?
        }
    };
    plane.restart_controller_manager()?;
    let mut webhooks = match (&prepared.kinds, &identity) {
        (Kinds::Project(root), Some(identity)) => {
            WebhookServer::of_project(root, &prepared.launch.program, identity, &plane, context)?
        }
        _ => None,
    };
    let plan = Plan {
        launch: prepared.launch.clone(),
        sample: prepared.sample.clone(),
        others: prepared.others.clone(),
        namespace: prepared.namespace.clone(),
        operator_namespace: identity.as_ref().map_or(NAMESPACE, |identity| &identity.namespace).to_owned(),
        folder: administrator.parent().unwrap_or(Path::new(".")).to_owned(),
        steady: args.steady,
        timeout: args.timeout,
        needs_ready: args.simulate_nodes,
    };
    let kubeconfig = plane.kubeconfig()?;
    let idle = &mut found.idle;
    let measured = run_to_interrupt(&target, LIMIT, async |mut interrupted| {
        let work = async {
            let admin = Connection::open(&target, console).await?.client;
            let operator = client_of(kubeconfig, identity.as_ref()).await?;
            let made = serving_certificate(&["127.0.0.1"])?;
            let serving = Serving::new(&made.authority, &made.certificate, &made.key)?;
            let cluster = Cluster { admin, operator, serving };
            if idle.is_none() {
                *idle = Some(bench::idle(&cluster, &plan, console).await?);
            }
            bench::measure(&cluster, &plan, objects, console).await
        };
        run_unless_interrupted(&mut interrupted, Box::pin(work)).await
    });
    // A server that has ended is the reason why a measurement fails.
    plane.check()?;
    webhooks.as_mut().map_or(Ok(()), |server| server.check(context))?;
    let (measured, is_done) = measured?;
    console.status("Measured", bench::sentence(&measured));
    let left = measured.unfinished_objects(args.simulate_nodes);
    if !is_done {
        return Err(not_done(left, objects, args));
    }
    if measured.progress.ready < objects && !args.simulate_nodes {
        let ready = measured.progress.ready;
        console.note(format!(
            "{ready} of {objects} objects are ready: the control plane runs no pods, so `opctl bench` counts an \
             object as reconciled once it has a status; `--simulate-nodes` simulates running pods"
        ));
    }
    found.measured.push(measured);
    Ok(())
}

fn not_done(left: u32, objects: u32, args: &BenchArgs) -> Error {
    let again = args.repeat_command();
    let (what, why) = if args.simulate_nodes {
        ("are not ready", "the operator made no more progress with these objects, or `--timeout` expired")
    } else {
        ("have no status", "the operator wrote no status for these objects, or `--timeout` expired")
    };
    Error::user(format!("{left} of {objects} objects {what}"))
        .caused_by(why)
        .hint(hint!("{again} --objects 20 --timeout 1h    # measures only 20 objects, and waits up to 1 hour", again))
}

/// Returns the report with the measurements and the forecast.
fn report(found: &Measurements, prepared: &Prepared, args: &BenchArgs) -> Report {
    let idle = found.idle.unwrap_or_default();
    let forecast = Forecast::of(idle, &found.measured, args.forecast);
    let resources =
        forecast.zip(found.measured.last()).map(|(forecast, largest)| Resources::of(&forecast, idle, largest));
    let (build, place) = match (&prepared.kinds, args.debug) {
        (Kinds::Files { .. }, _) => ("command", "the operator's container"),
        (Kinds::Project(_), true) => ("debug", "the container in `config/manager/manager.yaml`"),
        (Kinds::Project(_), false) => ("release", "the container in `config/manager/manager.yaml`"),
    };
    let lines = bench::lines(idle, &found.measured, forecast.as_ref().zip(resources.as_ref()), place);
    let kind = prepared.kind();
    let data = json!({
        "kind": kind,
        "build": build,
        "kubernetes": found.kubernetes,
        "idle": found.idle,
        "sizes": found.measured,
        "forecast": forecast,
        "resources": resources,
    });
    let built = if build == "command" { "the operator of `--command`".to_owned() } else { format!("a {build} build") };
    Report::shown("bench", format!("{built} with copies of {kind}, Kubernetes {}\n\n{lines}", found.kubernetes), data)
}
