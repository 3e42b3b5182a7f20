//! Rule: `length` of a string is minLength and maxLength.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "validation.example.com", version = "v1", kind = "LengthOfText", plural = "lengthoftexts", namespaced)]
pub struct LengthOfTextSpec {
    #[schemars(length(min = 2, max = 4))]
    pub code: String,
}
