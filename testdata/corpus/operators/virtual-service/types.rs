//! Rule: a type in the habits of a service mesh: string matches as unions, durations, percentages, routes by weight.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "operators.example.com",
    version = "v1",
    kind = "VirtualService",
    plural = "virtualservices",
    namespaced,
    shortname = "vs"
)]
pub struct VirtualServiceSpec {
    pub hosts: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub http: Vec<Route>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Route {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub r#match: Vec<Match>,
    pub route: Vec<Weighted>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Match {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uri: Option<StringMatch>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, StringMatch>,
    #[serde(rename = "ignoreUriCase", default)]
    pub ignore_uri_case: bool,
}

/// How a text is compared.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "lowercase")]
pub enum StringMatch {
    /// All of it.
    Exact(String),
    /// Its beginning.
    Prefix(String),
    /// By an expression.
    Regex(String),
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Weighted {
    pub destination: Destination,
    #[serde(default)]
    pub weight: u8,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Destination {
    pub host: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<PortSelector>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct PortSelector {
    pub number: u16,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub enum Fault {
    Delay { percentage: f64, fixed_delay: String },
    Abort { percentage: f64, http_status: u16 },
}
