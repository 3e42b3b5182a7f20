//! Rule: a type in the habits of the Gateway API: unions by a type field with rules, parents as a list map, weights.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::core::ListMerge;
use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "operators.example.com",
    version = "v1",
    kind = "HttpRoute",
    plural = "httproutes",
    namespaced,
    status = "RouteStatus",
    root = "HttpRouteRoot",
    category = "gateway"
)]
#[serde(rename_all = "camelCase")]
pub struct HttpRouteSpec {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 32))]
    pub parent_refs: Vec<ParentReference>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(
        length(max = 16),
        inner(
            length(min = 1, max = 253),
            regex(pattern = r"^(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$")
        )
    )]
    pub hostnames: Vec<String>,
    #[schemars(length(min = 1, max = 16))]
    pub rules: Vec<RouteRule>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub struct ParentReference {
    #[serde(default = "gateway_group")]
    pub group: String,
    #[serde(default = "gateway_kind")]
    pub kind: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 65535))]
    pub port: Option<i32>,
}

fn gateway_group() -> String {
    "gateway.example.com".to_owned()
}

fn gateway_kind() -> String {
    "Gateway".to_owned()
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub struct RouteRule {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 8))]
    pub matches: Vec<RouteMatch>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 16))]
    pub filters: Vec<RouteFilter>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 16))]
    pub backend_refs: Vec<BackendReference>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct RouteMatch {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<PathMatch>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<Method>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct PathMatch {
    #[serde(rename = "type", default)]
    pub match_type: PathMatchType,
    #[schemars(length(max = 1024))]
    pub value: String,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, Default)]
pub enum PathMatchType {
    Exact,
    #[default]
    PathPrefix,
    RegularExpression,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    Get,
    Post,
    Put,
    Delete,
}

/// One of the filters, as `type` says.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "camelCase")]
#[x_kube(validation = ("self.type == 'RequestRedirect' ? has(self.requestRedirect) : !has(self.requestRedirect)", "filter.requestRedirect must be set for the filter type RequestRedirect, and only then"))]
#[x_kube(validation = ("self.type == 'RequestHeaderModifier' ? has(self.requestHeaderModifier) : !has(self.requestHeaderModifier)", "filter.requestHeaderModifier must be set for the filter type RequestHeaderModifier, and only then"))]
pub struct RouteFilter {
    pub r#type: FilterType,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_redirect: Option<Redirect>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_header_modifier: Option<HeaderModifier>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum FilterType {
    RequestRedirect,
    RequestHeaderModifier,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Redirect {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hostname: Option<String>,
    #[serde(default = "found")]
    #[schemars(extend("enum" = [301, 302]))]
    pub status_code: i32,
}

fn found() -> i32 {
    302
}

#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug)]
pub struct HeaderModifier {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 16))]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["name".into()]))]
    pub set: Vec<Header>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Header {
    pub name: String,
    pub value: String,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct BackendReference {
    pub name: String,
    pub port: u16,
    #[serde(default = "weight")]
    #[schemars(range(min = 0, max = 1000000))]
    pub weight: i32,
}

fn weight() -> i32 {
    1
}

#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug)]
pub struct RouteStatus {
    #[x_kube(merge_strategy = ListMerge::Map(vec!["type".into()]))]
    pub conditions: Vec<Condition>,
}
