use kube::{Api, Client};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret as CoreSecret};
use api::v1::WebServer;
use std::sync::Arc;

// +opctl:rbac:groups=example.com,resources=webservers,verbs=get;list;watch
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=*
// +opctl:rbac:groups=core,resources=configmaps,verbs=list;watch,namespace=default
fn setup(client: Client) {
    Controller::new(Api::<WebServer>::all(client.clone()), watcher::Config::default())
        .owns(Api::<Deployment>::all(client.clone()), watcher::Config::default())
        .watches(Api::<ConfigMap>::all(client), watcher::Config::default(), |config| None);
}
