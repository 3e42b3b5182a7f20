//! `install`: applies the project's CRDs and waits until the cluster serves them.

use super::apply::Apply;
use super::crd::converted;
use super::crd::crd_api::{RESOURCE, api_resource};
use super::request::condition::{condition, is_true};
use super::{Attempt, Connection, Definition, Target, read_definitions, request_error, run_until_interrupted};
use crate::error::hint;
use crate::report::{ChangeLine, Console, Outcome, Report};
use crate::{Error, Result};
use kube::Api;
use kube::api::DynamicObject;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// Options of `install`.
#[derive(Clone, Debug)]
pub struct InstallOptions {
    /// The cluster to install to.
    pub target: Target,
    /// Time limit of the whole command.
    pub timeout: Duration,
    /// Take over fields that other field managers own.
    pub force_conflicts: bool,
    /// Let the server validate everything and store nothing.
    pub dry_run: bool,
}

/// Applies the CRDs of the project at `root` and waits until each is established and served.
///
/// # Errors
/// Fails if the server refuses a request, or does not answer within the time limit.
pub fn install(root: &Path, options: &InstallOptions, console: &Console) -> Result<Report> {
    install_definitions(&read_definitions(root)?, options, console)
}

/// Applies `definitions` and waits until each is established and served.
///
/// # Errors
/// Fails if the server refuses a request, or does not answer within the time limit.
pub fn install_definitions(definitions: &[Definition], options: &InstallOptions, console: &Console) -> Result<Report> {
    run_until_interrupted(&options.target, options.timeout, async {
        let connection = Connection::open(&options.target, console).await?;
        connection.show(console);
        if definitions.len() > 1 && !options.dry_run {
            // All or nothing: a refusal of any CRD is known before the first one is applied.
            let rehearsal = InstallOptions { dry_run: true, ..options.clone() };
            for definition in definitions {
                apply(&connection, definition, &rehearsal).await?;
            }
        }
        let mut changes = Vec::new();
        for definition in definitions {
            changes.push(apply(&connection, definition, options).await?);
        }
        let others = |definition: &&Definition| definition.served.len() > 1;
        let converted = definitions.iter().filter(|definition| converted::is_converted(&definition.object));
        for definition in converted.filter(others) {
            let versions = definition.served.iter().skip(1).map(|version| format!("`{version}`"));
            let versions = versions.collect::<Vec<_>>().join(", ");
            console.note(format!(
                "the operator converts {} between their versions: {versions} can be used only while the operator runs",
                definition.plural
            ));
        }
        if !options.dry_run {
            let spinner = console.spinner("Waiting", "for the API server to serve the CRDs");
            for definition in definitions {
                until_served(&connection, definition).await?;
            }
            drop(spinner);
        }
        let converts = definitions.iter().any(|definition| converted::is_converted(&definition.object));
        Ok(report(changes, options, converts))
    })
}

fn report(changes: Vec<ChangeLine>, options: &InstallOptions, converts: bool) -> Report {
    let effective = changes.iter().any(|change| change.action != "unchanged");
    let outcome = match (effective, options.dry_run) {
        (_, true) => Outcome::DryRun,
        (true, false) => Outcome::Changed,
        (false, false) => Outcome::Unchanged,
    };
    let count = |action: &str| changes.iter().filter(|change| change.action == action).count();
    let parts = [("create", "created"), ("update", "configured"), ("unchanged", "unchanged")];
    let parts = parts.map(|(action, word)| (count(action), word)).into_iter().filter(|(number, _)| *number > 0);
    let summary = parts.map(|(number, word)| format!("{number} {word}")).collect::<Vec<_>>().join(", ");
    let mut report = Report::new("install", outcome).summary(format!("CRDs: {summary}"));
    report.changes = changes;
    report.show_unchanged = true;
    let (samples, run) = (options.target.apply_samples(None), options.target.opctl("run"));
    // Samples in a version that must be converted need the running operator.
    if converts { report.next(run).next(samples) } else { report.next(samples).next(run) }
}

async fn apply(connection: &Connection, definition: &Definition, options: &InstallOptions) -> Result<ChangeLine> {
    let api: Api<DynamicObject> = Api::all_with(connection.client.clone(), &api_resource());
    let apply = Apply { force_conflicts: options.force_conflicts, dry_run: options.dry_run, keeps_run: true };
    let attempt = Attempt { verb: "patch", resource: RESOURCE, name: &definition.name, namespace: None };
    let applied = apply.object(connection, &api, &definition.object, attempt).await?;
    Ok(applied.line(format!("customresourcedefinition/{}", definition.name), false))
}

/// Waits until the CRD is served: the condition `Established` shows that its names are accepted, and the resource list
/// of each version shows that the server answers requests.
pub(super) async fn until_served(connection: &Connection, definition: &Definition) -> Result<()> {
    let api: Api<DynamicObject> = Api::all_with(connection.client.clone(), &api_resource());
    let attempt = Attempt { verb: "get", resource: RESOURCE, name: &definition.name, namespace: None };
    loop {
        let object = api.get(&definition.name).await.map_err(|error| request_error(&error, connection, attempt))?;
        if let Some(refused) =
            condition(&object.data, "NamesAccepted").filter(|condition| condition["status"] == "False")
        {
            return Err(Error::cluster(format!("the names of the CRD `{}` are already in use", definition.name))
                .caused_by(refused["message"].as_str().unwrap_or_default())
                .hint(hint!(
                    "choose other names in `#[kube(..)]`, then run:\n{} && {}",
                    connection.target.opctl_without_cluster("manifests"),
                    connection.target.opctl("install")
                )));
        }
        if is_true(&object.data, "Established") && is_served(connection, definition).await {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn is_served(connection: &Connection, definition: &Definition) -> bool {
    for version in &definition.served {
        let path = format!("/apis/{}/{version}", definition.group);
        let Ok(request) = http::Request::get(path).body(Vec::new()) else { return false };
        let Ok(list) = connection.client.request::<Value>(request).await else { return false };
        let mut resources = list["resources"].as_array().into_iter().flatten();
        if !resources.any(|resource| resource["name"] == definition.plural.as_str()) {
            return false;
        }
    }
    true
}
