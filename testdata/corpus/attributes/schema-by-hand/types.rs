//! Rule: a root whose schema is written by hand has that schema.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "attributes.example.com",
    version = "v1",
    kind = "SchemaByHand",
    plural = "schemabyhands",
    namespaced,
    schema = "manual"
)]
pub struct SchemaByHandSpec {
    pub a: i32,
}

impl JsonSchema for SchemaByHand {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "SchemaByHand".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "object",
            "properties": {"spec": {"type": "object", "properties": {"a": {"type": "integer", "minimum": 1}}}},
        })
    }
}
