//! Applies the project's samples, and waits until the operator reports that they are ready.

use super::place::Place;
use crate::cluster::apply::Apply;
use crate::cluster::condition;
use crate::cluster::deploy::{Member, samples};
use crate::cluster::status::count_objects::unready_reason;
use crate::cluster::{Connection, read_definitions, request_error, run_until_interrupted};
use crate::error::{Hint, hint};
use crate::report::Console;
use crate::{Error, Result};
use kube::api::DeleteParams;
use serde_json::Value;
use std::time::{Duration, Instant};

/// The reason in the condition `Ready` that the controllers of new projects report.
const NOT_IMPLEMENTED: &str = "NotImplemented";

/// Applies the objects of `config/samples`, and waits until the objects that the operator reconciles are ready. Returns
/// a message for each object whose controller is not implemented yet.
///
/// # Errors
/// Fails if the server refuses an object, or if an object is not ready within the time limit.
pub fn samples_become_ready(place: &Place, console: &Console) -> Result<Vec<String>> {
    // Part of the time limit is kept for saying why an object is not ready.
    let deadline = Instant::now() + place.timeout.saturating_sub(place.timeout / 10);
    run_until_interrupted(&place.target, place.timeout, async {
        let connection = Connection::open(&place.target, console).await?;
        let samples = samples(place.project, place.root, &[], &connection).await?;
        let apply = Apply { force_conflicts: false, dry_run: false, keeps_run: false };
        for sample in &samples {
            let api = sample.api(&connection.client);
            apply.object(&connection, &api, &sample.object, sample.attempt("patch")).await?;
        }
        let reconciled = reconciled_kinds(place)?;
        let mut unfinished = Vec::new();
        for sample in samples.iter().filter(|sample| reconciled.contains(&of_kind(sample))) {
            unfinished.extend(until_ready(sample, &connection, deadline).await?);
        }
        Ok(unfinished)
    })
}

/// Fails if the cluster has an object of `config/samples`, because the tests would change and delete the object.
/// `objects` are the objects of `config/default`.
///
/// # Errors
/// Fails as described above, or if the server refuses a request.
pub fn no_sample_is_there(place: &Place, objects: &[Value], console: &Console) -> Result<()> {
    run_until_interrupted(&place.target, place.timeout, async {
        let connection = Connection::open(&place.target, console).await?;
        // Samples that cannot be read are neither applied nor deleted.
        let samples = samples(place.project, place.root, objects, &connection).await.unwrap_or_default();
        for sample in &samples {
            let found = match sample.api(&connection.client).get_opt(sample.name()).await {
                // The kind is not served yet.
                Err(kube::Error::Api(status)) if status.code == 404 => None,
                found => found.map_err(|error| request_error(&error, &connection, sample.attempt("get")))?,
            };
            if found.is_some() {
                let line = connection.kubectl(hint!("delete {}", kubectl_arguments(sample)));
                return Err(Error::conflict(format!("the cluster already contains the sample `{}`", sample.path()))
                    .caused_by("end-to-end tests apply the samples, and delete them afterwards")
                    .hint(hint!("{line}    # if nothing needs the existing sample", line)));
            }
        }
        Ok(())
    })
}

/// Deletes the objects of `config/samples`, and waits until they are gone.
///
/// # Errors
/// Fails if an object still exists at the end of the time limit, or if the server refuses a request.
pub fn remove_samples(place: &Place, console: &Console) -> Result<()> {
    let deadline = Instant::now() + place.timeout.saturating_sub(place.timeout / 10);
    run_until_interrupted(&place.target, place.timeout, async {
        let connection = Connection::open(&place.target, console).await?;
        let samples = samples(place.project, place.root, &[], &connection).await?;
        for sample in &samples {
            let api = sample.api(&connection.client);
            match api.delete(sample.name(), &DeleteParams::background()).await {
                Err(kube::Error::Api(status)) if status.code == 404 => {}
                deleted => {
                    deleted.map_err(|error| request_error(&error, &connection, sample.attempt("delete")))?;
                }
            }
        }
        for sample in &samples {
            while let Some(object) = sample.read_live_object(&connection).await? {
                if Instant::now() > deadline {
                    let finalizers = object.metadata.finalizers.unwrap_or_default().join("`, `");
                    return Err(Error::cluster(format!("the deleted sample `{}` still exists", sample.path()))
                        .caused_by(format!("the finalizers of the sample have not been removed: `{finalizers}`"))
                        .hint(get(sample, &connection)));
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
        Ok(())
    })
}

/// Returns the group and the name of each kind that has a controller, and whose CRD has conditions in the status.
fn reconciled_kinds(place: &Place) -> Result<Vec<(String, String)>> {
    let Place { project, root, .. } = place;
    let own = project.resources.iter().filter(|resource| resource.has_types());
    let with_controller = own.filter(|resource| {
        // PROJECT does not have the controllers of an operator that `opctl adopt` took over.
        project.adopted.is_some()
            || project.resources.iter().any(|other| other.is_of_kind_of(resource) && !other.controllers.is_empty())
    });
    let names: Vec<(String, String)> =
        with_controller.map(|resource| (resource.api_group(&project.domain), resource.key.kind.to_string())).collect();
    if names.is_empty() {
        return Ok(names);
    }
    let definitions = read_definitions(root)?;
    let with_conditions = definitions.iter().filter(|definition| has_conditions(&definition.object.data));
    let kinds = with_conditions.map(|definition| (definition.group.clone(), definition.kind.clone()));
    Ok(kinds.filter(|kind| names.contains(kind)).collect())
}

fn has_conditions(definition: &Value) -> bool {
    let mut versions = definition.pointer("/spec/versions").and_then(Value::as_array).into_iter().flatten();
    versions.any(|version| version.pointer("/schema/openAPIV3Schema/properties/status/properties/conditions").is_some())
}

fn of_kind(sample: &Member) -> (String, String) {
    (sample.resource.group.clone(), sample.resource.kind.clone())
}

async fn until_ready(sample: &Member, connection: &Connection, deadline: Instant) -> Result<Option<String>> {
    loop {
        let Some(object) = sample.read_live_object(connection).await? else {
            return Err(Error::user(format!("the sample `{}` no longer exists in the cluster", sample.path()))
                .hint(get(sample, connection)));
        };
        let Some(unready) = unready_reason(&object) else { return Ok(None) };
        if condition(&object.data, "Ready").is_some_and(|ready| ready["reason"] == NOT_IMPLEMENTED) {
            return Ok(Some(format!("`{}` is not ready: its controller is not implemented yet", sample.path())));
        }
        if Instant::now() > deadline {
            let ready = if unready.reason.is_empty() {
                unready.message
            } else {
                format!("Ready is {}, {}: {}", unready.ready, unready.reason, unready.message)
            };
            return Err(Error::user(format!("the sample `{}` does not become ready", sample.path()))
                .caused_by(ready)
                .hint(get(sample, connection)));
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn get(sample: &Member, connection: &Connection) -> Hint {
    connection.kubectl(hint!("get {} -o yaml", kubectl_arguments(sample)))
}

/// Returns the sample's kind, name and namespace, as arguments of kubectl.
fn kubectl_arguments(sample: &Member) -> Hint {
    let within = sample.namespace().map(|name| hint!(" --namespace {name}", name)).unwrap_or_default();
    hint!("{} {}{within}", sample.resource_name(), sample.name(), within)
}
