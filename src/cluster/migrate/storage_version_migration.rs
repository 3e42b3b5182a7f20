//! Lets the cluster rewrite the objects of a CRD by means of a `StorageVersionMigration`, if the cluster has a
//! controller for `StorageVersionMigration` objects.

use super::plan::{Progress, progress};
use crate::cluster::{Connection, Definition, FIELD_MANAGER};
use crate::report::Spinner;
use kube::Api;
use kube::api::{ApiResource, DeleteParams, DynamicObject, PostParams};
use kube::core::GroupVersionKind;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const GROUP: &str = "storagemigration.k8s.io";

/// The interval between two polls.
const GLANCE: Duration = Duration::from_millis(200);

/// Lets the cluster rewrite the objects of `definition`. Returns the reason as an error if the cluster does not rewrite
/// the objects, so that opctl has to rewrite them.
pub(super) async fn by_cluster(
    connection: &Connection,
    definition: &Definition,
    served: &str,
    spinner: &Spinner,
) -> Result<(), String> {
    let version = version(connection).await.ok_or("the cluster does not serve StorageVersionMigration")?;
    let kind = GroupVersionKind::gvk(GROUP, &version, "StorageVersionMigration");
    let api: Api<DynamicObject> = Api::all_with(connection.client.clone(), &ApiResource::from_gvk(&kind));
    let name = format!("{FIELD_MANAGER}-{}", definition.name);
    let said = |error: kube::Error| error.to_string();
    // An earlier opctl that was killed may have left a migration, which may still be running.
    let earlier = api.get_opt(&name).await.map_err(said)?;
    let state = earlier.as_ref().map(|earlier| progress(&earlier.data, Duration::ZERO));
    if matches!(state, Some(Progress::Succeeded | Progress::Failed(_))) {
        api.delete(&name, &DeleteParams::default()).await.map_err(said)?;
    }
    if !matches!(state, Some(Progress::Running | Progress::Waiting)) {
        let migration = serde_json::from_value(migration(&name, definition, &version, served))
            .map_err(|error| error.to_string())?;
        api.create(&PostParams::default(), &migration).await.map_err(said)?;
    }
    spinner.set_message(format!("objects of {}: waiting for the cluster's StorageVersionMigration", definition.name));
    let ended = until_ended(&api, &name).await;
    let _ = api.delete(&name, &DeleteParams::default()).await;
    ended
}

/// Returns the preferred API version of `StorageVersionMigration`; `None` if the cluster does not serve the kind.
async fn version(connection: &Connection) -> Option<String> {
    let request = http::Request::get(format!("/apis/{GROUP}")).body(Vec::new()).ok()?;
    let group: Value = connection.client.request(request).await.ok()?;
    group.pointer("/preferredVersion/version")?.as_str().map(str::to_owned)
}

fn migration(name: &str, definition: &Definition, version: &str, served: &str) -> Value {
    let mut resource = json!({"group": definition.group, "resource": definition.plural});
    if version == "v1alpha1" {
        resource["version"] = served.into();
    }
    json!({
        "apiVersion": format!("{GROUP}/{version}"), "kind": "StorageVersionMigration",
        "metadata": {"name": name, "labels": {"app.kubernetes.io/managed-by": FIELD_MANAGER}},
        "spec": {"resource": resource},
    })
}

async fn until_ended(api: &Api<DynamicObject>, name: &str) -> Result<(), String> {
    let begun = Instant::now();
    loop {
        let current = api.get(name).await.map_err(|error| error.to_string())?;
        match progress(&current.data, begun.elapsed()) {
            Progress::Running | Progress::Waiting => tokio::time::sleep(GLANCE).await,
            Progress::Succeeded => return Ok(()),
            Progress::Failed(reason) => return Err(format!("the cluster's StorageVersionMigration fails: {reason}")),
            Progress::Ignored => {
                return Err("no controller in the cluster processes StorageVersionMigration objects".to_owned());
            }
        }
    }
}
