use k8s_openapi::apimachinery::pkg::api::resource;
use k8s_openapi::apimachinery::pkg::apis::meta;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the user asks for.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "example.com",
    version = "v1alpha1",
    kind = "Cache",
    plural = "caches",
    namespaced,
    status = "CacheStatus",
    derive = "PartialEq",
    doc = "Cache is managed by project.",
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
pub struct CacheSpec {
    // Say here what `title` means, as `///`: `kubectl explain` shows it.
    pub title: String,
    // Say here what `source` means, as `///`: `kubectl explain` shows it.
    pub source: CacheSource,
    // Say here what `limits` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_limits")]
    pub limits: CacheLimits,
    // Say here what `tls` means, as `///`: `kubectl explain` shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tls: Option<CacheTls>,
    // Say here what `ports` means, as `///`: `kubectl explain` shows it.
    #[schemars(length(min = 1, max = 5))]
    pub ports: Vec<CachePort>,
    // Say here what `env` means, as `///`: `kubectl explain` shows it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, CacheEnv>,
}

fn default_limits() -> CacheLimits {
    CacheLimits {
        cpu: default_limits_cpu(),
        burst: default_limits_burst(),
    }
}

/// The fields of `source`.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct CacheSource {
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
pub struct CacheLimits {
    // Say here what `limits.cpu` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_limits_cpu")]
    pub cpu: resource::Quantity,
    // Say here what `limits.burst` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_limits_burst")]
    pub burst: CacheLimitsBurst,
}

fn default_limits_cpu() -> resource::Quantity {
    resource::Quantity("1".into())
}

fn default_limits_burst() -> CacheLimitsBurst {
    CacheLimitsBurst {
        factor: default_limits_burst_factor(),
        notes: Vec::new(),
    }
}

/// The fields of `limits.burst`.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct CacheLimitsBurst {
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
pub struct CacheTls {
    // Say here what `tls.secretName` means, as `///`: `kubectl explain` shows it.
    pub secret_name: String,
    // Say here what `tls.mode` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_tls_mode")]
    pub mode: CacheTlsMode,
}

fn default_tls_mode() -> CacheTlsMode {
    CacheTlsMode::Strict
}

/// The allowed values of `tls.mode`.
#[derive(schemars::JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheTlsMode {
    #[serde(rename = "strict")]
    Strict,
    #[serde(rename = "loose")]
    Loose,
}

/// An item of `ports`.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct CachePort {
    // Say here what `ports.name` means, as `///`: `kubectl explain` shows it.
    #[schemars(length(min = 1, max = 15))]
    pub name: String,
    // Say here what `ports.port` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_ports_port")]
    #[schemars(range(min = 1, max = 65535))]
    pub port: i32,
}

fn default_ports_port() -> i32 {
    443
}

/// A value of `env`.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct CacheEnv {
    // Say here what `env.value` means, as `///`: `kubectl explain` shows it.
    pub value: String,
    // Say here what `env.type` means, as `///`: `kubectl explain` shows it.
    pub type_: CacheEnvType,
}

/// The fields of `env.type`.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct CacheEnvType {
    // Say here what `env.type.names` means, as `///`: `kubectl explain` shows it.
    pub names: BTreeMap<String, String>,
}

/// What the operator reports.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct CacheStatus {
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
            "ports": [{"name":"example"}],
            "source": {"claim":"example"},
            "title": "example",
        });
        let spec = serde_json::from_value(spec).unwrap();
        let obj = Cache::new("a", spec);
        let expected = json!({
            "apiVersion": "example.com/v1alpha1",
            "kind": "Cache",
            "metadata": { "name": "a" },
            "spec": {
                "limits": {"burst":{"factor":1.5},"cpu":"1"},
                "ports": [{"name":"example","port":443}],
                "source": {"claim":"example","readOnly":false},
                "title": "example",
            },
        });
        assert_eq!(serde_json::to_value(obj).unwrap(), expected);
    }
}
