//! `VoteConfig` on a real API server, with the rights of the operator's role.
// ANCHOR: imports
use api::voting::v1alpha1::VoteConfig;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, DeleteParams, PostParams};
use runtime::testing::{Operator, until};
use serde_json::{from_value, json};

use voteconfig_operator::controller::voting::vote_config::controller;
// ANCHOR_END: imports

// ANCHOR: test
#[tokio::test]
#[ignore = "opctl test"]
async fn a_config_map_lives_as_long_as_its_object() {
    let operator = Operator::start(env!("CARGO_PKG_NAME"), controller()).await;
    let (client, namespace) = (operator.client.clone(), operator.namespace.clone());
    let objects: Api<VoteConfig> = Api::namespaced(client.clone(), &namespace);
    let config_maps: Api<ConfigMap> = Api::namespaced(client, &namespace);
    let options = json!([{ "id": "a", "label": "A" }, { "id": "b", "label": "B" }]);
    let object = json!({ "metadata": { "name": "sample" }, "spec": { "title": "Which?", "options": options } });
    let object = from_value(object).unwrap();
    objects
        .create(&PostParams::default(), &object)
        .await
        .unwrap();
    let data = until("the ConfigMap", async || {
        config_maps.get_opt("sample-config").await.unwrap()
    });
    assert_eq!(data.await.data.unwrap()["title"], "Which?");
    objects
        .delete("sample", &DeleteParams::default())
        .await
        .unwrap();
    until("the ConfigMap goes", async || {
        let left = config_maps.get_opt("sample-config").await.unwrap();
        left.is_none().then_some(())
    })
    .await;
    until("the object goes", async || {
        objects
            .get_opt("sample")
            .await
            .unwrap()
            .is_none()
            .then_some(())
    })
    .await;
    operator.stop().await;
}
// ANCHOR_END: test
