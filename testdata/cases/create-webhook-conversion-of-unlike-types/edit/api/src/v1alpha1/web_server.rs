use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the user asks for.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "example.com",
    version = "v1alpha1",
    kind = "WebServer",
    plural = "webservers",
    storage = false,
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
    pub size: i32,
    pub replicas: String,
    pub grace: i32,
}

#[derive(Serialize, Deserialize, schemars::JsonSchema, Clone, Debug, PartialEq)]
pub struct Listener {
    pub port: Port,
}

#[derive(Serialize, Deserialize, schemars::JsonSchema, Clone, Debug, PartialEq)]
pub enum Protocol {
    Http,
    Https(Tls),
    Tcp { port: Port },
    Old,
}

#[derive(Serialize, Deserialize, schemars::JsonSchema, Clone, Debug, PartialEq)]
pub struct WebServerStatus {}

#[derive(Serialize, Deserialize, schemars::JsonSchema, Clone, Debug, PartialEq)]
pub struct Tls {
    pub secret: String,
}

#[derive(Serialize, Deserialize, schemars::JsonSchema, Clone, Debug, PartialEq)]
pub struct Port(pub i32);
