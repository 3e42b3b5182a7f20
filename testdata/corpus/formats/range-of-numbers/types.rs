//! Rule: a Range is an object of its ends.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::Range;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "formats.example.com", version = "v1", kind = "RangeOfNumbers", plural = "rangeofnumberses", namespaced)]
pub struct RangeOfNumbersSpec {
    pub ports: Range<u16>,
}
