use kube::{Api, Client};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret as CoreSecret};
use api::v1::WebServer;
use std::sync::Arc;

fn pods(client: Client) -> Api<Pod> { Api::all(client) }
async fn f(client: Client) { pods(client).delete("a", &params).await; }
