//! Finds the operator's `Deployment` and container among rendered objects.

use serde_json::Value;

/// The name of the operator's container, as in kubebuilder's projects.
const MANAGER: &str = "manager";

/// Returns the operator's `Deployment`: the first `Deployment` with kubebuilder's label and container name, else
/// the first `Deployment` with the container name, else the first `Deployment`.
pub fn operator_deployment(objects: &[Value]) -> Option<&Value> {
    let deployments = || objects.iter().filter(|object| object["kind"] == "Deployment");
    let is_manager = |deployment: &&Value| manager(deployment)["name"] == MANAGER;
    let is_labelled = |deployment: &&Value| {
        deployment.pointer("/spec/template/metadata/labels/control-plane") == Some(&"controller-manager".into())
    };
    deployments()
        .filter(is_manager)
        .find(is_labelled)
        .or_else(|| deployments().find(is_manager))
        .or_else(|| deployments().next())
}

/// Returns the operator's container: the container named `manager`, or else the first container.
pub fn manager(deployment: &Value) -> &Value {
    let pointer = format!("/spec/template/spec/containers/{}", manager_position(deployment));
    deployment.pointer(&pointer).unwrap_or(&Value::Null)
}

/// Returns the position of the operator's container among the containers of its Deployment.
pub fn manager_position(deployment: &Value) -> usize {
    let containers = deployment.pointer("/spec/template/spec/containers").and_then(Value::as_array);
    let position = |containers: &Vec<Value>| containers.iter().position(|container| container["name"] == MANAGER);
    containers.and_then(position).unwrap_or_default()
}
