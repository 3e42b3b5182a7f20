//! Parts of a disk.

use super::disk::default_name;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Part {
    #[serde(default = "default_name")]
    pub name: String,
}
