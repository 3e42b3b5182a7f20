//! Rule: an alternative that says `nullable` is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "findings.example.com",
    version = "v1",
    kind = "NullableInABranch",
    plural = "nullableinabranches",
    namespaced
)]
pub struct NullableInABranchSpec {
    #[schemars(extend("anyOf" = [{"nullable": true}, {"minLength": 1}]))]
    pub name: String,
}
