//! Rule: an untagged enum of strings that are restricted is a string with one of the restrictions.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "UntaggedRestricted",
    plural = "untaggedrestricteds",
    namespaced
)]
pub struct UntaggedRestrictedSpec {
    pub id: Id,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub enum Id {
    Short(#[schemars(length(max = 3))] String),
    Long(#[schemars(regex(pattern = "^id-"))] String),
}
