//! Rule: a raw object in a variant of an internally tagged enum is kept.

use k8s_openapi::apimachinery::pkg::runtime::RawExtension;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "free-form.example.com",
    version = "v1",
    kind = "InternalVariantOfAnObject",
    plural = "internalvariantofanobjects",
    namespaced
)]
pub struct InternalVariantOfAnObjectSpec {
    pub source: Source,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type")]
pub enum Source {
    Sized { size: i32 },
    Inline(RawExtension),
}
