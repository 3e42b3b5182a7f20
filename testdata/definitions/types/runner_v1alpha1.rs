use k8s_openapi::api::core::v1::PodTemplateSpec;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;
use k8s_openapi::apimachinery::pkg::runtime::RawExtension;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// RunnerSpec defines the desired state of Runner.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "run.example.org",
    version = "v1alpha1",
    kind = "Runner",
    plural = "runners",
    namespaced,
    status = "RunnerStatus",
    derive = "PartialEq"
)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("default" = {}))]
pub struct RunnerSpec {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extra: Option<Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matrix: Vec<Vec<i32>>,
    /// podTemplate is the checked one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pod_template: Option<PodTemplateSpec>,
    /// replicas that run.
    #[serde(default = "default_replicas")]
    #[schemars(range(min = 0))]
    pub replicas: i32,
    /// selector of pods.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<LabelSelector>,
    /// settings are known in part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settings: Option<RunnerSettings>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sharding: BTreeMap<String, RunnerSharding>,
    /// template of the pods, as a PodTemplateSpec has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<RawExtension>,
}

fn default_replicas() -> i32 {
    1
}

/// The fields of `spec.settings`.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct RunnerSettings {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    #[serde(flatten)]
    pub other: BTreeMap<String, Value>,
}

/// Shard is one part.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct RunnerSharding {
    #[schemars(range(min = 1))]
    pub weight: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<RunnerZone>,
}

#[derive(schemars::JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunnerZone {
    #[serde(rename = "a")]
    A,
    #[serde(rename = "b")]
    B,
}

#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct RunnerStatus {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<RunnerPhase>,
    pub ready: bool,
}

#[derive(schemars::JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunnerPhase {
    Idle,
    Busy,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_written_is_what_was_read() {
        let spec = json!({});
        let spec: RunnerSpec = serde_json::from_value(spec).unwrap();
        let written = serde_json::to_value(&spec).unwrap();
        assert!(!written.to_string().contains(":null"), "{written}");
        let read: RunnerSpec = serde_json::from_value(written).unwrap();
        assert_eq!(read, spec);
    }
}
