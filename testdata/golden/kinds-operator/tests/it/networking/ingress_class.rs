//! `networking-ingressclass` on a real API server, with the rights of the operator's role.
use k8s_openapi::api::networking::v1::IngressClass;
use kube::ResourceExt;
use kube::api::{Api, DeleteParams};
use runtime::testing::{Operator, create, until};
use serde_json::json;

use kinds_operator::controller::networking::ingress_class::controller;

type Objects = Api<IngressClass>;

const FINALIZER: &str = "example.net/kinds-operator";

#[tokio::test]
#[ignore = "opctl test"]
async fn an_object_is_reconciled() {
    let operator = Operator::start(env!("CARGO_PKG_NAME"), controller()).await;
    let objects: Objects = Api::all(operator.client.clone());
    let name = &format!("{}-object", operator.namespace);
    let mut object = json!({
        "spec": {
            "controller": "example.com/sample"
        }
    });
    object["metadata"]["name"] = name.to_string().into();
    create(&objects, object).await;
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
