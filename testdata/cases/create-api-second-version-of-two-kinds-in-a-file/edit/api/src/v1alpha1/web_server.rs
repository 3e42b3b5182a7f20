use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1alpha1", kind = "WebServer", plural = "webservers", namespaced)]
pub struct WebServerSpec {}

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1alpha1", kind = "Proxy", plural = "proxies", namespaced)]
pub struct ProxySpec {}
