// ANCHOR: imports
use k8s_openapi::apimachinery::pkg::apis::meta;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};
// ANCHOR_END: imports

// ANCHOR: spec
/// What the user asks for.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "my.domain",
    version = "v1",
    kind = "WebServer",
    plural = "webservers",
    namespaced,
    status = "WebServerStatus",
    derive = "PartialEq",
    doc = "WebServer is a Deployment of a web server, and a Service at the node port 30010.",
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
pub struct WebServerSpec {
    /// How many pods there are to be.
    #[schemars(range(min = 0))]
    pub replicas: i32,
    /// What they run, at port 80.
    #[schemars(length(min = 1))]
    pub image: String,
}
// ANCHOR_END: spec

// ANCHOR: status
/// What the operator reports.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct WebServerStatus {
    /// The `metadata.generation` that this status is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// `Ready` is True when the Service is there and all pods are as the spec asks for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["type".into()]))]
    pub conditions: Vec<meta::v1::Condition>,
}
// ANCHOR_END: status
