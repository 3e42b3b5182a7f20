//! Rule: bounds at and beyond what the server counts to are left to it.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "numbers.example.com",
    version = "v1",
    kind = "BoundsAtTheLimit",
    plural = "boundsatthelimits",
    namespaced
)]
pub struct BoundsAtTheLimitSpec {
    #[schemars(range(min = i64::MIN, max = i64::MAX))]
    pub signed: i64,
    #[schemars(range(max = u64::MAX))]
    pub unsigned: u64,
    #[schemars(range(max = 9007199254740992u64))]
    pub exact: u64,
}
