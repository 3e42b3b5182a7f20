//! Rule: a hand-written alternative that describes instead of restricting is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "findings.example.com",
    version = "v1",
    kind = "DescribesInABranch",
    plural = "describesinabranches",
    namespaced
)]
pub struct DescribesInABranchSpec {
    #[schemars(schema_with = "branches")]
    pub a: std::collections::BTreeMap<String, String>,
}

fn branches(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": "object", "not": {"type": "object", "properties": {"a": {"type": "string"}}}})
}
