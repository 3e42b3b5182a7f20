//! Rule: chrono's NaiveTime has no format that the server knows.

use chrono::NaiveTime;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "times.example.com", version = "v1", kind = "ChronoTime", plural = "chronotimes", namespaced)]
pub struct ChronoTimeSpec {
    pub at: NaiveTime,
}
