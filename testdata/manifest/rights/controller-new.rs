use kube::{Api, Client};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret as CoreSecret};
use api::v1::WebServer;
use std::sync::Arc;

fn setup(client: Client) {
    let servers = Api::<WebServer>::all(client.clone());
    Controller::new(servers, watcher::Config::default())
        .owns(Api::<Deployment>::all(client.clone()), watcher::Config::default())
        .watches(Api::<ConfigMap>::all(client), watcher::Config::default(), |config| None)
        .run(reconcile, error_policy, ctx);
}
