//! Rule: a type in the habits of a GitOps toolkit: exactly one of two, intervals by pattern, values of any shape, histories.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use kube::core::ListMerge;
use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "operators.example.com",
    version = "v1",
    kind = "HelmRelease",
    plural = "helmreleases",
    namespaced,
    status = "Observed",
    shortname = "hr"
)]
#[serde(rename_all = "camelCase")]
#[x_kube(validation = ("(has(self.chart) && !has(self.chartRef)) || (!has(self.chart) && has(self.chartRef))", "either chart or chartRef must be set"))]
pub struct HelmReleaseSpec {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chart: Option<Chart>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chart_ref: Option<SourceReference>,
    #[schemars(regex(pattern = r"^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$"))]
    pub interval: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values_from: Vec<ValuesReference>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub install: Option<Install>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 53))]
    pub release_name: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[x_kube(merge_strategy = ListMerge::Atomic)]
    pub depends_on: Vec<String>,
    #[serde(default)]
    pub suspend: bool,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Chart {
    pub name: String,
    #[serde(default = "any")]
    pub version: String,
    pub source_ref: SourceReference,
}

fn any() -> String {
    "*".to_owned()
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct SourceReference {
    pub kind: SourceKind,
    pub name: String,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum SourceKind {
    HelmRepository,
    GitRepository,
    Bucket,
    #[serde(rename = "OCIRepository")]
    OciRepository,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub struct ValuesReference {
    pub kind: ValuesKind,
    pub name: String,
    #[serde(default = "values_key")]
    pub values_key: String,
}

fn values_key() -> String {
    "values.yaml".to_owned()
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum ValuesKind {
    Secret,
    ConfigMap,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Install {
    #[serde(default)]
    pub remediation: Remediation,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crds: Option<CrdsPolicy>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, Default)]
pub struct Remediation {
    #[serde(default)]
    pub retries: i32,
    pub ignore: Option<bool>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum CrdsPolicy {
    Skip,
    Create,
    CreateReplace,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Observed {
    #[serde(default)]
    pub observed_generation: i64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Snapshot>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    pub digest: String,
    pub first_deployed: Time,
    pub version: u32,
}
