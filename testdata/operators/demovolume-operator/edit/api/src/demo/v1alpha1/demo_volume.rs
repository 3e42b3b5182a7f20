// ANCHOR: imports
use k8s_openapi::apimachinery::pkg::apis::meta;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};
// ANCHOR_END: imports

// ANCHOR: spec
/// What the user asks for.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "demo.example.com",
    version = "v1alpha1",
    kind = "DemoVolume",
    plural = "demovolumes",
    namespaced,
    status = "DemoVolumeStatus",
    derive = "PartialEq",
    doc = "DemoVolume is a claim for a volume of some size.",
    printcolumn(name = "Size", type_ = "integer", json_path = ".spec.size"),
    printcolumn(
        name = "Ready",
        type_ = "string",
        json_path = ".status.conditions[?(@.type=='Ready')].status"
    ),
    printcolumn(
        name = "Age",
        type_ = "date",
        json_path = ".metadata.creationTimestamp"
    )
)]
#[serde(rename_all = "camelCase")]
pub struct DemoVolumeSpec {
    /// What people call it. The claim is named like the object.
    #[schemars(length(min = 1))]
    pub name: String,
    /// In GiB. It can grow where the storage class lets volumes grow, and never shrink.
    #[schemars(range(min = 1, max = 65536))]
    pub size: i32,
}
// ANCHOR_END: spec

// ANCHOR: status
/// What the operator reports.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct DemoVolumeStatus {
    /// The `metadata.generation` that this status is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// The name in the spec that the claim is for.
    #[serde(default)]
    pub name: String,
    /// `Ready` is True when there is a volume of the size that the spec asks for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["type".into()]))]
    pub conditions: Vec<meta::v1::Condition>,
}
// ANCHOR_END: status
