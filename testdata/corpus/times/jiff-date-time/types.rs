//! Rule: a date and time without a zone has no format that the server knows.

use jiff::civil::DateTime;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "times.example.com", version = "v1", kind = "JiffDateTime", plural = "jiffdatetimes", namespaced)]
pub struct JiffDateTimeSpec {
    pub at: DateTime,
}
