//! Rule: `rename_all` names all variants of an enum.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "names.example.com",
    version = "v1",
    kind = "KebabCaseVariants",
    plural = "kebabcasevariantses",
    namespaced
)]
pub struct KebabCaseVariantsSpec {
    pub mode: Mode,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    ReadOnly,
    ReadWrite,
    #[serde(rename = "RO")]
    Other,
}
