//! Rule: a type in the habits of a Kafka operator: maps of configuration with values of any scalar, storage by type, listeners.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "operators.example.com",
    version = "v1",
    kind = "Kafka",
    plural = "kafkas",
    namespaced,
    status = "Observed"
)]
pub struct KafkaSpec {
    pub kafka: Brokers,
    #[serde(rename = "entityOperator", default, skip_serializing_if = "Option::is_none")]
    pub entity_operator: Option<EntityOperator>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Brokers {
    #[schemars(range(min = 1))]
    pub replicas: i32,
    pub listeners: Vec<Listener>,
    pub storage: Storage,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub config: BTreeMap<String, Value>,
    #[serde(rename = "jvmOptions", default, skip_serializing_if = "Option::is_none")]
    pub jvm_options: Option<JvmOptions>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Listener {
    #[schemars(regex(pattern = "^[a-z0-9]{1,11}$"))]
    pub name: String,
    #[schemars(range(min = 9092))]
    pub port: i32,
    #[serde(rename = "type")]
    pub listener_type: ListenerType,
    pub tls: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authentication: Option<Authentication>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "lowercase")]
pub enum ListenerType {
    Internal,
    Route,
    LoadBalancer,
    NodePort,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type")]
pub enum Authentication {
    #[serde(rename = "tls")]
    Tls {},
    #[serde(rename = "scram-sha-512")]
    Scram {},
    #[serde(rename = "oauth", rename_all = "camelCase")]
    OAuth {
        client_id: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        valid_issuer_uri: Option<String>,
    },
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Storage {
    Ephemeral {
        #[serde(rename = "sizeLimit", default, skip_serializing_if = "Option::is_none")]
        size_limit: Option<String>,
    },
    PersistentClaim {
        size: String,
        #[serde(rename = "deleteClaim", default)]
        delete_claim: bool,
    },
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct JvmOptions {
    #[serde(rename = "-Xms", default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = "^[0-9]+[mMgG]?$"))]
    pub xms: Option<String>,
    #[serde(rename = "-XX", default, skip_serializing_if = "BTreeMap::is_empty")]
    pub xx: BTreeMap<String, String>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub struct EntityOperator {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic_operator: Option<Part>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_operator: Option<Part>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Part {}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Observed {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub listeners: Vec<BTreeMap<String, Value>>,
}
