//! Rule: a Uuid is a uuid.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid as Id;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "formats.example.com", version = "v1", kind = "Uuid", plural = "uuids", namespaced)]
pub struct UuidSpec {
    pub id: Id,
}
