//! A version of a kind, before all versions of the kind are merged into one CRD.

use crate::source::discover::ApiType;
use serde_json::Value;

/// A version of a kind, before all versions of the kind are merged into one CRD.
#[derive(Debug)]
pub struct Version<'a> {
    /// The Rust type that the version is generated from.
    pub api_type: &'a ApiType,
    /// The CRD from `CustomResourceExt::crd`, without schema.
    pub crd: Value,
    /// The structural schema of the version.
    pub schema: Value,
}

pub(super) fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn storage_version<'v, 'a>(versions: &'v [Version<'a>]) -> &'v Version<'a> {
    versions.iter().find(|version| version.api_type.resource.storage).unwrap_or(&versions[0])
}
