use super::*;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

mod limits;
#[cfg(test)]
mod tests;

/// In words of its own: example.com/v1alpha1.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1alpha1", kind = "WebServer", plural = "webservers", namespaced)]
#[kube(deprecated = "use v1", shortname = "ws")] // for now
pub struct WebServerSpec {
    pub part: Part,
    pub proxy: ProxySpec,
    pub any: Json,
    pub limits: limits::Limits,
}
