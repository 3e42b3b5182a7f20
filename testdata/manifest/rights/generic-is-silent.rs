use kube::{Api, Client};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret as CoreSecret};
use api::v1::WebServer;
use std::sync::Arc;

async fn f<K: Resource>(api: Api<K>, client: Client) {
    api.get("a").await;
    Api::<K>::all(client).list(&params).await;
}
struct Pods<ConfigMap> { api: Api<ConfigMap> }
