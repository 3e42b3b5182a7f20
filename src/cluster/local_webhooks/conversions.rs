//! Starts and ends the conversion of objects by the webhooks of an operator that runs on this machine.

use crate::Result;
use crate::cluster::apply::{Applied, Apply};
use crate::cluster::crd::conversion::stop;
use crate::cluster::crd::converted::{is_converted, local_conversion, service, without_conversion};
use crate::cluster::crd::crd_api::{RESOURCE, api_resource};
use crate::cluster::crd::local_operator::{WebhookServer, label};
use crate::cluster::{Attempt, Connection, Definition, read_definitions, request_error};
use crate::model::{stored_version, unshared_fields};
use futures_util::{Stream, StreamExt};
use k8s_openapi::api::core::v1;
use kube::Api;
use kube::api::{ApiResource, DynamicObject, ListParams, WatchParams};
use kube::core::{GroupVersionKind, Version, WatchEvent};
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// The time that an API server may take to use a changed CRD; a single API server takes less than a second.
const PATIENCE: Duration = Duration::from_secs(5);

/// The maximum number of fields that a message names.
const NAMED: usize = 5;

/// Returns the CRDs of the project at `root` whose objects the project's operator converts.
///
/// # Errors
/// Fails like [`read_definitions`].
pub fn converted_definitions(root: &Path) -> Result<Vec<Definition>> {
    let mut definitions = read_definitions(root)?;
    definitions.retain(|definition| service(&definition.object).is_some());
    Ok(definitions)
}

fn definitions_api(connection: &Connection) -> Api<DynamicObject> {
    Api::all_with(connection.client.clone(), &api_resource())
}

/// Makes the API server call the operator on this machine to convert the objects of `definitions`, and waits until the
/// change is in effect.
///
/// # Errors
/// Fails if the server refuses a CRD.
pub async fn apply_local_conversions(
    connection: &Connection,
    definitions: &[Definition],
    project: &str,
    served: &WebhookServer,
) -> Result<()> {
    for definition in definitions {
        let object = local_conversion(&definition.object, project, served);
        let watch = watch_objects(connection, definition).await;
        let applied = apply(connection, definition, &object).await?;
        let is_same =
            |before: DynamicObject| before.data["spec"]["conversion"] == applied.after.data["spec"]["conversion"];
        if applied.before.is_some_and(is_same) {
            continue;
        }
        // A change of a CRD ends all watches of its objects; after that, the server uses the new conversion.
        if let Some(watch) = watch {
            let _ = tokio::time::timeout(PATIENCE, watch.for_each(|_| async {})).await;
        }
    }
    Ok(())
}

async fn watch_objects(
    connection: &Connection,
    definition: &Definition,
) -> Option<impl Stream<Item = kube::Result<WatchEvent<DynamicObject>>> + Unpin> {
    let kind = GroupVersionKind::gvk(&definition.group, definition.served.first()?, &definition.kind);
    let resource = ApiResource::from_gvk_with_plural(&kind, &definition.plural);
    let objects: Api<DynamicObject> = Api::all_with(connection.client.clone(), &resource);
    objects.watch(&WatchParams::default(), "0").await.ok().map(Box::pin)
}

async fn apply(connection: &Connection, definition: &Definition, object: &DynamicObject) -> Result<Applied> {
    let attempt = Attempt { verb: "patch", resource: RESOURCE, name: &definition.name, namespace: None };
    // If the operator is deployed too, it is the field manager of `caBundle`.
    let apply = Apply { force_conflicts: true, dry_run: false, keeps_run: false };
    apply.object(connection, &definitions_api(connection), object, attempt).await
}

