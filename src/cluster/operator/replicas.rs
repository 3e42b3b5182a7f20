//! Reads the operator's Deployment and its pods from the cluster.

use crate::Result;
use crate::cluster::{Attempt, Connection, Manager, request_error};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{Container, Pod};
use kube::Api;
use kube::api::ListParams;

/// The maximum number of pods in a response; an operator has only a few pods.
const MOST_PODS: u32 = 100;

/// Reads the operator's Deployment; returns `None` if the Deployment does not exist.
pub async fn deployment(connection: &Connection, manager: &Manager) -> Result<Option<Deployment>> {
    let api: Api<Deployment> = Api::namespaced(connection.client.clone(), &manager.namespace);
    let namespace = Some(manager.namespace.as_str());
    let attempt = Attempt { verb: "get", resource: "deployments", name: &manager.name, namespace };
    api.get_opt(&manager.name).await.map_err(|error| request_error(&error, connection, attempt))
}

/// Reads the pods that match the Deployment's selector, in the order of their names.
pub async fn pods(connection: &Connection, manager: &Manager, deployment: &Deployment) -> Result<Vec<Pod>> {
    let api: Api<Pod> = Api::namespaced(connection.client.clone(), &manager.namespace);
    let namespace = Some(manager.namespace.as_str());
    let attempt = Attempt { verb: "list", resource: "pods", name: "pods", namespace };
    let labels = deployment.spec.selector.match_labels.iter().flatten();
    let selector = labels.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(",");
    let page = api.list(&ListParams::default().labels(&selector).limit(MOST_PODS)).await;
    Ok(page.map_err(|error| request_error(&error, connection, attempt))?.items)
}

/// Returns the operator's container: the container named `manager`, or else the first container.
pub fn container(deployment: &Deployment) -> Option<&Container> {
    let containers = &deployment.spec.template.spec.as_ref()?.containers;
    containers.iter().find(|container| container.name == "manager").or(containers.first())
}
