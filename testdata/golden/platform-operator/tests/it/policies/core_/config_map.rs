// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! The policy of `ConfigMap` on a real API server, which `opctl test` has told of it.
use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
use kube::api::{Api, Patch, PatchParams, PostParams};
use runtime::testing::{namespace, until};
use serde_json::json;

type Objects = Api<ConfigMap>;

const CREATED_BY: &str = "example.org/created-by";
/// The namespaces in which the policy holds.
const LABEL: &str = "example.org/policies";

#[tokio::test]
#[ignore = "opctl test"]
async fn the_creator_stays() {
    let (client, namespace) = namespace().await;
    let labels = json!({ "metadata": { "labels": { LABEL: "enforced" } } });
    let params = PatchParams::default();
    let labels = Patch::Merge(labels);
    let namespaces: Api<Namespace> = Api::all(client.clone());
    let labelled = namespaces.patch(&namespace, &params, &labels).await;
    labelled.unwrap();
    let objects: Objects = Api::namespaced(client, &namespace);
    let name = "sample";
    let mut object = json!({});
    object["metadata"]["name"] = name.to_string().into();
    object["metadata"]["annotations"] = json!({ CREATED_BY: "alice" });
    let object = serde_json::from_value(object).unwrap();
    let created = objects.create(&PostParams::default(), &object).await;
    created.unwrap();

    let annotate = async |annotation: &str, value: &str| {
        let change = json!({ "metadata": { "annotations": { annotation: value } } });
        let params = PatchParams::default().dry_run();
        let change = Patch::Merge(change);
        objects.patch(name, &params, &change).await
    };
    // The API server enforces a policy only some moments after it was created.
    let refused = until("a refusal", async || {
        annotate(CREATED_BY, "mallory").await.err()
    })
    .await;
    let kube::Error::Api(refused) = refused else {
        panic!("{refused}")
    };
    assert_eq!(refused.reason, "Forbidden");
    let said = refused.message;
    assert!(said.contains("the creator stays"), "{said}");
    annotate("another", "one").await.unwrap();
}
