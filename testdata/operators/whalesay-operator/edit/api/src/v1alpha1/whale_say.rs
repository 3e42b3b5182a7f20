// ANCHOR: imports
use k8s_openapi::apimachinery::pkg::apis::meta;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};
// ANCHOR_END: imports

// ANCHOR: spec
/// What the user asks for.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "devsectim.io",
    version = "v1alpha1",
    kind = "WhaleSay",
    plural = "whalesays",
    shortname = "wsay",
    namespaced,
    status = "WhaleSayStatus",
    derive = "PartialEq",
    doc = "WhaleSay lets a whale say something, once.",
    printcolumn(name = "Message", type_ = "string", json_path = ".spec.message"),
    printcolumn(
        name = "Complete",
        type_ = "string",
        json_path = ".status.conditions[?(@.type=='Complete')].status"
    ),
    printcolumn(
        name = "Age",
        type_ = "date",
        json_path = ".metadata.creationTimestamp"
    )
)]
#[serde(rename_all = "camelCase")]
pub struct WhaleSaySpec {
    /// What the whale says.
    #[schemars(length(min = 1))]
    pub message: String,
}
// ANCHOR_END: spec

// ANCHOR: status
/// What the operator reports.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct WhaleSayStatus {
    /// The `metadata.generation` that this status is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// When the whale had said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completion_time: Option<meta::v1::Time>,
    /// `Complete` is True when the whale has said the message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["type".into()]))]
    pub conditions: Vec<meta::v1::Condition>,
}
// ANCHOR_END: status
