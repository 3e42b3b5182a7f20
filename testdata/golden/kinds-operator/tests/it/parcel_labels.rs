//! `parcel-labels` on a real API server, with the rights of the operator's role.
use api::v1alpha1::Parcel;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::ResourceExt;
use kube::api::{Api, DeleteParams};
use runtime::testing::{Operator, comes_back, create, until};
use serde_json::json;

use kinds_operator::controller::parcel_labels::controller;

type Objects = Api<Parcel>;

const FINALIZER: &str = "example.net/kinds-operator-parcel-labels";

#[tokio::test]
#[ignore = "opctl test"]
async fn an_object_is_reconciled() {
    let operator = Operator::start(env!("CARGO_PKG_NAME"), controller()).await;
    let objects: Objects = Api::namespaced(operator.client.clone(), &operator.namespace);
    let name = "sample";
    let mut object = json!({
        "spec": {
            "gates": [{"name":"example"}],
            "source": {"claim":"example"},
            "type": "example",
        },
    });
    object["metadata"]["name"] = name.to_string().into();
    create(&objects, object).await;
    let owner = name;
    let name = &format!("{owner}-parcel-labels");
    let client = operator.client.clone();
    let api: Api<ConfigMap> = Api::namespaced(client.clone(), &operator.namespace);
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
