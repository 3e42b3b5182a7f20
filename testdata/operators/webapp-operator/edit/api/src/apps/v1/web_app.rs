// ANCHOR: imports
use k8s_openapi::api::core::v1 as core_v1;
use k8s_openapi::apimachinery::pkg::apis::meta;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};
// ANCHOR_END: imports

// ANCHOR: spec
/// What the user asks for.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "apps.example.com",
    version = "v1",
    kind = "WebApp",
    plural = "webapps",
    namespaced,
    status = "WebAppStatus",
    derive = "PartialEq",
    doc = "WebApp is managed by webapp-operator.",
    scale(
        spec_replicas_path = ".spec.replicas",
        status_replicas_path = ".status.replicas",
        label_selector_path = ".status.selector"
    ),
    printcolumn(name = "Image", type_ = "string", json_path = ".spec.image"),
    printcolumn(
        name = "Replicas",
        type_ = "integer",
        json_path = ".spec.replicas"
    ),
    printcolumn(
        name = "Available",
        type_ = "integer",
        json_path = ".status.availableReplicas"
    ),
    printcolumn(
        name = "Age",
        type_ = "date",
        json_path = ".metadata.creationTimestamp"
    ),
    // Its children have the same name, and a Service's is a DNS label.
    validation = Rule::new("self.metadata.name.matches('^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$')")
        .message("name must be a DNS label: 1 to 63 of a-z, 0-9 and -, and a letter first")
)]
#[serde(rename_all = "camelCase")]
pub struct WebAppSpec {
    /// How many pods there are to be.
    #[serde(default = "default_replicas")]
    #[schemars(range(min = 1))]
    pub replicas: i32,
    /// What they run.
    #[schemars(length(min = 1))]
    pub image: String,
    /// Where the container listens, and the Service with it.
    #[serde(default = "default_port")]
    #[schemars(range(min = 1, max = 65535))]
    pub port: i32,
    /// What a pod may use. Write quantities as Kubernetes does: `1`, not `1000m`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resources: Option<core_v1::ResourceRequirements>,
    /// The ConfigMap that the pods read when they start: they are replaced when it changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config_map: Option<String>,
    /// `false` if there is to be no Service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exposed: Option<bool>,
}

// Also the defaults in the CRD: what the API server fills in and what Rust does are the same.
fn default_replicas() -> i32 {
    1
}

fn default_port() -> i32 {
    80
}
// ANCHOR_END: spec

// ANCHOR: status
/// What the operator reports.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct WebAppStatus {
    /// The `metadata.generation` that this status is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// How many pods there are.
    #[serde(default)]
    pub replicas: i32,
    /// How many of them are ready.
    #[serde(default)]
    pub ready_replicas: i32,
    /// How many of them have been ready for long enough.
    #[serde(default)]
    pub available_replicas: i32,
    /// Selects the pods, for autoscalers.
    #[serde(default)]
    pub selector: String,
    /// `Ready`: all pods are as the spec asks for, and ready. `Available`: enough pods are ready.
    /// `Progressing`: pods are being replaced or added. `Degraded`: that does not succeed.
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
        let spec =
            serde_json::from_value(json!({ "image": "nginxinc/nginx-unprivileged:1.27" })).unwrap();
        let obj = WebApp::new("a", spec);
        let expected = json!({
            "apiVersion": "apps.example.com/v1",
            "kind": "WebApp",
            "metadata": { "name": "a" },
            "spec": { "replicas": 1, "image": "nginxinc/nginx-unprivileged:1.27", "port": default_port() },
        });
        assert_eq!(serde_json::to_value(obj).unwrap(), expected);
    }
}
// ANCHOR_END: status
