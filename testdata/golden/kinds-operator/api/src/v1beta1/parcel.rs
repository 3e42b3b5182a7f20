use k8s_openapi::apimachinery::pkg::api::resource;
use k8s_openapi::apimachinery::pkg::apis::meta;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the user asks for.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "example.net",
    version = "v1beta1",
    kind = "Parcel",
    plural = "parcels",
    namespaced,
    storage = false,
    status = "ParcelStatus",
    derive = "PartialEq",
    doc = "Parcel is managed by kinds-operator.",
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
pub struct ParcelSpec {
    // Say here what `size` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_size")]
    pub size: resource::Quantity,
    // Say here what `mode` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_mode")]
    pub mode: ParcelMode,
    // Say here what `ports` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_ports")]
    #[schemars(length(min = 1, max = 5))]
    #[schemars(inner(range(min = 1, max = 65535)))]
    pub ports: Vec<i32>,
    // Say here what `type` means, as `///`: `kubectl explain` shows it.
    #[schemars(length(min = 1, max = 20))]
    pub type_: String,
    // Say here what `clusterIP` means, as `///`: `kubectl explain` shows it.
    #[serde(rename = "clusterIP")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster_ip: Option<String>,
    // Say here what `gracePeriod` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_grace_period")]
    pub grace_period: kube::core::Duration,
    // Say here what `share` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_share")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
    // Say here what `limit` means, as `///`: `kubectl explain` shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub limit: Option<i64>,
    // Say here what `least` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_least")]
    pub least: i64,
    // Say here what `ids` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_ids")]
    pub ids: Vec<i64>,
    // Say here what `tags` means, as `///`: `kubectl explain` shows it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    // Say here what `labels` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_labels")]
    pub labels: BTreeMap<String, String>,
    // Say here what `annotations` means, as `///`: `kubectl explain` shows it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
    // Say here what `enabled` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_enabled")]
    pub enabled: bool,
    // Say here what `levels` means, as `///`: `kubectl explain` shows it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<ParcelLevel>,
    // Say here what `hosts` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_hosts")]
    pub hosts: Vec<String>,
    // Say here what `budgets` means, as `///`: `kubectl explain` shows it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub budgets: Vec<resource::Quantity>,
    // Say here what `waits` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_waits")]
    pub waits: Vec<kube::core::Duration>,
    // Say here what `source` means, as `///`: `kubectl explain` shows it.
    pub source: ParcelSource,
    // Say here what `limits` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_limits")]
    pub limits: ParcelLimits,
    // Say here what `tls` means, as `///`: `kubectl explain` shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tls: Option<ParcelTls>,
    // Say here what `gates` means, as `///`: `kubectl explain` shows it.
    #[schemars(length(min = 1, max = 5))]
    pub gates: Vec<ParcelGate>,
    // Say here what `env` means, as `///`: `kubectl explain` shows it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, ParcelEnv>,
}

fn default_size() -> resource::Quantity {
    resource::Quantity("1Gi".into())
}

fn default_mode() -> ParcelMode {
    ParcelMode::Fast
}

fn default_ports() -> Vec<i32> {
    vec![80, 443]
}

fn default_grace_period() -> kube::core::Duration {
    std::time::Duration::from_secs(90).into()
}

fn default_share() -> f64 {
    0.5
}

fn default_least() -> i64 {
    -9223372036854775808
}

fn default_ids() -> Vec<i64> {
    vec![7, 5000000000]
}

fn default_labels() -> BTreeMap<String, String> {
    BTreeMap::from([("tier".into(), "web".into())])
}

fn default_enabled() -> bool {
    true
}

fn default_hosts() -> Vec<String> {
    vec![
        "a-rather-long-host.example.com".into(),
        "another-long-host.example.com".into(),
    ]
}

fn default_waits() -> Vec<kube::core::Duration> {
    vec![
        std::time::Duration::from_secs(1).into(),
        std::time::Duration::from_millis(250).into(),
    ]
}

fn default_limits() -> ParcelLimits {
    ParcelLimits {
        cpu: default_limits_cpu(),
        bytes: default_limits_bytes(),
        burst: default_limits_burst(),
    }
}

/// The allowed values of `mode`.
#[derive(schemars::JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParcelMode {
    #[serde(rename = "fast")]
    Fast,
    #[serde(rename = "very-safe")]
    VerySafe,
}

