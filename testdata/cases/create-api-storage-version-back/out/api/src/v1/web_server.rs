use k8s_openapi::apimachinery::pkg::apis::meta;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

/// What the user asks for.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "example.com",
    version = "v1",
    kind = "WebServer",
    plural = "webservers",
    namespaced,
    storage = false,
    status = "WebServerStatus",
    derive = "PartialEq",
    doc = "WebServer is managed by web.",
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
pub struct WebServerSpec {
    /// The text that the Ready condition repeats.
    // An example: replace it with fields of your own.
    #[serde(default = "default_message")]
    #[schemars(length(min = 1, max = 100))]
    pub message: String,
}

// Also the default in the CRD: what the API server fills in and what Rust does are the same.
fn default_message() -> String {
    "Hello, world!".into()
}

/// What the operator reports.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct WebServerStatus {
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
        let spec = serde_json::from_value(json!({})).unwrap();
        let obj = WebServer::new("a", spec);
        let expected = json!({
            "apiVersion": "example.com/v1",
            "kind": "WebServer",
            "metadata": { "name": "a" },
            "spec": { "message": "Hello, world!" },
        });
        assert_eq!(serde_json::to_value(obj).unwrap(), expected);
    }
}
