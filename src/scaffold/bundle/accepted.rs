//! The objects that the Operator Lifecycle Manager accepts in a bundle.

use serde_json::Value;

/// Kinds that opctl puts into a bundle besides CRDs: those of [`crate::olm`]'s list that all releases of the Operator
/// Lifecycle Manager in use accept. One that does not know a kind refuses the whole bundle.
pub(super) const SUPPORTED: [&str; 12] = [
    "ClusterRole",
    "ClusterRoleBinding",
    "ConfigMap",
    "PodDisruptionBudget",
    "PriorityClass",
    "PrometheusRule",
    "Role",
    "RoleBinding",
    "Secret",
    "Service",
    "ServiceAccount",
    "ServiceMonitor",
];

/// Removes the conversion of a CRD and the annotations by which cert-manager fills it: the Operator Lifecycle Manager
/// sets the conversion, because it chooses the Service.
pub(super) fn without_conversion(definition: &Value) -> Value {
    let mut definition = definition.clone();
    if let Some(spec) = definition["spec"].as_object_mut() {
        spec.remove("conversion");
    }
    if let Some(metadata) = definition["metadata"].as_object_mut()
        && let Some(annotations) = metadata.get_mut("annotations").and_then(Value::as_object_mut)
    {
        annotations.retain(|name, _| !name.starts_with("cert-manager.io/"));
        if annotations.is_empty() {
            metadata.remove("annotations");
        }
    }
    definition
}

/// Removes the namespace of an object: the Operator Lifecycle Manager chooses it.
pub(super) fn without_namespace(object: &Value) -> Value {
    let mut object = object.clone();
    if let Some(metadata) = object["metadata"].as_object_mut() {
        metadata.remove("namespace");
    }
    object
}
