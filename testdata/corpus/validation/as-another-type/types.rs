//! Rule: `with` gives the schema of another type.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "validation.example.com", version = "v1", kind = "AsAnotherType", plural = "asanothertypes", namespaced)]
pub struct AsAnotherTypeSpec {
    #[schemars(with = "Option<String>")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<Secret>,
}

#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct Secret(String);
