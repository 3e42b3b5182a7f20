//! Rule: an Option as a map's value is nullable, and its nulls are kept.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "maps.example.com", version = "v1", kind = "OptionalValues", plural = "optionalvalueses", namespaced)]
pub struct OptionalValuesSpec {
    pub settings: BTreeMap<String, Option<String>>,
}
