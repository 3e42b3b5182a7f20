use k8s_openapi::apimachinery::pkg::apis::meta;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

/// What the user asks for.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "example.com",
    version = "v1alpha1",
    kind = "Site",
    plural = "sites",
    namespaced,
    storage = false,
    status = "SiteStatus",
    derive = "PartialEq",
    doc = "Site is managed by project."
)]
#[serde(rename_all = "camelCase")]
pub struct SiteSpec {
    /// The Ready condition repeats it.
    #[serde(default = "default_message")]
    pub message: String,
    /// The number of servers.
    #[serde(default = "default_size")]
    pub size: i32,
    /// The port of an earlier time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legacy_port: Option<i32>,
}

fn default_message() -> String {
    "m".into()
}

fn default_size() -> i32 {
    1
}

/// What the operator reports.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct SiteStatus {
    /// The generation that was reconciled last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// Whether the object is ready, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["type".into()]))]
    pub conditions: Vec<meta::v1::Condition>,
    /// In a word. The newer version has conditions alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
}
