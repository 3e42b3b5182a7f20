//! Rule: a map of any JSON keeps what is nested in its values.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "free-form.example.com", version = "v1", kind = "MapOfValues", plural = "mapofvalueses", namespaced)]
pub struct MapOfValuesSpec {
    pub settings: BTreeMap<String, Value>,
}
