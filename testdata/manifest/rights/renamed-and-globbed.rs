use kube::{Api, Client};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret as CoreSecret};
use api::v1::WebServer;
use std::sync::Arc;

use k8s_openapi::api::batch::v1::*;
use k8s_openapi::api::networking::v1 as net;
fn f(client: Client) {
    Controller::new(Api::<Job>::all(client.clone()), config)
        .owns(Api::<net::Ingress>::all(client.clone()), config)
        .owns(Api::<k8s_openapi::api::storage::v1::StorageClass>::all(client), config);
}
