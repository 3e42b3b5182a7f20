use kube::{Api, Client};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret as CoreSecret};
use api::v1::WebServer;
use std::sync::Arc;

pub fn controller() -> Controller<WebServer> {
    Controller::cluster_scoped(NAME, reconcile)
}
pub async fn reconcile(obj: Arc<WebServer>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    ctx.apply(&*obj, Pod { metadata, ..Pod::default() }).await?;
    Ok(Action::await_change())
}
