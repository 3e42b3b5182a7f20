//! `opctl demo`: the whole line from an empty folder to a reconciled object, as a user would type it.

mod operator;
mod script;
mod stage;

use super::{Context, as_typed};
use crate::cluster::{
    Connection, Definition, Target, apply_object, as_table, read_definitions, run, wait_for_condition,
};
use crate::envtest::{ControlPlane, Options};
use crate::error::file_error;
use crate::report::{Outcome, Report};
use crate::{Error, Result};
use clap::Args;
use kube::api::DynamicObject;
use operator::Operator;
use script::Script;
use serde_json::json;
use stage::Stage;
use std::path::{Path, PathBuf};
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
    opctl demo
    opctl demo webserver-operator    # keeps the project";

/// Show it all: a new operator, a local control plane, and a custom resource that becomes Ready
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct DemoArgs {
    /// Where to make the project, and leave it [default: a temporary folder]
    dir: Option<PathBuf>,
}

/// For the object to become Ready: the operator runs by then.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) fn run_demo(args: &DemoArgs, context: &Context) -> Result<Report> {
    let stage = Stage::new(args.dir.as_deref(), context)?;
    let context = &Context { directory: stage.root().to_owned(), console: context.console.clone() };
    let mut script = Script::new(&context.console);

    for line in ["opctl init --domain example.com", "opctl create api --kind WebServer", "opctl manifests"] {
        script.begin(line);
        as_typed(context, &line.split(' ').collect::<Vec<_>>())?;
    }
    script.begin("export KUBECONFIG=\"$(opctl envtest start)\"");
    let mut plane = ControlPlane::start(&Options::default(), &context.console)?;
    context.console.status("Serving", format!("Kubernetes {} at {}", plane.version(), plane.server()));
    let kubeconfig = plane.kubeconfig_path();

    script.begin("opctl install");
    as_typed(context, &["opctl", "install", &format!("--kubeconfig={}", kubeconfig.display())])?;

    script.begin("cargo run");
    let mut operator = Operator::start(stage.root(), &kubeconfig, &context.console)?;

    script.begin("kubectl apply -k config/samples/");
    let ready = run(PATIENCE, async {
        tokio::select! {
            table = apply_sample(stage.root(), kubeconfig, context) => table,
            error = operator.ended() => Err(error),
        }
    });
    let table = ready.map_err(|error| operator.explain(error))?;
    script.begin("kubectl get webservers");
    operator.check()?;
    plane.check()?;

    let (seconds, steps) = script.end();
    let data = json!({ "folder": stage.kept(), "seconds": seconds, "steps": steps });
    let mut report = Report::shown("demo", table, data);
    report.outcome = Outcome::Changed;
    report.summary = Some(format!("a custom resource is Ready, {seconds:.0}s after an empty folder"));
    Ok(match stage.kept() {
        Some(folder) => report
            .next(format!("cd {}", folder.strip_prefix(".").unwrap_or(folder).display()))
            .next("export KUBECONFIG=\"$(opctl envtest start)\"")
            .next("opctl install && cargo run"),
        None => report.next("opctl demo webserver-operator    # the same, and keeps the project"),
    })
}

/// Applies the sample and gives the table that `kubectl get` would show once it is Ready.
async fn apply_sample(root: &Path, kubeconfig: PathBuf, context: &Context) -> Result<String> {
    let connection = Connection::open(&Target { kubeconfig: Some(kubeconfig), context: None }).await?;
    let definitions = read_definitions(root)?;
    let definition = definitions.first().ok_or_else(|| Error::bug("the demo has no definition"))?;
    let sample = read_sample(root, definition)?;
    let object = apply_object(&connection, definition, &sample).await?;
    let name = object.metadata.name.clone().unwrap_or_default();
    context.console.status("Created", format!("{}/{name}", definition.name));
    let spinner = context.console.spinner("Waiting", format!("for {} `{name}` to become Ready", definition.kind));
    wait_for_condition(&connection, definition, &object, "Ready").await?;
    drop(spinner);
    as_table(&connection, definition).await
}

fn read_sample(root: &Path, definition: &Definition) -> Result<DynamicObject> {
    let folder = root.join("config/samples");
    let entries = std::fs::read_dir(&folder).map_err(|error| file_error("read", &folder, &error))?;
    for entry in entries.flatten() {
        let path = entry.path();
        let text = std::fs::read_to_string(&path).map_err(|error| file_error("read", &path, &error))?;
        if let Ok(object) = serde_yaml::from_str::<DynamicObject>(&text)
            && object.types.as_ref().is_some_and(|types| types.kind == definition.kind)
        {
            return Ok(object);
        }
    }
    Err(Error::user(format!("`config/samples` has no sample of `{}`", definition.kind))
        .hint(format!("opctl create api --kind {} --force", definition.kind)))
}
