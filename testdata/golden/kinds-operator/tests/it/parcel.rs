//! `Parcel` on a real API server, with the rights of the operator's role.
use api::v1alpha1::Parcel;
use kube::ResourceExt;
use kube::api::Api;
use runtime::testing::{Operator, create, gets_reason, goes_away};
use serde_json::json;

use kinds_operator::controller::parcel::controller;

type Objects = Api<Parcel>;

#[tokio::test]
#[ignore = "opctl test"]
async fn an_object_is_reported_on() {
    let operator = Operator::start(env!("CARGO_PKG_NAME"), controller()).await;
    let objects: Objects = Api::namespaced(operator.client.clone(), &operator.namespace);
    let name = "sample";
    let spec = json!({
        "gates": [{"name":"example"}],
        "source": {"claim":"example"},
        "type": "example",
    });
    let object = json!({ "metadata": { "name": name }, "spec": spec });
    create(&objects, object).await;
    // Once `status` says what `reconcile` has done: `gets_ready(&objects, name).await;`
    gets_reason(&objects, name, "NotImplemented").await;
    let object = objects.get(name).await.unwrap();
    assert_eq!(object.finalizers().len(), 1);
    goes_away(&objects, name).await;
    operator.stop().await;
}
