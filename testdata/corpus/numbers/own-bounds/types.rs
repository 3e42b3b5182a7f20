//! Rule: a bound of the user's is stronger than that of the type's width.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "numbers.example.com", version = "v1", kind = "OwnBounds", plural = "ownboundses", namespaced)]
pub struct OwnBoundsSpec {
    #[schemars(range(min = 10, max = 20))]
    pub value: u8,
}
