//! Objects in the form for comparisons: without the intended differences between installer and chart.

use crate::installer::without_marks_of_helm;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Objects by API version, kind, namespace and name.
pub(super) type Objects = BTreeMap<String, Value>;

/// Returns all objects in a YAML text. Panics if two objects have the same API version, kind, namespace and name.
pub(super) fn objects(text: &str) -> Objects {
    let all: Vec<Value> = serde_yaml::from_multiple(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut objects = Objects::new();
    for object in all.into_iter().filter(|object| !object.is_null()) {
        let key = key(&object);
        assert!(objects.insert(key.clone(), object).is_none(), "{key} occurs twice");
    }
    objects
}

pub(super) fn key(object: &Value) -> String {
    let metadata = &object["metadata"];
    let parts = [&object["apiVersion"], &object["kind"], &metadata["namespace"], &metadata["name"]];
    parts.map(|part| part.as_str().unwrap_or("-")).join(" ")
}

/// Returns the operator's Deployment.
pub(super) fn operator(objects: &Objects) -> &Value {
    let is_it = |object: &&Value| {
        let pod = &object["spec"]["template"];
        let containers = pod["spec"]["containers"].as_array();
        object["kind"] == "Deployment"
            && pod["metadata"]["labels"]["control-plane"] == "controller-manager"
            && containers.is_some_and(|containers| containers.iter().any(|container| container["name"] == "manager"))
    };
    objects.values().find(is_it).unwrap()
}

/// Returns the object without the parts that only a chart or only an installer has: labels of Helm and of kustomize,
/// the annotation by which Helm keeps a CRD, and, if `is_operator` is true, empty settings of the operator's pods.
pub(super) fn normal(object: &Value, is_operator: bool) -> Value {
    let mut object = object.clone();
    without_marks_of_helm(&mut object);
    if is_operator {
        let pod = &mut object["spec"]["template"]["spec"];
        without_empty(
            pod,
            &[
                "nodeSelector",
                "tolerations",
                "imagePullSecrets",
                "affinity",
                "topologySpreadConstraints",
                "securityContext",
                "volumes",
            ],
        );
        for container in pod["containers"].as_array_mut().unwrap() {
            without_empty(
                container,
                &[
                    "args",
                    "env",
                    "resources",
                    "ports",
                    "securityContext",
                    "livenessProbe",
                    "readinessProbe",
                    "startupProbe",
                    "volumeMounts",
                ],
            );
        }
    }
    object
}

fn without_empty(value: &mut Value, keys: &[&str]) {
    let is_empty = |value: &Value| match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(entries) => entries.is_empty(),
        _ => false,
    };
    value.as_object_mut().unwrap().retain(|key, inner| !keys.contains(&key.as_str()) || !is_empty(inner));
}

/// Returns the object with changed selectors: a selector that excludes the project's namespace by its label excludes
/// the namespace by its name instead, because Helm does not label namespaces.
pub(super) fn with_excluded_namespace(object: &Value, project: &str, namespace: &str) -> Value {
    let without = |key: &str, value: &str| json!({"key": key, "operator": "NotIn", "values": [value]}).to_string();
    let by_name = without("kubernetes.io/metadata.name", namespace);
    let text = object.to_string().replace(&without("app.kubernetes.io/name", project), &by_name);
    serde_json::from_str(&text).unwrap()
}
