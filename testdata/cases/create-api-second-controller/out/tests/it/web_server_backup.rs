//! `web-server-backup` on a real API server, with the rights of the operator's role.
use api::v1alpha1::WebServer;
use k8s_openapi::api::batch::v1::CronJob;
use kube::api::Api;
use runtime::testing::{Operator, comes_back, create};
use serde_json::json;

use webserver_operator::controller::web_server_backup::controller;

type Objects = Api<WebServer>;

#[tokio::test]
#[ignore = "opctl test"]
async fn an_object_is_reconciled() {
    let operator = Operator::start(env!("CARGO_PKG_NAME"), controller()).await;
    let objects: Objects = Api::namespaced(operator.client.clone(), &operator.namespace);
    let name = "sample";
    let mut object = json!({
        "spec": { "message": "Hello" },
    });
    object["metadata"]["name"] = name.to_string().into();
    create(&objects, object).await;
    let owner = name;
    let name = &format!("{owner}-web-server-backup");
    let client = operator.client.clone();
    let api: Api<CronJob> = Api::namespaced(client.clone(), &operator.namespace);
    comes_back(&api, name).await;
    operator.stop().await;
}
