//! The custom resource.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Shop", namespaced, status = "ShopStatus")]
#[serde(rename_all = "camelCase")]
pub struct ShopSpec {
    pub replicas: i32,
    pub image: String,
    pub port: i32,
    pub greeting: String,
}

#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShopStatus {
    pub phase: Option<String>,
    pub observed_generation: Option<i64>,
    pub conditions: Option<Vec<ShopCondition>>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
pub struct ShopCondition {
    pub r#type: String,
    pub status: String,
}
