//! Applies and deletes the configurations of admission webhooks.

use crate::Result;
use crate::cluster::apply::Apply;
use crate::cluster::crd::local_operator::label;
use crate::cluster::{Attempt, Connection, request_error};
use kube::Api;
use kube::api::{ApiResource, DeleteParams, DynamicObject, ListParams};
use kube::core::GroupVersionKind;

const KINDS: [(&str, &str); 2] = [
    ("MutatingWebhookConfiguration", "mutatingwebhookconfigurations"),
    ("ValidatingWebhookConfiguration", "validatingwebhookconfigurations"),
];

pub(super) fn api(connection: &Connection, kind: &str) -> Api<DynamicObject> {
    let kind = GroupVersionKind::gvk("admissionregistration.k8s.io", "v1", kind);
    Api::all_with(connection.client.clone(), &ApiResource::from_gvk(&kind))
}

/// Applies webhook configurations that make the API server call the operator on this machine.
///
/// # Errors
/// Fails if the server refuses a configuration.
pub async fn apply_local_webhooks(connection: &Connection, configurations: &[DynamicObject]) -> Result<()> {
    for object in configurations {
        let kind = object.types.as_ref().map(|types| types.kind.clone()).unwrap_or_default();
        let resource = KINDS.iter().find(|(own, _)| *own == kind).map_or("", |(_, resource)| resource);
        let name = object.metadata.name.clone().unwrap_or_default();
        let attempt = Attempt { verb: "patch", resource, name: &name, namespace: None };
        // The configurations are opctl's own, and a run that was killed may have left them.
        let apply = Apply { force_conflicts: true, dry_run: false, keeps_run: false };
        apply.object(connection, &api(connection, &kind), object, attempt).await?;
    }
    Ok(())
}

/// Deletes the webhook configurations that `opctl run` has applied for the project.
///
/// # Errors
/// Fails if the server refuses a request.
pub async fn delete_local_webhooks(connection: &Connection, project: &str) -> Result<()> {
    for (kind, resource) in KINDS {
        let api = api(connection, kind);
        let parameters = ListParams::default().labels(&label(project));
        let attempt = Attempt { verb: "list", resource, name: resource, namespace: None };
        let found = api.list_metadata(&parameters).await.map_err(|error| request_error(&error, connection, attempt))?;
        for name in found.items.into_iter().filter_map(|object| object.metadata.name) {
            let attempt = Attempt { verb: "delete", resource, name: &name, namespace: None };
            match api.delete(&name, &DeleteParams::default()).await {
                Err(kube::Error::Api(status)) if status.code == 404 => {}
                deleted => drop(deleted.map_err(|error| request_error(&error, connection, attempt))?),
            }
        }
    }
    Ok(())
}
