//! Rule: a hand-written reference to nothing is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "findings.example.com",
    version = "v1",
    kind = "ReferenceToNothing",
    plural = "referencetonothings",
    namespaced
)]
pub struct ReferenceToNothingSpec {
    #[schemars(schema_with = "reference")]
    pub a: String,
}

fn reference(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"$ref": "#/components/schemas/Missing"})
}
