use k8s_openapi::api::core::v1 as core_v1;
use k8s_openapi::apimachinery::pkg::apis::meta;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

/// What the user asks for.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "example.net",
    version = "v1alpha1",
    kind = "Shop",
    plural = "shops",
    namespaced,
    status = "ShopStatus",
    derive = "PartialEq",
    doc = "Shop is managed by kinds-operator.",
    scale(
        spec_replicas_path = ".spec.replicas",
        status_replicas_path = ".status.replicas",
        label_selector_path = ".status.selector"
    ),
    printcolumn(
        name = "Replicas",
        type_ = "integer",
        json_path = ".spec.replicas"
    ),
    printcolumn(
        name = "Ready",
        type_ = "string",
        json_path = ".status.conditions[?(@.type=='Ready')].status"
    ),
    printcolumn(
        name = "Image",
        type_ = "string",
        json_path = ".spec.image",
        priority = 1
    ),
    printcolumn(
        name = "Age",
        type_ = "date",
        json_path = ".metadata.creationTimestamp"
    ),
    // Its children have the same name, and some children append a suffix to the name.
    validation = Rule::new("self.metadata.name.matches('^[a-z]([-a-z0-9]{0,50}[a-z0-9])?$')")
        .message("name must be a DNS label: 1 to 52 of a-z, 0-9 and -, and a letter first")
)]
#[serde(rename_all = "camelCase")]
pub struct ShopSpec {
    /// The number of pods.
    #[serde(default = "default_replicas")]
    #[schemars(range(min = 0))]
    pub replicas: i32,
    /// The image that the pods run.
    #[serde(default = "default_image")]
    #[schemars(length(min = 1))]
    pub image: String,
    /// The port at which the container listens, and the Service with it.
    #[serde(default = "default_port")]
    #[schemars(range(min = 1, max = 65535))]
    pub port: i32,
    /// The resources that a pod may use. Write quantities as Kubernetes does: `1`, not `1000m`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resources: Option<core_v1::ResourceRequirements>,
    // Say here what `title` means, as `///`: `kubectl explain` shows it.
    #[schemars(length(min = 1, max = 80))]
    pub title: String,
    // Say here what `theme` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_theme")]
    pub theme: ShopTheme,
    // Say here what `address` means, as `///`: `kubectl explain` shows it.
    pub address: ShopAddress,
}

// Also the defaults in the CRD: what the API server fills in and what Rust does are the same.
fn default_replicas() -> i32 {
    1
}

fn default_image() -> String {
    "nginxinc/nginx-unprivileged:1.27".into()
}

fn default_port() -> i32 {
    8080
}

fn default_theme() -> ShopTheme {
    ShopTheme::Light
}

/// The allowed values of `theme`.
#[derive(schemars::JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShopTheme {
    #[serde(rename = "light")]
    Light,
    #[serde(rename = "dark")]
    Dark,
}

/// The fields of `address`.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct ShopAddress {
    // Say here what `address.city` means, as `///`: `kubectl explain` shows it.
    pub city: String,
    // Say here what `address.floor` means, as `///`: `kubectl explain` shows it.
    #[serde(default = "default_address_floor")]
    pub floor: i32,
}

fn default_address_floor() -> i32 {
    0
}

/// What the operator reports.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct ShopStatus {
    /// The `metadata.generation` that this status is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// The number of pods that exist.
    #[serde(default)]
    pub replicas: i32,
    /// The number of pods that are ready.
    #[serde(default)]
    pub ready_replicas: i32,
    /// Selects the pods, for autoscalers.
    #[serde(default)]
    pub selector: String,
    /// `Ready`: all pods are as the spec asks for, and ready. `Degraded`: the rollout has failed.
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
            "address": {"city":"example"},
            "title": "example",
        });
        let spec = serde_json::from_value(spec).unwrap();
        let obj = Shop::new("a", spec);
        let mut expected_spec = json!({
            "address": {"city":"example","floor":0},
            "theme": "light",
            "title": "example",
        });
        expected_spec["replicas"] = json!(1);
        expected_spec["image"] = json!(default_image());
        expected_spec["port"] = json!(default_port());
        let expected = json!({
            "apiVersion": "example.net/v1alpha1",
            "kind": "Shop",
            "metadata": { "name": "a" },
            "spec": expected_spec,
        });
        assert_eq!(serde_json::to_value(obj).unwrap(), expected);
    }
}
