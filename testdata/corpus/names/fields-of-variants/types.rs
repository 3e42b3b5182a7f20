//! Rule: `rename_all_fields` names the fields of all variants.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "names.example.com",
    version = "v1",
    kind = "FieldsOfVariants",
    plural = "fieldsofvariantses",
    namespaced
)]
pub struct FieldsOfVariantsSpec {
    pub source: Source,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Source {
    GitClone { branch_name: String },
    HttpGet { base_url: String },
}
