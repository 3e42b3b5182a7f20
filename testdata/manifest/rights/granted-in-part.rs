use kube::{Api, Client};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret as CoreSecret};
use api::v1::WebServer;
use std::sync::Arc;

// +opctl:rbac:groups=apps,resources=deployments,verbs=get;list
fn setup(client: Client) {
    controller.owns(Api::<Deployment>::all(client.clone()), watcher::Config::default());
}
