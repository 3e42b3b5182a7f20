//! Kinds that use all that `#[kube(..)]` has (kube-derive `custom_resource/attrs/mod.rs`).

use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is asked for.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[kube(group = "example.com", version = "v1", kind = "HTTPThing", root = "HttpThing")]
#[kube(doc = "HTTPThing is a thing.", plural = "httpthings", singular = "httpthing", namespaced)]
#[kube(shortname = "ht", shortname = "https")]
#[kube(category = "all", category = "things")]
#[kube(status = "HttpThingStatus")]
#[kube(derive = "Default", derive = "PartialEq", attr = "allow(dead_code)")]
#[kube(printcolumn(
    name = "Size",
    type_ = "integer",
    json_path = ".spec.size",
    description = "How large",
    format = "int32",
    priority = 1
))]
#[kube(printcolumn = r#"{"name": "Color", "type": "string", "jsonPath": ".spec.color"}"#)]
#[kube(selectable = ".spec.color", selectable = ".spec.size")]
#[kube(scale(
    spec_replicas_path = ".spec.size",
    status_replicas_path = ".status.size",
    label_selector_path = ".status.selector"
))]
#[kube(annotation("example.com/one", "1"), annotation("example.com/two", "2"))]
#[kube(label("app.kubernetes.io/name", "thing"))]
#[kube(validation = "self.metadata.name != 'reserved'")]
#[kube(validation = ("self.spec.size >= 0", "size must not be negative"))]
#[kube(storage, served = true, deprecated = "use v2")]
#[serde(rename_all = "camelCase")]
pub struct HttpThingSpec {
    /// How large.
    pub size: i32,
    /// Which color.
    #[schemars(length(max = 20))]
    pub color: String,
}

/// What is there.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct HttpThingStatus {
    /// How large.
    pub size: i32,
    /// Whose pods.
    pub selector: String,
}

/// A scale as JSON, a version that is deprecated without a word, and not stored.
#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Old", namespaced, status = "OldStatus", storage = false)]
#[kube(scale = r#"{"specReplicasPath": ".spec.size", "statusReplicasPath": ".status.size"}"#, deprecated)]
#[kube(label("from", "old"), label("both", "old"), shortname = "o")]
pub struct OldSpec {
    /// How large.
    pub size: i32,
}

/// What is there.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct OldStatus {
    /// How large.
    pub size: i32,
}

/// The version that is stored, and named otherwise.
pub mod newer {
    use super::*;

    /// How it is now.
    #[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(group = "example.com", version = "v2", kind = "Old", namespaced, status = "OldStatus")]
    #[kube(label("both", "new"), category = "all")]
    pub struct OldSpec {
        /// How large.
        pub size: i32,
    }
}

/// The fields stand at the root.
#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Bare", no_spec, namespaced, selectable = ".color")]
pub struct BareFields {
    /// Which color.
    pub color: String,
}

/// Nothing but what kube needs: cluster scope and kube's plural.
#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Plain")]
pub struct PlainSpec {
    /// Which color.
    pub color: String,
}

/// One of two.
#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Choice", namespaced)]
#[serde(rename_all = "camelCase")]
pub enum ChoiceSpec {
    /// A path.
    Path(String),
    /// An address.
    Address(String),
}
