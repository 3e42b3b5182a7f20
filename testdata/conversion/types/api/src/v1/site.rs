use k8s_openapi::apimachinery::pkg::apis::meta;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

/// What the user asks for.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "example.com",
    version = "v1",
    kind = "Site",
    plural = "sites",
    namespaced,
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
    #[serde(default = "default_replicas")]
    pub replicas: i32,
    /// Encryption.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tls: Option<Tls>,
    /// How much is logged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 9))]
    pub level: Option<i32>,
    /// Where it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[x_kube(validation = ("self == oldSelf", "it never moves"))]
    #[x_kube(validation = ("self != 'nowhere'", "it runs somewhere"))]
    pub zone: Option<String>,
}

fn default_message() -> String {
    "m".into()
}

fn default_replicas() -> i32 {
    1
}

/// Encryption.
#[derive(schemars::JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Tls {
    /// The Secret of the certificate.
    #[schemars(length(min = 1, max = 8))]
    pub secret_name: String,
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
}
