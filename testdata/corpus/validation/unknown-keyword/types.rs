//! Rule: a keyword that a CRD does not know is left out with a warning.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "validation.example.com",
    version = "v1",
    kind = "UnknownKeyword",
    plural = "unknownkeywords",
    namespaced
)]
pub struct UnknownKeywordSpec {
    #[schemars(extend("contains" = {"const": "a"}))]
    pub names: Vec<String>,
}
