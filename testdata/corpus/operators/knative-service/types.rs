//! Rule: a type in the habits of a serverless platform: a whole PodSpec flattened beside own fields.

use k8s_openapi::api::core::v1::PodSpec;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "operators.example.com",
    version = "v1",
    kind = "KnativeService",
    plural = "knativeservices",
    namespaced
)]
pub struct KnativeServiceSpec {
    pub template: Revision,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub traffic: Vec<Traffic>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Revision {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<ObjectMeta>,
    pub spec: RevisionSpec,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub struct RevisionSpec {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub container_concurrency: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_seconds: Option<i64>,
    #[serde(flatten)]
    pub pod: PodSpec,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Traffic {
    #[serde(default)]
    pub latest_revision: bool,
    #[schemars(range(min = 0, max = 100))]
    pub percent: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
}
