//! Rule: a default beyond what the server counts to is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "defaults.example.com",
    version = "v1",
    kind = "BeyondTheServer",
    plural = "beyondtheservers",
    namespaced
)]
pub struct BeyondTheServerSpec {
    #[serde(default = "most")]
    pub bytes: u64,
}

fn most() -> u64 {
    u64::MAX
}
