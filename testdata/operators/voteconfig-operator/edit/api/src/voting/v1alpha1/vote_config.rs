// ANCHOR: imports
use k8s_openapi::apimachinery::pkg::apis::meta;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};
// ANCHOR_END: imports

// ANCHOR: spec
/// What the user asks for.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "voting.schoolofdevops.com",
    version = "v1alpha1",
    kind = "VoteConfig",
    plural = "voteconfigs",
    namespaced,
    status = "VoteConfigStatus",
    derive = "PartialEq",
    doc = "VoteConfig is what people can vote for, as a ConfigMap for the application.",
    printcolumn(name = "Title", type_ = "string", json_path = ".spec.title"),
    printcolumn(
        name = "ConfigMap",
        type_ = "string",
        json_path = ".status.configMapName"
    ),
    printcolumn(name = "Updated", type_ = "date", json_path = ".status.lastUpdated"),
    printcolumn(
        name = "Age",
        type_ = "date",
        json_path = ".metadata.creationTimestamp"
    )
)]
#[serde(rename_all = "camelCase")]
pub struct VoteConfigSpec {
    /// The question.
    #[schemars(length(min = 1))]
    pub title: String,
    /// The answers to choose from.
    #[schemars(length(min = 2))]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["id".into()]))]
    pub options: Vec<VoteOption>,
}

/// One of the answers.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct VoteOption {
    /// What is counted. No two options have the same.
    pub id: String,
    /// What people read.
    pub label: String,
}
// ANCHOR_END: spec

// ANCHOR: status
/// What the operator reports.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct VoteConfigStatus {
    /// The `metadata.generation` that this status is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// The ConfigMap with the options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config_map_name: Option<String>,
    /// When anything else in this status changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_updated: Option<meta::v1::Time>,
    /// `Ready`: the ConfigMap is as the spec asks for. `CleanedUp`: after a deletion, it is gone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["type".into()]))]
    pub conditions: Vec<meta::v1::Condition>,
}
// ANCHOR_END: status
