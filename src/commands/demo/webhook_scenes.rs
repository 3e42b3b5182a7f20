//! `opctl demo --webhooks`: the operator's webhooks fill in an object, and refuse a change of the object.

use super::operator::Operator;
use super::scenes::Scenes;
use super::script::Script;
use super::stage::Stage;
use crate::cluster::{Connection, Target, read_definitions, run};
use crate::commands::context::{Context, as_typed};
use crate::commands::local_webhooks::LocalWebhooks;
use crate::commands::steps;
use crate::envtest::{ControlPlane, Options};
use crate::error::hint;
use crate::report::{Outcome, Report};
use crate::{Error, Result};
use kube::core::Status;
use serde_json::json;
use std::time::{Duration, Instant};

/// The time limit for the operator to serve its webhooks, and for the demo's steps in the cluster.
const PATIENCE: Duration = Duration::from_secs(120);
/// The annotation that a scaffolded defaulting webhook fills in and a validating webhook protects from changes.
const CREATED_BY: &str = "example.com/created-by";

/// The sample of the kind, in the demo's project.
const SAMPLE: &str = "config/samples/v1alpha1_webserver.yaml";

/// Runs the demo, and shows its steps as a user would type them.
pub(super) fn play(stage: &Stage, mut script: Script, context: &Context) -> Result<Report> {
    for line in [
        "opctl init --domain example.com",
        "opctl create api --kind WebServer",
        "opctl create webhook --kind WebServer --defaulting --validation",
    ] {
        script.begin(line);
        as_typed(context, &line.split(' ').collect::<Vec<_>>())?;
    }
    script.begin("export KUBECONFIG=\"$(opctl envtest start)\"");
    let mut plane = ControlPlane::start(&Options::default(), &context.console)?;
    context.console.status("Serving", format!("Kubernetes {} at {}", plane.version(), plane.server()));
    let kubeconfig = plane.kubeconfig_path();

    script.begin("opctl run");
    steps::manifests(context, &[])?;
    let target = Target { kubeconfig: Some(kubeconfig.clone()), ..Target::default() };
    steps::install(context, stage.root(), &target)?;
    context.console.command("cargo run");
    let webhooks = LocalWebhooks::new(stage.root(), None)?;
    let mut operator = Operator::start(stage.root(), &kubeconfig, &webhooks.environment(), &context.console)?;
    let target = Target { kubeconfig: Some(kubeconfig), ..Target::default() };
    serve(&webhooks, &mut operator, &target, context)?;

    let definitions = read_definitions(stage.root())?;
    let definition = definitions.first().ok_or_else(|| Error::bug("the demo has no CRD"))?;
    let played = run(&target, PATIENCE, async {
        let connection = Connection::open(&target, &context.console).await?;
        let scenes = Scenes::new(connection, stage.root(), definition, &context.console)?;
        tokio::select! {
            played = ask(&scenes, &mut script) => played,
            error = operator.wait_for_unexpected_exit() => Err(error),
        }
    });
    let (table, refusal) = played.map_err(|error| operator.explain(error))?;
    operator.check()?;
    plane.check()?;

    let (seconds, steps) = script.end();
    let data = json!({ "folder": stage.kept_folder(), "seconds": seconds, "steps": steps, "refusal": refusal });
    let mut report = Report::shown("demo", table, data);
    report.outcome = Outcome::Changed;
    report.summary = Some(format!(
        "an object is defaulted and a change is refused, {seconds:.0}s after the start in an empty folder"
    ));
    Ok(match stage.kept_folder() {
        Some(folder) => report
            .next(hint!("cd {}", folder.strip_prefix(".").unwrap_or(folder).to_string_lossy()))
            .next("opctl run --envtest"),
        None => report.next("opctl help webhooks"),
    })
}

/// Waits until the operator serves its webhooks, then registers them with the API server.
fn serve(webhooks: &LocalWebhooks, operator: &mut Operator, target: &Target, context: &Context) -> Result<()> {
    let begun = Instant::now();
    while !webhooks.is_served() {
        operator.check()?;
        if begun.elapsed() > PATIENCE {
            return Err(operator.explain(Error::user("the operator does not serve its webhooks")));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    webhooks.apply(target, context)?;
    context.console.status("Serving", "the webhooks of the operator");
    Ok(())
}

/// Creates an object, which the webhooks fill in, and tries a change, which the webhooks refuse. Returns the list
/// of the objects and the refusal, both as text.
async fn ask(scenes: &Scenes<'_>, script: &mut Script<'_>) -> Result<(String, String)> {
    script.begin(&format!("kubectl annotate --local -f {SAMPLE} {CREATED_BY}= -o yaml | kubectl apply -f -"));
    let mut sample = scenes.sample().clone();
    sample.metadata.annotations.get_or_insert_default().insert(CREATED_BY.to_owned(), String::new());
    let object = scenes.create(&sample, false).await?;
    let (kind, name) = (scenes.kind(), object.metadata.name.clone().unwrap_or_default());
    script.begin(&format!("kubectl get {kind} {name} -o jsonpath='{{.metadata.annotations}}'"));
    let annotations = object.metadata.annotations.unwrap_or_default();
    if annotations.get(CREATED_BY).is_none_or(String::is_empty) {
        return Err(Error::user(format!("the defaulting webhook does not set the annotation `{CREATED_BY}`")));
    }
    scenes.show(&json!(annotations).to_string());

    script.begin(&format!("kubectl annotate {kind} {name} {CREATED_BY}=mallory --overwrite"));
    let refusal = match scenes.annotate(&name, CREATED_BY, "mallory").await? {
        Some(status) => refusal(&status),
        None => {
            return Err(Error::user(format!(
                "the validating webhook accepts a change of the annotation \
                                                `{CREATED_BY}`"
            )));
        }
    };
    scenes.show(&refusal);
    script.begin(&scenes.list_line());
    Ok((scenes.objects().await?, refusal))
}

/// Renders a refusal as kubectl does: the object, then each invalid field with its message.
fn refusal(status: &Status) -> String {
    let details = status.details.as_ref();
    let causes = details.map(|details| &details.causes[..]).unwrap_or_default();
    let causes: Vec<String> = causes.iter().map(|cause| format!("{}: {}", cause.field, cause.message)).collect();
    match details {
        Some(details) if status.reason == "Invalid" && !causes.is_empty() => {
            format!("The {} \"{}\" is invalid: {}", details.kind, details.name, causes.join(", "))
        }
        _ => format!("Error from server: {}", status.message),
    }
}
