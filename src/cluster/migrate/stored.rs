//! Reads `status.storedVersions` of a CRD before its objects are rewritten, and sets it afterwards.

use super::plan::Versions;
use crate::cluster::crd::converted::is_converted;
use crate::cluster::crd::crd_api::{RESOURCE, api_resource};
use crate::cluster::{Attempt, Connection, request_error};
use crate::{Error, Result};
use kube::Api;
use kube::api::{DynamicObject, Patch, PatchParams};
use serde_json::json;

/// The maximum number of retries after conflicts with other writers of the CRD.
const TRIES: usize = 10;

/// A CRD in the cluster.
pub(super) struct Live {
    pub(super) object: DynamicObject,
    pub(super) versions: Versions,
}

fn definitions(connection: &Connection) -> Api<DynamicObject> {
    Api::all_with(connection.client.clone(), &api_resource())
}

/// Reads the CRD `name`.
///
/// # Errors
/// Fails if the CRD is not in the cluster, or if the user may not read the CRD.
pub(super) async fn read(connection: &Connection, name: &str) -> Result<Live> {
    let attempt = Attempt { verb: "get", resource: RESOURCE, name, namespace: None };
    let found = definitions(connection).get_opt(name).await;
    let Some(object) = found.map_err(|error| request_error(&error, connection, attempt))? else {
        return Err(Error::cluster(format!("the CRD `{name}` is not installed in the cluster"))
            .caused_by(format!(
                "context `{}` has no CRD with this name, so there are no objects to migrate",
                connection.context
            ))
            .hint(connection.target.opctl("install")));
    };
    let versions = Versions::of(&object)
        .ok_or_else(|| Error::bug(format!("the CRD `{name}` of the cluster has no storage version")))?;
    Ok(Live { object, versions })
}

/// Fails if the CRD `live` no longer has a conversion webhook. When objects are rewritten without the webhook, the
/// objects lose the fields that the storage version lacks.
pub(super) fn check_converted(live: &Live) -> Result<()> {
    if is_converted(&live.object) {
        return Ok(());
    }
    let name = live.object.metadata.name.as_deref().unwrap_or_default();
    Err(Error::conflict(format!("the CRD `{name}` lost its conversion webhook during the migration"))
        .caused_by("objects written without the webhook may have lost the fields that the storage version lacks")
        .hint("run or deploy the operator again, then run the same command again"))
}

/// Sets `status.storedVersions` of a CRD to the storage version alone, after the objects were rewritten. `definition`
/// is the CRD as read at the start of the migration, and `begun` its versions at that time. A dry run stores nothing.
///
/// # Errors
/// Fails if the versions of the CRD have changed since then so that the migration is incomplete, if the CRD has lost
/// its conversion webhook since then, or if the server refuses the request.
pub(super) async fn set(
    connection: &Connection,
    definition: &DynamicObject,
    begun: &Versions,
    dry_run: bool,
) -> Result<()> {
    let name = definition.metadata.name.as_deref().unwrap_or_default();
    let resource = format!("{RESOURCE}/status");
    let attempt = Attempt { verb: "patch", resource: &resource, name, namespace: None };
    let parameters = PatchParams { dry_run, ..PatchParams::default() };
    let mut tries = 0;
    loop {
        let live = read(connection, name).await?;
        if is_converted(definition) {
            check_converted(&live)?;
        }
        let Live { object, versions } = live;
        if !versions.hold_since(begun) {
            return Err(moved_meanwhile(name, begun, &versions));
        }
        if versions.are_moved() {
            return Ok(());
        }
        let patch = json!({
            "metadata": {"resourceVersion": object.metadata.resource_version},
            "status": {"storedVersions": [versions.storage]},
        });
        match definitions(connection).patch_status(name, &parameters, &Patch::Merge(patch)).await {
            Ok(_) => return Ok(()),
            Err(kube::Error::Api(status)) if status.code == 409 && tries < TRIES => tries += 1,
            Err(error) => return Err(request_error(&error, connection, attempt)),
        }
    }
}

fn moved_meanwhile(name: &str, begun: &Versions, now: &Versions) -> Error {
    let stores = |versions: &Versions| format!("`{}` (stored: {})", versions.storage, versions.stored_version_list());
    Error::conflict(format!("the storage version of `{name}` changed during the migration"))
        .caused_by(format!("the storage version was {} and is now {}", stores(begun), stores(now)))
        .hint("run the same command again")
}
