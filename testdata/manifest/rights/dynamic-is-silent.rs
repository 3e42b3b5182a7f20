use kube::{Api, Client};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret as CoreSecret};
use api::v1::WebServer;
use std::sync::Arc;

async fn f(client: Client) {
    let api: Api<DynamicObject> = Api::all_with(client.clone(), &resource);
    api.get("a").await;
    Api::<foreign::Kind>::all(client).get("a").await;
}
