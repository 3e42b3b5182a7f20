//! Rule: a warning that is allowed with a reason is not said.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "findings.example.com", version = "v1", kind = "Allowed", plural = "alloweds", namespaced)]
pub struct AllowedSpec {
    // +opctl:allow:OP151 reason="our own tool reads it"
    #[schemars(extend("contains" = {"const": "a"}))]
    pub names: Vec<String>,
}
