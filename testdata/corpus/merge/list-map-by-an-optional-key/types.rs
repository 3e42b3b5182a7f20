//! Rule: a key of a list that is a map is required or has a default.

use kube::core::ListMerge;
use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "merge.example.com",
    version = "v1",
    kind = "ListMapByAnOptionalKey",
    plural = "listmapbyanoptionalkeys",
    namespaced
)]
pub struct ListMapByAnOptionalKeySpec {
    #[x_kube(merge_strategy = ListMerge::Map(vec!["name".into(), "protocol".into()]))]
    pub ports: Vec<Port>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Port {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default = "tcp")]
    pub protocol: String,
    pub number: u16,
}

fn tcp() -> String {
    "TCP".to_owned()
}
