use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the user asks for.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "example.com",
    version = "v1",
    kind = "WebServer",
    plural = "webservers",
    status = "WebServerStatus"
)]
#[serde(rename_all = "camelCase")]
pub struct WebServerSpec {
    pub tls: Option<Tls>,
    pub listeners: Vec<Listener>,
    pub routes: BTreeMap<String, Tls>,
    pub certificates_of_the_server: Vec<Tls>,
    pub protocol: Protocol,
    pub r#type: String,
    pub size: Option<i32>,
    pub replicas: i32,
    #[serde(default = "default_message")]
    pub message: String,
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
    pub owner: String,
}

fn default_message() -> String {
    "hello".to_owned()
}

#[derive(Serialize, Deserialize, schemars::JsonSchema, Clone, Debug, PartialEq)]
pub struct Listener {
    pub port: Port,
    pub name: Option<String>,
}

#[derive(Serialize, Deserialize, schemars::JsonSchema, Clone, Debug, PartialEq)]
pub enum Protocol {
    Http,
    Https(Tls),
    Tcp { port: Port },
}

#[derive(Serialize, Deserialize, schemars::JsonSchema, Clone, Debug, PartialEq)]
pub struct WebServerStatus {
    #[serde(default)]
    pub ready: bool,
}

#[derive(Serialize, Deserialize, schemars::JsonSchema, Clone, Debug, PartialEq)]
pub struct Tls {
    pub secret: String,
}

#[derive(Serialize, Deserialize, schemars::JsonSchema, Clone, Debug, PartialEq)]
pub struct Port(pub i32);
