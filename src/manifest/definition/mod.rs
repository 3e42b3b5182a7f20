//! Merges all versions of a kind into one CRD, in controller-gen's shape.

mod size;

use super::lint;
use crate::finding::{Finding, Lint};
use crate::model::VERSION_ANNOTATION;
use crate::source::discover::ApiType;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

pub use size::size;

pub(crate) static LINTS: &[&Lint] =
    &[&size::CLIENT_SIDE_APPLY, &SAME_VERSION, &UNLIKE_NAMES, &NONE_STORED, &SEVERAL_STORED, &SAME_PLURAL];

pub(crate) static SAME_VERSION: Lint = Lint::error(
    "OP214",
    "two types for one version of a kind",
    "The server says `must contain unique version names`.",
    "#[kube(group = \"example.com\", version = \"v1\", kind = \"Foo\")] // twice",
    "#[kube(group = \"example.com\", version = \"v2\", kind = \"Foo\")] // the second time",
);

pub(crate) static UNLIKE_NAMES: Lint = Lint::error(
    "OP215",
    "versions that disagree about plural, singular or scope",
    "All versions of a kind are one CRD, which has these once.",
    "#[kube(version = \"v1\", kind = \"Foo\", namespaced)]\n#[kube(version = \"v2\", kind = \"Foo\")]",
    "#[kube(version = \"v1\", kind = \"Foo\", namespaced)]\n#[kube(version = \"v2\", kind = \"Foo\", namespaced)]",
);

pub(crate) static NONE_STORED: Lint = Lint::error(
    "OP216",
    "no version is stored",
    "The server says `must have exactly one version marked as storage version`.",
    "#[kube(version = \"v1\", kind = \"Foo\", storage = false)] // the only version",
    "#[kube(version = \"v1\", kind = \"Foo\")]",
);

pub(crate) static SEVERAL_STORED: Lint = Lint::error(
    "OP217",
    "several versions are stored",
    "The server says `must have exactly one version marked as storage version`; kube marks each one unless told \
     otherwise.",
    "#[kube(version = \"v1\", kind = \"Foo\")]\n#[kube(version = \"v2\", kind = \"Foo\")]",
    "#[kube(version = \"v1\", kind = \"Foo\", storage = false)]\n#[kube(version = \"v2\", kind = \"Foo\")]",
);

pub(crate) static SAME_PLURAL: Lint = Lint::error(
    "OP218",
    "two kinds of one plural",
    "A CRD is called `<plural>.<group>`, so the second would replace the first.",
    "#[kube(group = \"example.com\", kind = \"Datum\", plural = \"data\")]\n\
     #[kube(group = \"example.com\", kind = \"Data\", plural = \"data\")]",
    "#[kube(group = \"example.com\", kind = \"Data\", plural = \"datasets\")]",
);

/// One version of a kind.
#[derive(Debug)]
pub struct Version<'a> {
    /// The Rust type that the version is made from.
    pub api_type: &'a ApiType,
    /// The CRD from `CustomResourceExt::crd`, without schema.
    pub crd: Value,
    /// The structural schema of the version.
    pub schema: Value,
}

/// A CRD and the types of its versions.
#[derive(Debug)]
pub struct Merged<'a> {
    /// The CRD.
    pub object: Value,
    /// The types of the CRD's versions, in the order of the versions.
    pub types: Vec<&'a ApiType>,
    /// The type of the storage version.
    pub stored: &'a ApiType,
}

/// Merges the versions into one CRD for each kind, by `<group>_<plural>`. There is a finding if versions of a kind
/// disagree, if one comes twice, or if not exactly one is the storage version.
pub fn definitions(versions: Vec<Version<'_>>) -> (BTreeMap<String, Merged<'_>>, Vec<Finding>) {
    let mut kinds: BTreeMap<(String, String), Vec<Version>> = BTreeMap::new();
    for version in versions {
        let resource = &version.api_type.resource;
        kinds.entry((resource.group.clone(), resource.kind.clone())).or_default().push(version);
    }
    let (mut definitions, mut findings) = (BTreeMap::new(), Vec::new());
    for ((group, kind), mut versions) in kinds {
        // By name, as controller-tools `pkg/crd/spec.go` sorts them.
        versions.sort_by(|one, other| one.api_type.resource.version.cmp(&other.api_type.resource.version));
        findings.extend(agree(&versions));
        let stored = stored(&versions).api_type;
        let object = merge(&versions);
        let plural = text(&object, "/spec/names/plural").to_owned();
        let owner = versions[0].api_type;
        let merged = Merged { object, types: versions.iter().map(|version| version.api_type).collect(), stored };
        if definitions.insert(format!("{group}_{plural}"), merged).is_some() {
            let reason = format!("two kinds of `{group}` have the plural `{plural}`; one is `{kind}`");
            let hint = "give one of them another with `#[kube(plural = \"..\")]`";
            findings.push(lint::of_type(owner, ("plural", 0), &SAME_PLURAL, reason, hint));
        }
    }
    (definitions, findings)
}

fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

fn named(version: &Version) -> String {
    format!("`{}` ({})", version.api_type.path, version.api_type.place())
}

fn list(versions: &[&Version]) -> String {
    versions.iter().map(|version| named(version)).collect::<Vec<_>>().join(", ")
}

/// Reports differences between versions in the parts that all versions must have in common.
fn agree(versions: &[Version]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let [first, rest @ ..] = versions else { return findings };
    let kind = &first.api_type.resource.kind;
    for pair in versions.windows(2) {
        if pair[0].api_type.resource.version == pair[1].api_type.resource.version {
            let version = &pair[0].api_type.resource.version;
            let types = list(&[&pair[0], &pair[1]]);
            let reason = format!("`{kind}` has two types for the version `{version}`: {types}");
            let hint = "give one of them another `version`, or remove it";
            findings.push(lint::of_type(pair[1].api_type, ("version", 0), &SAME_VERSION, reason, hint));
        }
    }
    for (pointer, word, attribute) in [
        ("/spec/names/plural", "plural", "plural = \"..\""),
        ("/spec/names/singular", "singular", "singular = \"..\""),
        ("/spec/scope", "scope", "namespaced"),
    ] {
        if let Some(other) = rest.iter().find(|other| text(&other.crd, pointer) != text(&first.crd, pointer)) {
            let (one, two) = (text(&first.crd, pointer), text(&other.crd, pointer));
            let types = list(&[first, other]);
            let reason = format!("the versions of `{kind}` disagree about the {word}, `{one}` and `{two}`: {types}");
            let hint = format!("write the same `#[kube({attribute})]` on both, or on neither");
            let name = attribute.split(' ').next().unwrap_or_default();
            findings.push(lint::of_type(other.api_type, (name, 0), &UNLIKE_NAMES, reason, hint));
        }
    }
    let stored: Vec<&Version> = versions.iter().filter(|version| version.api_type.resource.storage).collect();
    match stored.as_slice() {
        [_] => {}
        [] => {
            let types = list(&versions.iter().collect::<Vec<_>>());
            let reason = format!("no version of `{kind}` is the one that is stored: {types}");
            let hint = "remove `storage = false` from one of them";
            findings.push(lint::of_type(first.api_type, ("storage", 0), &NONE_STORED, reason, hint));
        }
        [.., last] => {
            let (count, types) = (stored.len(), list(&stored));
            let reason = format!("{count} versions of `{kind}` are stored, and only one can be: {types}");
            let hint = "add `storage = false` to `#[kube(..)]` of all but one; kube's default is true";
            findings.push(lint::of_type(last.api_type, ("storage", 0), &SEVERAL_STORED, reason, hint));
        }
    }
    findings
}

fn stored<'v, 'a>(versions: &'v [Version<'a>]) -> &'v Version<'a> {
    versions.iter().find(|version| version.api_type.resource.storage).unwrap_or(&versions[0])
}

fn merge(versions: &[Version]) -> Value {
    // Values that all versions share come from the storage version.
    let stored = stored(versions);
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

/// Returns false for an empty list. kube wrote empty lists up to its version 3; the server drops them, so that the CRD
/// would always differ from the one in the cluster.
fn is_stored(value: &Value) -> bool {
    value.as_array().is_none_or(|list| !list.is_empty())
}

/// Returns the root schema with the fields that every object has, described as controller-gen describes them.
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

/// Returns true for the description that kube-derive writes without `#[kube(doc = "..")]`.
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

#[cfg(test)]
mod tests;
