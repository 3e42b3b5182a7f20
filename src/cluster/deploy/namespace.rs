//! Finds the objects that deleting a namespace would delete with it.

use super::member::Member;
use crate::Result;
use crate::cluster::request::list_metadata::metadata_of_all;
use crate::cluster::{Attempt, Connection};
use kube::Api;
use kube::api::DynamicObject;
use kube::discovery::{Discovery, Scope, verbs};

/// Kinds whose objects are created and deleted all the time by controllers and nodes.
const TRANSIENT: &[&str] = &["Endpoints", "EndpointSlice", "Event", "Lease", "NodeMetrics", "PodMetrics"];

/// Objects, as kind and name, that Kubernetes creates in every namespace.
const INNATE: &[(&str, &str)] = &[("ConfigMap", "kube-root-ca.crt"), ("ServiceAccount", "default")];

/// Returns the objects in `namespace`, as `kind/name`, except the objects in `own` (which `undeploy` deletes), objects
/// with an owner reference, and objects that Kubernetes makes.
///
/// # Errors
/// Fails if the server refuses to list a kind, because objects that cannot be listed may belong to other users.
pub(super) async fn others_in(
    namespace: &str,
    own: &[Member],
    discovery: &Discovery,
    connection: &Connection,
) -> Result<Vec<String>> {
    let mut others = Vec::new();
    for (resource, capabilities) in discovery.groups().flat_map(kube::discovery::ApiGroup::resources_by_stability) {
        let listed = capabilities.scope == Scope::Namespaced && capabilities.supports_operation(verbs::LIST);
        if !listed || TRANSIENT.contains(&resource.kind.as_str()) {
            continue;
        }
        let attempt = Attempt { verb: "list", resource: &resource.plural, name: namespace, namespace: Some(namespace) };
        let api: Api<DynamicObject> = Api::namespaced_with(connection.client.clone(), namespace, &resource);
        for metadata in metadata_of_all(connection, &api, "", attempt).await? {
            let name = metadata.name.clone().unwrap_or_default();
            let innate = INNATE.contains(&(resource.kind.as_str(), name.as_str()));
            let owned = metadata.owner_references.as_ref().is_some_and(|owners| !owners.is_empty());
            let object = DynamicObject { types: None, metadata, data: serde_json::Value::Null };
            let member = Member::new((resource.clone(), capabilities.clone()), object);
            if !innate && !owned && !own.iter().any(|own| own.is_same_object(&member)) {
                others.push(member.path());
            }
        }
    }
    Ok(others)
}
