//! `opctl demo`: all steps from an empty folder to a reconciled object, as a user would type them.

mod explored;
mod operator;
mod outline;
mod scenes;
mod script;
mod stage;
mod webhook_scenes;

use super::command::OpctlCommand;
use super::context::{Context, as_typed};
use crate::cluster::{Connection, Target, read_definitions, run};
use crate::envtest::{self, ControlPlane, Options};
use crate::error::{Hint, hint};
use crate::exec::interrupts;
use crate::report::{Outcome, Report};
use crate::{Error, Result};
use clap::Args;
use operator::Operator;
use outline::{Outline, Play};
use scenes::Scenes;
use script::Script;
use serde_json::json;
use stage::Stage;
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "Examples:
    opctl demo
    opctl demo webserver-operator    # keeps the project
    opctl demo --keep-running        # keeps running for a look with kubectl
    opctl demo --webhooks            # fills in objects, and refuses some
    opctl demo --explore             # plants a bug, and finds it";

/// Make an operator, run it on this machine, and show it at work
///
/// Its custom resource becomes Ready on a local control plane. The resource is scaled, and a deleted child comes back.
/// Pods run on a simulated node; if kube-controller-manager cannot be downloaded, a smaller operator is shown.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DemoArgs {
    /// Make the project in this folder, and keep it [default: a temporary folder]
    dir: Option<PathBuf>,
    /// Keep the API server and the operator until Ctrl+C
    #[arg(long)]
    keep_running: bool,
    /// Plant a bug that no test of the operator finds, and find it with `opctl explore`
    #[arg(long, conflicts_with = "keep_running")]
    explore: bool,
    /// Show the operator's webhooks: they fill in an object, and refuse a change
    #[arg(long, conflicts_with_all = ["keep_running", "explore"])]
    webhooks: bool,
}

/// The time limit for the demo's steps in the cluster after the operator has started.
const PATIENCE: Duration = Duration::from_secs(120);
const IMAGE: &str = "nginxinc/nginx-unprivileged:1.27";

impl OpctlCommand for DemoArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        let stage = Stage::new(self.dir.as_deref(), context)?;
        let context = &Context { directory: stage.root().to_owned(), ..context.clone() };
        let play = match (self.explore, self.webhooks) {
            (true, _) => Play::Bug { budget: explored::BUDGET },
            (_, true) => Play::Webhooks,
            _ => Play::Objects,
        };
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        let outline = Outline::new(play, envtest::are_installed()?, processors);
        let mut script = Script::new(outline, &context.console);
        match play {
            Play::Bug { .. } => return explored::play(IMAGE, &stage, script, context),
            Play::Webhooks => return webhook_scenes::play(&stage, script, context),
            Play::Objects => {}
        }

        // Without pods, the object of an operator that makes a Deployment would never become Ready.
        let simulated = envtest::programs(None, true, &context.console)?.controller_manager.is_some();
        let image = if simulated { format!(" --image {IMAGE}") } else { String::new() };
        let create = format!("opctl create api --kind WebServer{image}");
        for line in ["opctl init --domain example.com", &create, "opctl manifests"] {
            script.begin(line);
            as_typed(context, &line.split(' ').collect::<Vec<_>>())?;
        }
        let flag = if simulated { " --simulate-nodes" } else { "" };
        let start = hint!("export KUBECONFIG=\"$(opctl envtest start{flag})\"", flag = Hint::from(flag));
        script.begin(start.as_str());
        let options = Options { simulate_nodes: simulated, ..Options::default() };
        let mut plane = ControlPlane::start(&options, &context.console)?;
        context.console.status("Serving", format!("Kubernetes {} at {}", plane.version(), plane.server()));
        let kubeconfig = plane.kubeconfig_path();

        script.begin("opctl install");
        as_typed(context, &["opctl", "install", &format!("--kubeconfig={}", kubeconfig.display())])?;

        script.begin("cargo run");
        let mut operator = Operator::start(stage.root(), &kubeconfig, &[], &context.console)?;

        let definitions = read_definitions(stage.root())?;
        let definition = definitions.first().ok_or_else(|| Error::bug("the demo has no CRD"))?;
        let target = Target { kubeconfig: Some(kubeconfig), ..Target::default() };
        let played = run(&target, PATIENCE, async {
            let connection = Connection::open(&target, &context.console).await?;
            let scenes = Scenes::new(connection, stage.root(), definition, &context.console)?;
            tokio::select! {
                table = scenes.play(simulated, &mut script) => table,
                error = operator.wait_for_unexpected_exit() => Err(error),
            }
        });
        let table = played.map_err(|error| operator.explain(error))?;
        operator.check()?;
        plane.check()?;

        let (seconds, steps) = script.end();
        let data = json!({ "folder": stage.kept_folder(), "seconds": seconds, "steps": steps });
        let mut report = Report::shown("demo", table, data);
        report.outcome = Outcome::Changed;
        if self.keep_running {
            context.console.lines(report.text.as_deref().unwrap_or_default());
            keep_running(context, &mut plane, operator)?;
            report.outcome = Outcome::Interrupted;
        }
        let reached = if simulated { "is Ready" } else { "has a status" };
        report.summary = Some(format!("a custom resource {reached}, {seconds:.0}s after the start in an empty folder"));
        Ok(match stage.kept_folder() {
            Some(folder) => report
                .next(hint!("cd {}", folder.strip_prefix(".").unwrap_or(folder).to_string_lossy()))
                .next(start)
                .next("opctl install && cargo run"),
            None => report.next("opctl demo webserver-operator    # the same, and keeps the project"),
        })
    }
}

/// Keeps the API server and the operator running until an interrupt, then stops the operator gracefully.
fn keep_running(context: &Context, plane: &mut ControlPlane, mut operator: Operator) -> Result<()> {
    let interrupts = interrupts();
    context.console.status("Serving", "until Ctrl+C; in another shell, run:");
    context.console.lines(hint!("export KUBECONFIG={}", plane.kubeconfig_path().display()).as_str());
    while !interrupts.came_within(Duration::from_millis(200)) {
        operator.check()?;
        plane.check()?;
    }
    operator.stop();
    Ok(())
}
