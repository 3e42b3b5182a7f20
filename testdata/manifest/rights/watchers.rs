use kube::{Api, Client};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret as CoreSecret};
use api::v1::WebServer;
use std::sync::Arc;

use kube::runtime::{reflector, watcher, wait::await_condition};
async fn f(client: Client, pods: Api<Pod>) {
    let stream = reflector(writer, watcher(Api::<ConfigMap>::all(client), config).default_backoff());
    await_condition(pods, "a", is_pod_running()).await;
}
