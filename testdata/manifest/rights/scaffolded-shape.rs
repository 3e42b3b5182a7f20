use kube::{Api, Client};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret as CoreSecret};
use api::v1::WebServer;
use std::sync::Arc;

pub fn controller() -> Controller<WebServer> {
    Controller::namespaced(NAME, reconcile).owns::<Deployment>()
}
pub async fn reconcile(obj: Arc<WebServer>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    let child = ctx.apply(&*obj, deployment(&obj)).await?;
    let config = config_map(&obj)?;
    ctx.apply(&*obj, config).await?;
    ctx.apply_status(&*obj, status(&obj)).await?;
    Ok(Action::await_change())
}
fn deployment(obj: &WebServer) -> Deployment { Deployment::default() }
fn config_map(obj: &WebServer) -> anyhow::Result<ConfigMap> { Ok(ConfigMap::default()) }
