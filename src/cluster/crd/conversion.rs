//! Turns off the conversion webhook of a CRD in a cluster.

use super::crd_api::{RESOURCE, api_resource};
use crate::Result;
use crate::cluster::{Attempt, Connection, FIELD_MANAGER, request_error};
use kube::Api;
use kube::api::{DynamicObject, Patch, PatchParams};
use serde_json::{Value, json};

/// Sets the conversion strategy of the CRD `name` to `None`. Without a running operator, a conversion webhook would
/// make all versions except the storage version unreadable, and block the deletion of namespaces that have objects.
///
/// # Errors
/// Fails if the server refuses a request.
pub async fn stop(connection: &Connection, name: &str) -> Result<()> {
    let definitions: Api<DynamicObject> = Api::all_with(connection.client.clone(), &api_resource());
    let attempt = Attempt { verb: "patch", resource: RESOURCE, name, namespace: None };
    let parameters = PatchParams { field_manager: Some(FIELD_MANAGER.to_owned()), ..PatchParams::default() };
    let change = json!({ "spec": { "conversion": { "strategy": "None", "webhook": null } } });
    let changed = definitions.patch(name, &parameters, &Patch::Merge(change)).await;
    let changed = changed.map_err(|error| request_error(&error, connection, attempt))?;
    // A merge patch makes opctl own its fields with the operation `Update`, which would conflict with the next apply,
    // so this ownership is removed.
    let mut entries = changed.metadata.managed_fields.iter().flatten();
    let is = |field: &Option<String>, value: &str| field.as_deref() == Some(value);
    let Some(at) = entries.position(|entry| is(&entry.manager, FIELD_MANAGER) && is(&entry.operation, "Update")) else {
        return Ok(());
    };
    let path = format!("/metadata/managedFields/{at}");
    let operations = json!([
        { "op": "test", "path": "/metadata/resourceVersion", "value": changed.metadata.resource_version },
        { "op": "test", "path": format!("{path}/manager"), "value": FIELD_MANAGER },
        { "op": "remove", "path": path },
    ]);
    let Ok(disown) = serde_json::from_value(operations) else { return Ok(()) };
    let disowned = definitions.patch(name, &parameters, &Patch::<Value>::Json(disown)).await;
    disowned.map(drop).map_err(|error| request_error(&error, connection, attempt))
}
