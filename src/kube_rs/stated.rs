//! The CRD that the attributes `#[kube(..)]` describe, generated without the compiled type.
//!
//! `CustomResourceExt::crd` also generates the schema, and panics on types that kube cannot describe but that
//! [`crate::schema`] can, such as internally tagged enums. For such types, opctl uses the CRD of this module
//! (kube-derive `custom_resource/mod.rs`).

use super::kube_attributes::KubeAttributes;
use crate::attributes::{literal, nested_items, nested_literals, text, truth};
use kube::core::{ApiResource, GroupVersionKind};
use serde_json::{Map, Value, json};
use syn::{Lit, Meta};

/// The attribute in `#[kube(..)]` that adds a short name.
pub(crate) const SHORT_NAME: &str = "shortname";
/// The lists of names in a CRD, each with the attribute in `#[kube(..)]` that adds a name to the list.
pub(crate) const NAME_LISTS: [(&str, &str); 2] = [("shortNames", SHORT_NAME), ("categories", "category")];

/// Returns the CRD that `#[kube(..)]` describes, without schema.
pub(super) fn definition(parts: &[Meta], resource: &KubeAttributes) -> Value {
    let all = |name: &str| parts.iter().filter(move |part| part.path().is_ident(name)).collect::<Vec<_>>();
    let one = |name: &str| all(name).into_iter().find_map(text);
    let texts = |name: &str| all(name).into_iter().filter_map(text).collect::<Vec<_>>();
    let flag = |name: &str| all(name).into_iter().find_map(truth);
    let mut names = json!({
        "kind": resource.kind,
        "singular": one("singular").unwrap_or_else(|| resource.kind.to_lowercase()),
        "plural": one("plural").unwrap_or_else(|| usual_plural(&resource.kind)),
    });
    for (key, name) in NAME_LISTS {
        let values = texts(name);
        add(&mut names, key, (!values.is_empty()).then(|| json!(values)));
    }
    let mut version = json!({
        "name": resource.version, "served": flag("served").unwrap_or(true), "storage": resource.storage,
    });
    let columns: Vec<Value> = all("printcolumn").into_iter().map(fields).collect();
    add(&mut version, "additionalPrinterColumns", (!columns.is_empty()).then(|| columns.into()));
    let selectable: Vec<Value> = texts("selectable").into_iter().map(|path| json!({"jsonPath": path})).collect();
    add(&mut version, "selectableFields", (!selectable.is_empty()).then(|| selectable.into()));
    if let Some(deprecated) = all("deprecated").first() {
        add(&mut version, "deprecated", Some(true.into()));
        add(&mut version, "deprecationWarning", text(deprecated).map(Value::from));
    }
    if resource.status {
        let mut subresources = json!({"status": {}});
        add(&mut subresources, "scale", all("scale").first().map(|scale| fields(scale)));
        add(&mut version, "subresources", Some(subresources));
    }
    let mut metadata = json!({});
    for (key, name) in [("annotations", "annotation"), ("labels", "label")] {
        let pairs: Map<String, Value> = all(name)
            .into_iter()
            .filter_map(|part| match nested_literals(part).as_slice() {
                [Lit::Str(key), Lit::Str(value)] => Some((key.value(), value.value().into())),
                _ => None,
            })
            .collect();
        add(&mut metadata, key, (!pairs.is_empty()).then(|| pairs.into()));
    }
    let scope = if flag("namespaced").unwrap_or(false) { "Namespaced" } else { "Cluster" };
    json!({"metadata": metadata, "spec": {"group": resource.group, "names": names, "scope": scope, "versions": [version]}})
}

/// Returns the plural that kube-derive uses for a kind if `#[kube(..)]` has no `plural`.
fn usual_plural(kind: &str) -> String {
    ApiResource::from_gvk(&GroupVersionKind::gvk("", "", kind)).plural
}

fn add(target: &mut Value, key: &str, value: Option<Value>) {
    if let (Some(map), Some(value)) = (target.as_object_mut(), value) {
        map.insert(key.to_owned(), value);
    }
}

/// Converts `name(json_path = "..", type_ = "..", priority = 1)` to a JSON object with the field names of Kubernetes.
/// As in kube, the value can also be a string that contains this JSON object.
fn fields(part: &Meta) -> Value {
    if let Some(json) = text(part) {
        return serde_json::from_str(&json).unwrap_or_default();
    }
    let mut map = Map::new();
    for field in nested_items(part) {
        let (Some(name), Some(value)) = (field.path().get_ident().map(ToString::to_string), literal(&field)) else {
            continue;
        };
        let value = match value {
            Lit::Str(text) => text.value().into(),
            Lit::Int(number) => number.base10_parse::<i64>().map_or(Value::Null, Value::from),
            _ => continue,
        };
        map.insert(heck::ToLowerCamelCase::to_lower_camel_case(name.as_str()), value);
    }
    map.into()
}
