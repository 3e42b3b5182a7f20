//! Recognises types of Kubernetes by the fields of an object.

use serde_json::{Map, Value};

/// Paths below `k8s_openapi`, each with the fields of the type as its newest version has them.
const TABLE: &str = include_str!("known.txt");

/// Types with fields that other authors are likely to choose as well: only an atomic object is one of these types.
const ATOMIC: [&str; 5] =
    ["LocalObjectReference", "NodeSelector", "ObjectFieldSelector", "SecretReference", "TypedLocalObjectReference"];

const CONDITION: [&str; 5] = ["lastTransitionTime", "message", "reason", "status", "type"];

/// Rules that the fields of Kubernetes' types do not have: an object with such a rule has another type.
const OWN_RULES: [&str; 7] =
    ["enum", "maxLength", "maximum", "minLength", "minimum", "pattern", "x-kubernetes-validations"];

/// Returns the path of the object's type below `k8s_openapi`; `None` if the type is not known. `name` is the name of
/// the field that holds the object.
pub(super) fn known(name: &str, node: &Map<String, Value>) -> Option<String> {
    let properties = node.get("properties")?.as_object()?;
    if is_condition(node, properties) {
        return Some("apimachinery::pkg::apis::meta::v1::Condition".to_owned());
    }
    if properties.values().any(|property| OWN_RULES.iter().any(|rule| property.get(rule).is_some())) {
        return None;
    }
    let of = |name: &str| properties.get(name).and_then(|field| field.get("properties")).and_then(Value::as_object);
    if properties.keys().eq(["metadata", "spec"]) {
        let spec = of("spec")?;
        return if spec.contains_key("containers") {
            Some("api::core::v1::PodTemplateSpec".to_owned())
        } else if of("spec").and_then(|spec| spec.get("template")).is_some() && spec.contains_key("backoffLimit") {
            Some("api::batch::v1::JobTemplateSpec".to_owned())
        } else {
            None
        };
    }
    let line = TABLE.lines().find(|line| is_like(line, properties, is_atomic(node)))?;
    let path = line.split(' ').next()?;
    let told = |word: &str| {
        let key = properties.get("key").and_then(|key| key["description"].as_str()).unwrap_or_default();
        key.contains(word) || name.to_ascii_lowercase().contains(word)
    };
    if path.ends_with("::ConfigMapKeySelector") && ["secret", "password", "token"].into_iter().any(told) {
        return Some("api::core::v1::SecretKeySelector".to_owned());
    }
    Some(path.to_owned())
}

fn is_atomic(node: &Map<String, Value>) -> bool {
    node.get("x-kubernetes-map-type").is_some_and(|kind| kind == "atomic")
}

/// Returns true if the fields are those of the line's type, or of the type as it was a few versions ago.
fn is_like(line: &str, properties: &Map<String, Value>, atomic: bool) -> bool {
    let mut words = line.split(' ');
    let name = words.next().and_then(|path| path.rsplit("::").next()).unwrap_or_default();
    let fields: Vec<&str> = words.collect();
    let least = match fields.len() {
        ..=3 => 2,
        some @ 4..=6 => some - 1,
        many => many * 6 / 10,
    };
    let exact = fields.len() <= 3 && !["EmptyDirVolumeSource", "Lifecycle"].contains(&name);
    let enough = if exact { properties.len() == fields.len() } else { properties.len() >= least };
    enough && (atomic || !ATOMIC.contains(&name)) && properties.keys().all(|key| fields.contains(&key.as_str()))
}

fn is_condition(node: &Map<String, Value>, properties: &Map<String, Value>) -> bool {
    let required = node.get("required").and_then(Value::as_array).into_iter().flatten();
    let mut required: Vec<&str> = required.filter_map(Value::as_str).collect();
    required.sort_unstable();
    let is_field = |key: &String| key == "observedGeneration" || CONDITION.contains(&key.as_str());
    required == CONDITION && properties.keys().all(is_field)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn types_are_told_by_their_fields() {
        let text = || json!({"type": "string"});
        let object = |names: &[&str]| -> Value { names.iter().map(|name| ((*name).to_owned(), text())).collect() };
        let atomic = |names: &[&str]| json!({"properties": object(names), "x-kubernetes-map-type": "atomic"});
        let plain = |names: &[&str]| json!({"properties": object(names)});
        for (name, node, expected) in [
            ("image", plain(&["name"]), None),
            ("pull", atomic(&["name"]), Some("LocalObjectReference")),
            ("target", plain(&["host", "port"]), None),
            ("resources", plain(&["claims", "limits", "requests"]), Some("ResourceRequirements")),
            ("selector", plain(&["matchExpressions", "matchLabels"]), Some("LabelSelector")),
            ("passwordSecret", atomic(&["key", "name", "optional"]), Some("SecretKeySelector")),
            ("settings", atomic(&["key", "name", "optional"]), Some("ConfigMapKeySelector")),
            ("mount", plain(&["mountPath", "name", "readOnly", "subPath", "subPathExpr", "other"]), None),
            (
                "mount",
                plain(&["mountPath", "mountPropagation", "name", "readOnly", "subPath", "subPathExpr"]),
                Some("VolumeMount"),
            ),
            (
                "template",
                json!({"properties": {"metadata": {}, "spec": {"properties": {"containers": {}}}}}),
                Some("PodTemplateSpec"),
            ),
            (
                "conditions",
                json!({
                    "properties": object(&["lastTransitionTime", "message", "reason", "status", "type"]),
                    "required": ["lastTransitionTime", "message", "reason", "status", "type"],
                }),
                Some("Condition"),
            ),
            ("conditions", plain(&["lastTransitionTime", "message", "reason", "status", "type"]), None),
            ("resources", json!({"properties": {"limits": {}, "requests": {"minimum": 1}}}), None),
        ] {
            let found = known(name, node.as_object().unwrap());
            let found = found.as_deref().and_then(|path| path.rsplit("::").next());
            assert_eq!(found, expected, "{name} {node}");
        }
    }
}
