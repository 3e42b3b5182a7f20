//! Used by both versions and both groups.

use kube::KubeSchema;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, KubeSchema, Clone, Debug)]
pub struct Ruled {
    #[x_kube(validation = "self > 1")]
    pub size: i32, //~ OP551
    #[schemars(extend("contains" = {"const": "a"}))]
    pub names: Vec<String>, //~ OP151
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Limits {
    #[schemars(range(min = 10))]
    pub least: u16, //~ OP613
}

pub fn long(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": "string", "description": "x".repeat(300_000)})
}
