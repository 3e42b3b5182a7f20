//! Rule: chrono's DateTime is a date-time.

use chrono::{DateTime, Utc};
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "times.example.com", version = "v1", kind = "ChronoDateTime", plural = "chronodatetimes", namespaced)]
pub struct ChronoDateTimeSpec {
    pub at: DateTime<Utc>,
}
