//! Rule: chrono's NaiveDate is a date.

use chrono::NaiveDate;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "times.example.com", version = "v1", kind = "ChronoDate", plural = "chronodates", namespaced)]
pub struct ChronoDateSpec {
    pub day: NaiveDate,
}
