use k8s_openapi::apimachinery::pkg::apis::meta;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

/// What the user asks for.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "example.com",
    version = "v1",
    kind = "Database",
    plural = "databases",
    namespaced,
    status = "DatabaseStatus",
    derive = "PartialEq",
    doc = "Database is managed by foo.",
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
pub struct DatabaseSpec {
    /// Say here what `engine` means: `kubectl explain` shows it.
    pub engine: String,
    /// Say here what `configSecret` means: `kubectl explain` shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settings_secret: Option<String>,
    /// Say here what `size` means: `kubectl explain` shows it.
    #[serde(default = "default_size")]
    pub nodes: i32,
}

fn default_size() -> i32 {
    3
}

/// What the operator reports.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct DatabaseStatus {
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
            "engine": "example",
        });
        let spec = serde_json::from_value(spec).unwrap();
        let obj = Database::new("a", spec);
        let expected = json!({
            "apiVersion": "example.com/v1",
            "kind": "Database",
            "metadata": { "name": "a" },
            "spec": {
                "engine": "example",
                "size": 3,
            },
        });
        assert_eq!(serde_json::to_value(obj).unwrap(), expected);
    }
}
