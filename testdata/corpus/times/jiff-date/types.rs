//! Rule: jiff's civil Date is a date.

use jiff::civil::Date;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "times.example.com", version = "v1", kind = "JiffDate", plural = "jiffdates", namespaced)]
pub struct JiffDateSpec {
    pub day: Date,
}
