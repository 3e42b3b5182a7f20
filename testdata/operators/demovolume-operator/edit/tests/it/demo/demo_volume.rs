//! `DemoVolume` on a real API server, with the rights of the operator's role.
// ANCHOR: imports
use api::demo::v1alpha1::DemoVolume;
use k8s_openapi::api::core::v1::PersistentVolumeClaim;
use kube::ResourceExt;
use kube::api::{Api, PostParams};
use runtime::testing::{Operator, until};
use serde_json::{from_value, json};

use demovolume_operator::controller::demo::demo_volume::controller;
// ANCHOR_END: imports

// ANCHOR: test
#[tokio::test]
#[ignore = "opctl test"]
async fn an_object_owns_a_claim() {
    let operator = Operator::start(env!("CARGO_PKG_NAME"), controller()).await;
    let (client, namespace) = (operator.client.clone(), operator.namespace.clone());
    let objects: Api<DemoVolume> = Api::namespaced(client.clone(), &namespace);
    let claims: Api<PersistentVolumeClaim> = Api::namespaced(client, &namespace);
    let spec = json!({ "name": "films", "size": 2 });
    let object = from_value(json!({ "metadata": { "name": "sample" }, "spec": spec })).unwrap();
    let object = objects
        .create(&PostParams::default(), &object)
        .await
        .unwrap();
    let claim = until("the claim", async || {
        claims.get_opt("sample").await.unwrap()
    })
    .await;
    assert_eq!(claim.owner_references()[0].uid, object.uid().unwrap());
    operator.stop().await;
}
// ANCHOR_END: test