/// Ends the conversion of objects by the operator that `opctl run` started for the project. If the operator is also
/// deployed, the deployed operator converts the objects again.
///
/// If the operator is not deployed, a CRD whose versions all have the same fields loses its conversion webhook. A CRD
/// whose versions have different fields keeps a webhook that no operator serves: the API server then refuses requests
/// for versions other than the storage version, instead of dropping fields. Even such a webhook is removed if it would
/// keep a namespace from being deleted, or if the server refuses the project's CRD.
///
/// Returns messages about the versions and fields that clients cannot use from then on.
///
/// # Errors
/// Tries all CRDs, and then fails with the first refusal of the server.
pub async fn end_local_conversions(connection: &Connection, root: &Path, project: &str) -> Result<Vec<String>> {
    let parameters = ListParams::default().labels(&label(project));
    let attempt = Attempt { verb: "list", resource: RESOURCE, name: RESOURCE, namespace: None };
    let live = definitions_api(connection).list(&parameters).await;
    let live = live.map_err(|error| request_error(&error, connection, attempt))?;
    if live.items.is_empty() {
        return Ok(Vec::new());
    }
    let known = read_definitions(root).unwrap_or_default();
    let mut result = Ok(Vec::new());
    for object in live.items.iter().filter(|object| is_converted(object)) {
        let name = object.metadata.name.as_deref().unwrap_or_default();
        let definition = known.iter().find(|definition| definition.name == name);
        let ended = match definition {
            Some(definition) => end_conversion(connection, definition, object).await.ok(),
            None => None,
        };
        let ended = match ended {
            Some(said) => Ok(said),
            None => {
                stop(connection, name).await.map(|()| definition.and_then(|one| lost_fields_message(connection, one)))
            }
        };
        result = match (result, ended) {
            (Ok(mut all), Ok(said)) => {
                all.extend(said);
                Ok(all)
            }
            (Err(error), _) | (Ok(_), Err(error)) => Err(error),
        };
    }
    result
}

async fn end_conversion(
    connection: &Connection,
    definition: &Definition,
    live: &DynamicObject,
) -> Result<Option<String>> {
    if is_deployed(connection, &definition.object).await? {
        apply(connection, definition, &definition.object).await?;
        return Ok(None);
    }
    let lost = lost_fields_message(connection, definition);
    if lost.is_none() || !needs_no_conversion(definition, live) {
        apply(connection, definition, &without_conversion(&definition.object)).await?;
        return Ok(lost);
    }
    apply(connection, definition, &definition.object).await?;
    let versions: Vec<String> = definition.served.iter().skip(1).map(|version| format!("`{version}`")).collect();
    let (name, versions) = (&definition.plural, versions.join(", "));
    let (run, deploy) = (connection.target.opctl("run"), connection.target.opctl("deploy"));
    Ok(Some(format!(
        "no operator currently converts {name} between their versions: the API server rejects requests for {versions} \
         until you run `{}` or `{}`",
        run.as_str(),
        deploy.as_str()
    )))
}

/// Returns the message about the fields that clients lose while no operator converts the objects; `None` if all
/// versions have the same fields.
fn lost_fields_message(connection: &Connection, definition: &Definition) -> Option<String> {
    let object = serde_json::to_value(&definition.object).ok()?;
    let stored = stored_version(&object)?;
    let mut fields: Vec<String> =
        unshared_fields(&object).iter().map(|(version, path)| format!("`{path}` of {version}")).collect();
    let more = fields.len().saturating_sub(NAMED);
    fields.truncate(NAMED);
    if more > 0 {
        fields.push(format!("{more} more"));
    }
    let (plural, run) = (&definition.plural, connection.target.opctl("run"));
    (!fields.is_empty()).then(|| {
        format!(
            "no operator currently converts {plural} between their versions: the API server drops {} from objects \
             that are read or written in another version. Use only `{stored}` until you run `{}`",
            fields.join(", "),
            run.as_str()
        )
    })
}

/// Returns true if all objects are stored in the preferred version, the served version with the highest priority. The
/// API server uses this version to delete the objects of a namespace, so it can then delete them without a conversion.
fn needs_no_conversion(definition: &Definition, live: &DynamicObject) -> bool {
    let stored = live.data.pointer("/status/storedVersions").and_then(Value::as_array);
    let preferred = definition.served.iter().max_by_key(|version| Version::parse(version).priority());
    let is_preferred = |version: &Value| preferred.is_some_and(|preferred| version == preferred.as_str());
    stored.is_some_and(|stored| stored.iter().all(is_preferred))
}

/// Returns true if the Service of the conversion webhook exists, so that a deployed operator converts the objects.
async fn is_deployed(connection: &Connection, definition: &DynamicObject) -> Result<bool> {
    let Some((namespace, name)) = service(definition) else { return Ok(false) };
    let services: Api<v1::Service> = Api::namespaced(connection.client.clone(), namespace);
    let attempt = Attempt { verb: "get", resource: "services", name, namespace: Some(namespace) };
    let found = services.get_metadata_opt(name).await;
    found.map(|found| found.is_some()).map_err(|error| request_error(&error, connection, attempt))
}
