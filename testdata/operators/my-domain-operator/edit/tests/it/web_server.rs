//! `WebServer` on a real API server, with the rights of the operator's role.
// ANCHOR: imports
use api::v1::WebServer;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Service;
use kube::api::{Api, PostParams};
use runtime::testing::{Operator, until};
use serde_json::{from_value, json};

use my_domain_operator::controller::web_server::controller;
// ANCHOR_END: imports

// ANCHOR: test
#[tokio::test]
#[ignore = "opctl test"]
async fn an_object_gets_its_children() {
    let operator = Operator::start(env!("CARGO_PKG_NAME"), controller()).await;
    let objects: Api<WebServer> = Api::namespaced(operator.client.clone(), &operator.namespace);
    let deployments: Api<Deployment> =
        Api::namespaced(operator.client.clone(), &operator.namespace);
    let services: Api<Service> = Api::namespaced(operator.client.clone(), &operator.namespace);
    let spec = json!({ "replicas": 2, "image": "nginx:1.23.1" });
    let object = from_value(json!({ "metadata": { "name": "sample" }, "spec": spec })).unwrap();
    objects
        .create(&PostParams::default(), &object)
        .await
        .unwrap();
    let deployment = until("the Deployment", async || {
        deployments.get_opt("sample").await.unwrap()
    })
    .await;
    assert_eq!(deployment.spec.replicas, Some(2));
    until("the Service", async || {
        services.get_opt("sample-service").await.unwrap()
    })
    .await;
    operator.stop().await;
}
// ANCHOR_END: test
