use kube::{Api, Client};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret as CoreSecret};
use api::v1::WebServer;
use std::sync::Arc;

use kube::runtime::finalizer::{finalizer, Event};
async fn reconcile(obj: Arc<WebServer>, ctx: Arc<Ctx>) {
    let servers = Api::<WebServer>::namespaced(ctx.client.clone(), &ns);
    finalizer(&servers, NAME, obj, |event| async { match event { Event::Apply(obj) => a(obj), Event::Cleanup(obj) => b(obj) } }).await;
}
