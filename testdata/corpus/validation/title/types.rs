//! Rule: a heading in the documentation is the title, and the rest the description.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "validation.example.com", version = "v1", kind = "Title", plural = "titles", namespaced)]
pub struct TitleSpec {
    /// # Size
    ///
    /// How large it is.
    pub size: i32,
}
