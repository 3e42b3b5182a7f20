use kube::{Api, Client};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret as CoreSecret};
use api::v1::WebServer;
use std::sync::Arc;

async fn f(client: Client, api: Api<Pod>) {
    let api = other(api);
    api.get("a").await;
    { let api: Api<Deployment> = Api::all(client); }
    if let Some(api) = maybe { api.get("a").await; }
}
async fn g(api: Api<Pod>) {
    let all = items.map(|api| api.get("a"));
}
