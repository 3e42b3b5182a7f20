//! Schemas of Kubernetes' own types that differ between k8s-openapi and controller-gen.
//!
//! Some of these schemas are replaced as in controller-tools `pkg/crd/known_types.go`. To other schemas, the table
//! in `table.txt` adds the keywords that controller-gen reads from the markers in the Go source of the types.

mod table;

use serde_json::{Map, Value, json};

/// The regular expression for a Kubernetes quantity (controller-tools `known_types.go`).
const QUANTITY: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$";

/// Returns the schema that replaces the generated schema of a Kubernetes type, such as `Quantity`.
pub(super) fn replacement(definition: &str) -> Option<Value> {
    Some(match definition {
        "io.k8s.apimachinery.pkg.api.resource.Quantity" => json!({
            "anyOf": [{"type": "integer"}, {"type": "string"}], "pattern": QUANTITY, "x-kubernetes-int-or-string": true,
        }),
        "io.k8s.apimachinery.pkg.util.intstr.IntOrString" => json!({
            "anyOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": true,
        }),
        "io.k8s.apimachinery.pkg.apis.meta.v1.Time" | "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime" => {
            json!({"type": "string", "format": "date-time"})
        }
        // controller-gen writes a bare object, and the server prunes even the labels of a pod template. With
        // `generateEmbeddedObjectMeta` controller-gen writes these properties, and nothing is pruned.
        "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" => json!({
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "namespace": {"type": "string"},
                "annotations": {"type": "object", "additionalProperties": {"type": "string"}},
                "labels": {"type": "object", "additionalProperties": {"type": "string"}},
                "finalizers": {"type": "array", "items": {"type": "string"}},
            },
            "x-kubernetes-preserve-unknown-fields": true,
        }),
        // These types have no defined shape; the server writes `FieldsV1`.
        "io.k8s.apimachinery.pkg.runtime.RawExtension" | "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1" => {
            json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true})
        }
        "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON" => {
            json!({"x-kubernetes-preserve-unknown-fields": true})
        }
        _ => return None,
    })
}

/// Adds the keywords in `table` to the properties of a definition. Makes `metadata` and properties with a default
/// optional: k8s-openapi's schema requires these properties, but its types read objects without them.
pub(super) fn complete_definition(definition: &str, schema: &mut Value, definitions: &Map<String, Value>) {
    if !definition.starts_with("io.k8s.") {
        return;
    }
    let Some(map) = schema.as_object_mut() else { return };
    let mut optional = vec!["metadata"];
    for (property, words) in table::lines(definition) {
        let Some(additions) = keywords(words) else { continue };
        if property == "." {
            map.extend(additions);
        } else if let Some(Value::Object(target)) = map.get_mut("properties").and_then(|all| all.get_mut(property)) {
            if additions.contains_key("default") {
                optional.push(property);
            }
            target.extend(additions);
            keep_known_keys(target, definitions);
        }
    }
    if let Some(Value::Array(required)) = map.get_mut("required") {
        required.retain(|name| !name.as_str().is_some_and(|name| optional.contains(&name)));
        if required.is_empty() {
            map.remove("required");
        }
    }
}

/// Returns the keywords that a line of `table.txt` describes.
fn keywords(words: &str) -> Option<Map<String, Value>> {
    let mut additions = Map::new();
    let (kinds, others) = words.find('{').map_or((words, ""), |start| words.split_at(start));
    let mut kinds = kinds.split_whitespace();
    match kinds.next() {
        Some("map") => {
            additions.insert("x-kubernetes-list-type".to_owned(), "map".into());
            additions.insert("x-kubernetes-list-map-keys".to_owned(), kinds.collect::<Vec<_>>().into());
        }
        Some(kind @ ("list-atomic" | "list-set")) => {
            additions.insert("x-kubernetes-list-type".to_owned(), kind.trim_start_matches("list-").into());
        }
        Some(kind) => drop(additions.insert("x-kubernetes-map-type".to_owned(), kind.into())),
        None => {}
    }
    if !others.is_empty() {
        additions.extend(serde_json::from_str::<Map<String, Value>>(others).ok()?);
    }
    Some(additions)
}

/// Removes from `x-kubernetes-list-map-keys` the fields that the list's items do not have in `definitions`, because
/// an older Kubernetes version may lack these fields.
fn keep_known_keys(target: &mut Map<String, Value>, definitions: &Map<String, Value>) {
    let reference = target.get("items").and_then(|items| items.get("$ref")).and_then(Value::as_str);
    let item = reference.and_then(|reference| definitions.get(reference.rsplit('/').next()?));
    let known = item.and_then(|item| item.get("properties")).and_then(Value::as_object).cloned();
    if let (Some(known), Some(Value::Array(keys))) = (known, target.get_mut("x-kubernetes-list-map-keys")) {
        keys.retain(|key| key.as_str().is_some_and(|key| known.contains_key(key)));
    }
}

#[cfg(test)]
mod tests;
