//! Rule: a hand-written schema with several patterns of keys is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "findings.example.com",
    version = "v1",
    kind = "SeveralKeyPatterns",
    plural = "severalkeypatternses",
    namespaced
)]
pub struct SeveralKeyPatternsSpec {
    #[schemars(schema_with = "patterns")]
    pub a: std::collections::BTreeMap<String, String>,
}

fn patterns(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({
        "type": "object",
        "patternProperties": {"^a": {"type": "string"}, "^b": {"type": "integer"}},
    })
}
