//! Rule: chrono's NaiveDateTime has no format that the server knows.

use chrono::NaiveDateTime;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "times.example.com",
    version = "v1",
    kind = "ChronoDateTimeWithoutZone",
    plural = "chronodatetimewithoutzones",
    namespaced
)]
pub struct ChronoDateTimeWithoutZoneSpec {
    pub at: NaiveDateTime,
}
