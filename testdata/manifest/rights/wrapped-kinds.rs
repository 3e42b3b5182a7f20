use kube::{Api, Client};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret as CoreSecret};
use api::v1::WebServer;
use std::sync::Arc;

use kube::core::{DeserializeGuard, PartialObjectMeta};
type Guarded = DeserializeGuard<WebServer>;
fn f(client: Client) {
    Controller::new(Api::<Guarded>::all(client.clone()), config)
        .owns(Api::<PartialObjectMeta<Deployment>>::all(client), config);
}
