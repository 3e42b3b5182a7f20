//! Another group, whose types have the names of those of the first.

use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "shop.example.com", version = "v1", kind = "Fields", plural = "fields")]
pub struct FieldsSpec {
    pub part: Part,
    pub shared: crate::parts::Shared,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Part {
    pub size: i32,
    pub more: String,
    pub nothing: (), //~ OP107
}

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "shop.example.com", version = "v1", kind = "Datum")]
#[kube(plural = "data")] //~ OP218
pub struct DatumSpec {}

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "shop.example.com", version = "v1", kind = "Data")]
#[kube(plural = "data")]
pub struct DataSpec {}
