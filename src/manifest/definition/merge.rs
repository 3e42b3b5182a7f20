//! Merges the versions of one kind into one CRD.

use super::kind_version::{Version, storage_version, text};
use crate::model::VERSION_ANNOTATION;
use serde_json::{Map, Value, json};

pub(super) fn merge(versions: &[Version]) -> Value {
    // Values that all versions share come from the storage version.
    let stored = storage_version(versions);
    let crd = &stored.crd;
    let mut names = crd.pointer("/spec/names").and_then(Value::as_object).cloned().unwrap_or_default();
    let kind = stored.api_type.resource.kind.as_str();
    names.entry("listKind").or_insert_with(|| format!("{kind}List").into());
    for key in ["shortNames", "categories"] {
        let mut all: Vec<Value> = Vec::new();
        for version in [stored].into_iter().chain(versions) {
            let values = version.crd.pointer(&format!("/spec/names/{key}")).and_then(Value::as_array);
            for value in values.into_iter().flatten() {
                if !all.contains(value) {
                    all.push(value.clone());
                }
            }
        }
        if !all.is_empty() {
            names.insert(key.to_owned(), all.into());
        }
    }
    names.retain(|_, value| is_stored(value));
    let mut metadata = Map::new();
    let all = |key: &str| {
        let mut all = Map::new();
        for version in versions.iter().chain([stored]) {
            let pairs = version.crd.pointer(&format!("/metadata/{key}")).and_then(Value::as_object);
            all.extend(pairs.cloned().unwrap_or_default());
        }
        all
    };
    let (mut annotations, labels) = (all("annotations"), all("labels"));
    annotations.insert(VERSION_ANNOTATION.to_owned(), env!("CARGO_PKG_VERSION").into());
    metadata.insert("annotations".to_owned(), annotations.into());
    if !labels.is_empty() {
        metadata.insert("labels".to_owned(), labels.into());
    }
    metadata.insert("name".to_owned(), text(crd, "/metadata/name").into());
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": metadata,
        "spec": {
            "group": stored.api_type.resource.group,
            "names": names,
            "scope": text(crd, "/spec/scope"),
            "versions": versions.iter().map(version_entry).collect::<Vec<_>>(),
        },
    })
}

fn version_entry(version: &Version) -> Value {
    let mut entry = version.crd.pointer("/spec/versions/0").and_then(Value::as_object).cloned().unwrap_or_default();
    entry.insert("schema".to_owned(), json!({"openAPIV3Schema": root(&version.schema)}));
    entry.retain(|_, value| is_stored(value));
    entry.into()
}

/// Returns false for an empty list, so that opctl leaves the list out of the CRD. kube up to version 3 writes empty
/// lists, but the API server drops them: the file of the CRD would always differ from the CRD in the cluster.
fn is_stored(value: &Value) -> bool {
    value.as_array().is_none_or(|list| !list.is_empty())
}

/// Returns the root schema of a version. Adds `apiVersion`, `kind` and `metadata` with the same descriptions as
/// controller-gen writes. If the type has no description, uses the description of `spec`.
fn root(schema: &Value) -> Value {
    let mut schema = schema.clone();
    let Some(map) = schema.as_object_mut() else { return schema };
    map.remove("title");
    map.remove("nullable");
    let spec = map.get("properties").and_then(|properties| properties.get("spec"));
    let generated = map.get("description").and_then(Value::as_str).is_some_and(generated_description);
    if generated || !map.contains_key("description") {
        match spec.and_then(|spec| spec.get("description")).cloned() {
            Some(description) => drop(map.insert("description".to_owned(), description)),
            None => drop(map.remove("description")),
        }
    }
    let properties = map.entry("properties").or_insert_with(|| json!({}));
    if let Some(properties) = properties.as_object_mut() {
        properties.insert("apiVersion".to_owned(), json!({"description": API_VERSION, "type": "string"}));
        properties.insert("kind".to_owned(), json!({"description": KIND, "type": "string"}));
        properties.insert("metadata".to_owned(), json!({"type": "object"}));
    }
    schema
}

/// Returns true for the description that kube-derive generates if `#[kube(..)]` has no `doc`.
fn generated_description(text: &str) -> bool {
    text.starts_with("Auto-generated derived type for ") && text.ends_with(" via `CustomResource`")
}

// The documentation of metav1.TypeMeta.
const API_VERSION: &str = "APIVersion defines the versioned schema of this representation of an object.\n\
    Servers should convert recognized schemas to the latest internal value, and\n\
    may reject unrecognized values.\n\
    More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources";

const KIND: &str = "Kind is a string value representing the REST resource this object represents.\n\
    Servers may infer this from the endpoint the client submits requests to.\n\
    Cannot be updated.\n\
    In CamelCase.\n\
    More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds";
