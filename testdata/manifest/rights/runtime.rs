use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, LimitRange, Namespace, Secret, Service, ServiceAccount};
use k8s_openapi::api::networking::v1::Ingress;
use k8s_openapi::api::rbac::v1::ClusterRole;
use api::v1::WebServer;
use std::sync::Arc;

pub fn controller() -> Controller<WebServer, Pool> {
    Controller::namespaced(NAME, reconcile)
        .owns_with(Watch::<Deployment>::new().page_size(50))
        .owns::<Ingress>()
        .owns_across_namespaces(Watch::<ClusterRole>::new())
        .watches::<Secret>(secrets)
        .watches_with(Watch::<ConfigMap>::new().labels("tier=front"), config_maps)
        .watches_metadata(Watch::<Service>::new(), services)
        .watches_map(Watch::<LimitRange>::new(), in_namespace)
        .watches_map(Watch::<Namespace>::new().index("by-team", teams), named)
        .reads::<ServiceAccount>()
}
pub async fn reconcile(obj: Arc<WebServer>, ctx: Arc<Context<Pool>>) -> anyhow::Result<Action> {
    ctx.remove::<Ingress>(&*obj, "old").await?;
    others.remove::<Secret>("not the context's");
    Ok(Action::await_change())
}
