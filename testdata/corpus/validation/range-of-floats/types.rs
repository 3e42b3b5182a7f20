//! Rule: a bound with a fraction keeps it.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "validation.example.com",
    version = "v1",
    kind = "RangeOfFloats",
    plural = "rangeoffloatses",
    namespaced
)]
pub struct RangeOfFloatsSpec {
    #[schemars(range(min = 0.5, max = 99.5))]
    pub percent: f64,
}
