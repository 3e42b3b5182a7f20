//! `core-namespace` on a real API server, with the rights of the operator's role.
use k8s_openapi::api::core::v1::{Namespace, ResourceQuota};
use k8s_openapi::api::networking::v1::NetworkPolicy;
use kube::ResourceExt;
use kube::api::{Api, DeleteParams};
use runtime::testing::{Operator, comes_back, create, until};
use serde_json::json;

use webserver_operator::controller::core_::namespace::controller;

type Objects = Api<Namespace>;

const FINALIZER: &str = "example.com/webserver-operator";

#[tokio::test]
#[ignore = "opctl test"]
async fn an_object_is_reconciled() {
    let operator = Operator::start(env!("CARGO_PKG_NAME"), controller()).await;
    let objects: Objects = Api::all(operator.client.clone());
    let name = &format!("{}-object", operator.namespace);
    let mut object = json!({});
    object["metadata"]["name"] = name.to_string().into();
    create(&objects, object).await;
    let owner = name;
    let name = &format!("{owner}-core-namespace");
    let client = operator.client.clone();
    let api: Api<ResourceQuota> = Api::namespaced(client.clone(), owner);
    comes_back(&api, name).await;
    let api: Api<NetworkPolicy> = Api::namespaced(client.clone(), owner);
    comes_back(&api, name).await;
    let name = owner;
    let kept = async || {
        let object = objects.get_opt(name).await.unwrap();
        let object = object.filter(|object| object.finalizers().contains(&FINALIZER.into()));
        object.is_some()
    };
    until("finalizer", async || kept().await.then_some(())).await;
    let deleted = objects.delete(name, &DeleteParams::background()).await;
    deleted.unwrap();
    until("cleaned up", async || (!kept().await).then_some(())).await;
    operator.stop().await;
}
