//! The attributes of a custom resource, as `#[kube(..)]` states them.

use serde_json::Value;
use std::collections::BTreeMap;

/// The identity of a custom resource, from `#[kube(..)]`.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct KubeAttributes {
    /// The name of the generated root type: `root`, else `struct`, else the kind (kube-derive `KubeAttrs`).
    pub root: String,
    /// The API group.
    pub group: String,
    /// The version.
    pub version: String,
    /// The kind.
    pub kind: String,
    /// True for the storage version; kube's default is true for every version.
    pub storage: bool,
    /// True if the type has a scale subresource, which kube drops silently without a status.
    pub scale: bool,
    /// True if the type has a status subresource.
    pub status: bool,
    /// True if the fields of the struct stand at the root of an object instead of below `spec`.
    #[serde(skip)]
    pub no_spec: bool,
    /// The lines of the attributes, by name, in their order in the source.
    #[serde(skip)]
    pub lines: BTreeMap<String, Vec<usize>>,
    /// The type of the status.
    #[serde(skip)]
    pub status_type: Option<String>,
    /// The value of `schema = ".."`; `disabled` means that the type has no schema.
    #[serde(skip)]
    pub schema: Option<String>,
    /// The CRD as the attributes state it, without schema.
    #[serde(skip)]
    pub stated: Value,
}
