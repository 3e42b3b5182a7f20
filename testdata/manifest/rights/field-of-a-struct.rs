use kube::{Api, Client};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret as CoreSecret};
use api::v1::WebServer;
use std::sync::Arc;

struct Ctx { pods: Api<Pod>, other: u8 }
impl Ctx {
    async fn f(&self) { self.pods.list(&params).await; self.other.list(); }
}
