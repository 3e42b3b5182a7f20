use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

/// PoolSpec defines the desired state of Pool.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "example.org",
    version = "v1",
    kind = "Pool",
    plural = "pools",
    shortname = "po2",
    derive = "PartialEq",
    doc = "Pool is a range of addresses."
)]
#[serde(rename_all = "camelCase")]
pub struct PoolSpec {
    /// addresses that are in use.
    #[schemars(length(min = 1))]
    pub addresses: Vec<String>,
    /// cidr of the pool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "cidr"))]
    pub cidr: Option<String>,
    #[serde(default = "default_mode")]
    pub mode: PoolMode,
    /// tier among pools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = [1, 2, 3]))]
    pub tier: Option<i32>,
}

fn default_mode() -> PoolMode {
    PoolMode::Shared
}

#[derive(schemars::JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoolMode {
    Shared,
    Exclusive,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_written_is_what_was_read() {
        let spec = json!({
            "addresses": ["sample"],
        });
        let spec: PoolSpec = serde_json::from_value(spec).unwrap();
        let written = serde_json::to_value(&spec).unwrap();
        assert!(!written.to_string().contains(":null"), "{written}");
        let read: PoolSpec = serde_json::from_value(written).unwrap();
        assert_eq!(read, spec);
    }
}
