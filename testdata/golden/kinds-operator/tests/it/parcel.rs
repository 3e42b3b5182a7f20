//! `Parcel` on a real API server, with the rights of the operator's role.
use api::v1alpha1::Parcel;
use kube::ResourceExt;
use kube::api::{Api, DeleteParams, PostParams};
use runtime::testing::{Operator, until};
use serde_json::json;

use kinds_operator::controller::parcel::controller;

type Objects = Api<Parcel>;

#[tokio::test]
#[ignore = "opctl test"]
async fn an_object_gets_ready_and_stays_so() {
    let operator = Operator::start(env!("CARGO_PKG_NAME"), controller()).await;
    let objects: Objects = Api::namespaced(operator.client.clone(), &operator.namespace);
    let name = "sample";
    let spec = json!({
        "gates": [{"name":"example"}],
        "source": {"claim":"example"},
        "type": "example",
    });
    let object = json!({ "metadata": { "name": name }, "spec": spec });
    let object = serde_json::from_value(object).unwrap();
    let created = objects.create(&PostParams::default(), &object).await;
    created.unwrap();
    until("Ready", async || {
        let object = objects.get(name).await.unwrap();
        let (status, generation) = (object.status?, object.metadata.generation);
        let is = |condition: &_| {
            let json = serde_json::to_value(condition).unwrap();
            json["type"] == "Ready" && json["status"] == "True"
        };
        let ready = status.conditions.iter().any(is);
        (ready && status.observed_generation == generation).then_some(())
    })
    .await;

    let object = objects.get(name).await.unwrap();
    assert_eq!(object.finalizers().len(), 1);
    let deleted = objects.delete(name, &DeleteParams::default()).await;
    deleted.unwrap();
    until("cleaned up", async || {
        let object = objects.get_opt(name).await.unwrap();
        object.is_none().then_some(())
    })
    .await;
    operator.stop().await;
}