/// The allowed values of `levels`.
#[derive(schemars::JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParcelLevel {
    #[serde(rename = "low")]
    Low,
    #[serde(rename = "high")]
    High,
}

/// The fields of `source`.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct ParcelSource {
    // Say here what `source.claim` means, as `///`: `kubectl explain` shows it.
    #[schemars(length(min = 1, max = 63))]
    pub claim: String,
    // Say here what `source.readOnly` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_source_read_only")]
    pub read_only: bool,
}

fn default_source_read_only() -> bool {
    false
}

/// The fields of `limits`.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct ParcelLimits {
    // Say here what `limits.cpu` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_limits_cpu")]
    pub cpu: resource::Quantity,
    // Say here what `limits.bytes` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_limits_bytes")]
    #[schemars(range(max = 5000000000_i64))]
    pub bytes: i64,
    // Say here what `limits.burst` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_limits_burst")]
    pub burst: ParcelLimitsBurst,
}

fn default_limits_cpu() -> resource::Quantity {
    resource::Quantity("1".into())
}

fn default_limits_bytes() -> i64 {
    7
}

fn default_limits_burst() -> ParcelLimitsBurst {
    ParcelLimitsBurst {
        factor: default_limits_burst_factor(),
        notes: Vec::new(),
    }
}

/// The fields of `limits.burst`.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct ParcelLimitsBurst {
    // Say here what `limits.burst.factor` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_limits_burst_factor")]
    #[schemars(range(min = 1.0, max = 9.0))]
    pub factor: f64,
    // Say here what `limits.burst.notes` means, as `///`: `kubectl explain` shows it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

fn default_limits_burst_factor() -> f64 {
    1.5
}

/// The fields of `tls`.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct ParcelTls {
    // Say here what `tls.secretName` means, as `///`: `kubectl explain` shows it.
    pub secret_name: String,
    // Say here what `tls.mode` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_tls_mode")]
    pub mode: ParcelTlsMode,
}

fn default_tls_mode() -> ParcelTlsMode {
    ParcelTlsMode::Strict
}

/// The allowed values of `tls.mode`.
#[derive(schemars::JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParcelTlsMode {
    #[serde(rename = "strict")]
    Strict,
    #[serde(rename = "loose")]
    Loose,
}

/// An item of `gates`.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct ParcelGate {
    // Say here what `gates.name` means, as `///`: `kubectl explain` shows it.
    #[schemars(length(min = 1, max = 15))]
    pub name: String,
    // Say here what `gates.number` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_gates_number")]
    #[schemars(range(min = 1, max = 65535))]
    pub number: i32,
}

fn default_gates_number() -> i32 {
    443
}

/// A value of `env`.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct ParcelEnv {
    // Say here what `env.value` means, as `///`: `kubectl explain` shows it.
    pub value: String,
    // Say here what `env.type` means, as `///`: `kubectl explain` shows it.
    pub type_: ParcelEnvType,
}

/// The fields of `env.type`.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct ParcelEnvType {
    // Say here what `env.type.names` means, as `///`: `kubectl explain` shows it.
    pub names: BTreeMap<String, String>,
}

/// What the operator reports.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct ParcelStatus {
    /// The `metadata.generation` that this status is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// `Ready` is True when everything the spec asks for is there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["type".into()]))]
    pub conditions: Vec<meta::v1::Condition>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn defaults_are_filled_in_and_nothing_is_null() {
        let spec = json!({
            "gates": [{"name":"example"}],
            "source": {"claim":"example"},
            "type": "example",
        });
        let spec = serde_json::from_value(spec).unwrap();
        let obj = Parcel::new("a", spec);
        let expected = json!({
            "apiVersion": "example.net/v1beta1",
            "kind": "Parcel",
            "metadata": { "name": "a" },
            "spec": {
                "enabled": true,
                "gates": [{"name":"example","number":443}],
                "gracePeriod": "90s",
                "hosts": ["a-rather-long-host.example.com","another-long-host.example.com"],
                "ids": [7,5000000000_i64],
                "labels": {"tier":"web"},
                "least": -9223372036854775808_i64,
                "limits": {"burst":{"factor":1.5},"bytes":7,"cpu":"1"},
                "mode": "fast",
                "ports": [80,443],
                "share": 0.5,
                "size": "1Gi",
                "source": {"claim":"example","readOnly":false},
                "type": "example",
                "waits": ["1s","250ms"],
            },
        });
        assert_eq!(serde_json::to_value(obj).unwrap(), expected);
    }
}
