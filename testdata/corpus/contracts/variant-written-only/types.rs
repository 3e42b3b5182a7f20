//! Rule: a variant with data that is written and never read is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "contracts.example.com",
    version = "v1",
    kind = "VariantWrittenOnly",
    plural = "variantwrittenonlys",
    namespaced
)]
pub struct VariantWrittenOnlySpec {
    pub store: Store,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub enum Store {
    Disk { path: String },
    #[serde(skip_deserializing)]
    Memory { megabytes: i32 },
}
