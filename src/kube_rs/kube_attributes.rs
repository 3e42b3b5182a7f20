//! The attributes of a custom resource, as `#[kube(..)]` states them.

use serde_json::Value;
use std::collections::BTreeMap;

/// The identity of a custom resource, from `#[kube(..)]`.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct KubeAttributes {
    /// The name of the generated root type: the attribute `root`, else `struct`, else `kind` (kube-derive `KubeAttrs`).
    pub root: String,
    /// The API group of the kind, from `#[kube(group = ..)]`.
    pub group: String,
    /// The API version of the kind, from `#[kube(version = ..)]`.
    pub version: String,
    /// The name of the kind, from `#[kube(kind = ..)]`.
    pub kind: String,
    /// True if the version is the storage version; kube's default is true.
    pub storage: bool,
    /// True if `#[kube(..)]` has `scale(..)`; without a status, kube silently ignores the scale subresource.
    pub scale: bool,
    /// True if the type has a status subresource.
    pub status: bool,
    /// True if the fields of the struct are at the root of the object instead of below `spec`.
    #[serde(skip)]
    pub no_spec: bool,
    /// The line numbers of each attribute, by attribute name, in the order of the source.
    #[serde(skip)]
    pub lines: BTreeMap<String, Vec<usize>>,
    /// The Rust type of the status; `None` if `#[kube(..)]` has no `status`.
    #[serde(skip)]
    pub status_type: Option<String>,
    /// The value of `schema = ".."` in `#[kube(..)]`; `disabled` means that the type has no schema.
    #[serde(skip)]
    pub schema: Option<String>,
    /// The CRD that the attributes describe, without schema.
    #[serde(skip)]
    pub stated: Value,
}
