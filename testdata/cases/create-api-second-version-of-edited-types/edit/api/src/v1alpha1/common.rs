//! What several kinds share.

use super::MOST;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a disk may use.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// The most.
    pub most: i32,
    pub unit: Unit,
}

#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Unit {
    #[default]
    Gi,
    Mi,
}

pub(super) fn usual() -> Limits {
    Limits { most: MOST, unit: Unit::Gi }
}
