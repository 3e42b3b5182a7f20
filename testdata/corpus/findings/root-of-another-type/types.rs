//! Rule: a root that is not an object is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "findings.example.com",
    version = "v1",
    kind = "RootOfAnotherType",
    plural = "rootofanothertypes",
    namespaced,
    schema = "manual"
)]
pub struct RootOfAnotherTypeSpec {
    pub a: i32,
}

impl JsonSchema for RootOfAnotherType {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "RootOfAnotherType".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string"})
    }
}
