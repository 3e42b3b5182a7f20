//! Selects and adapts the objects that the Operator Lifecycle Manager accepts in a bundle.

use serde_json::Value;

/// The kinds that opctl puts into a bundle in addition to CRDs. [`crate::olm`] lists the kinds that the Operator
/// Lifecycle Manager (OLM) supports. This list contains only the kinds that all OLM releases in use accept, because an
/// OLM release that does not know a kind refuses the whole bundle.
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

/// Returns the CRD without its conversion and without its cert-manager annotations: the Operator Lifecycle Manager
/// configures the conversion, because the Operator Lifecycle Manager chooses the `Service`.
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

/// Returns the object without its namespace: the Operator Lifecycle Manager chooses the namespace.
pub(super) fn without_namespace(object: &Value) -> Value {
    let mut object = object.clone();
    if let Some(metadata) = object["metadata"].as_object_mut() {
        metadata.remove("namespace");
    }
    object
}
