//! Rule: a schema that panics is refused with the words of the panic.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "findings.example.com", version = "v1", kind = "Panic", plural = "panics", namespaced)]
pub struct PanicSpec {
    #[schemars(schema_with = "broken")]
    pub a: i32,
}

fn broken(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    panic!("no schema today")
}
