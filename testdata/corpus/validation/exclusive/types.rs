//! Rule: an exclusive bound is a bound and a flag.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "validation.example.com", version = "v1", kind = "Exclusive", plural = "exclusives", namespaced)]
pub struct ExclusiveSpec {
    #[schemars(range(min = 0), extend("exclusiveMinimum" = true))]
    pub above: i32,
    #[schemars(extend("exclusiveMaximum" = 1.0))]
    pub below: f64,
}
