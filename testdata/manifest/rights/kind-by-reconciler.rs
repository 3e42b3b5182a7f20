use kube::{Api, Client};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret as CoreSecret};
use api::v1::WebServer;
use std::sync::Arc;

fn setup(client: Client) {
    Controller::new(Api::all(client), Default::default()).run(reconcile, error_policy, ctx);
}
async fn reconcile(obj: Arc<WebServer>, ctx: Arc<Context>) -> Result<Action, Error> { todo() }
