//! Rule: an email is an email to the server.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "formats.example.com", version = "v1", kind = "Email", plural = "emails", namespaced)]
pub struct EmailSpec {
    #[schemars(email)]
    pub contact: String,
}
