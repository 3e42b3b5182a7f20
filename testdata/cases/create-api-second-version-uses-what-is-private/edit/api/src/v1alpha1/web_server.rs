use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1alpha1", kind = "WebServer", plural = "webservers", namespaced)]
pub struct WebServerSpec {
    #[serde(default = "super::usual")]
    pub size: i32,
}

fn most() -> i32 {
    super::usual()
}
