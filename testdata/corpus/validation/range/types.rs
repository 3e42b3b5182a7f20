//! Rule: `range` is minimum and maximum, in the number's own type.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "validation.example.com", version = "v1", kind = "Range", plural = "ranges", namespaced)]
pub struct RangeSpec {
    #[schemars(range(min = 1, max = 10))]
    pub replicas: i32,
}
