use k8s_openapi::apimachinery::pkg::api::resource;
use k8s_openapi::apimachinery::pkg::apis::meta;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

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
    // Say here what `size` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_size")]
    pub size: resource::Quantity,
    // Say here what `mode` means, as `///`: `kubectl explain` shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<CacheMode>,
    // Say here what `type` means, as `///`: `kubectl explain` shows it.
    #[schemars(length(min = 1, max = 20))]
    pub type_: String,
}

fn default_size() -> resource::Quantity {
    resource::Quantity("1Gi".into())
}

/// The allowed values of `mode`.
#[derive(schemars::JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheMode {
    #[serde(rename = "fast")]
    Fast,
    #[serde(rename = "safe")]
    Safe,
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
            "type": "example",
        });
        let spec = serde_json::from_value(spec).unwrap();
        let obj = Cache::new("a", spec);
        let expected = json!({
            "apiVersion": "example.com/v1alpha1",
            "kind": "Cache",
            "metadata": { "name": "a" },
            "spec": {
                "size": "1Gi",
                "type": "example",
            },
        });
        assert_eq!(serde_json::to_value(obj).unwrap(), expected);
    }
}
