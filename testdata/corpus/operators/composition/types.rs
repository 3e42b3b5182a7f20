//! Rule: a type in the habits of a control plane of control planes: embedded resources of any kind, patches by type.

use k8s_openapi::apimachinery::pkg::runtime::RawExtension;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "operators.example.com", version = "v1", kind = "Composition", plural = "compositions", namespaced)]
#[serde(rename_all = "camelCase")]
pub struct CompositionSpec {
    pub composite_type_ref: TypeReference,
    #[serde(default)]
    pub mode: Mode,
    pub resources: Vec<Composed>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub struct TypeReference {
    pub api_version: String,
    pub kind: String,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, Default)]
pub enum Mode {
    #[default]
    Resources,
    Pipeline,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Composed {
    pub name: String,
    #[schemars(extend("x-kubernetes-embedded-resource" = true))]
    pub base: RawExtension,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patches: Vec<FieldPatch>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type", rename_all_fields = "camelCase")]
pub enum FieldPatch {
    FromCompositeFieldPath {
        from_field_path: String,
        to_field_path: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        transforms: Vec<Transform>,
    },
    ToCompositeFieldPath {
        from_field_path: String,
        to_field_path: String,
    },
    CombineFromComposite {
        combine: Combine,
        to_field_path: String,
    },
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Combine {
    pub strategy: String,
    pub variables: Vec<String>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Transform {
    Map { pairs: std::collections::BTreeMap<String, serde_json::Value> },
    Math { multiply: i64 },
    Convert { to: String },
}
