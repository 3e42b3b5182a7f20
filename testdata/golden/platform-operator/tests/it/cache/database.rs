// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! `Database` on a real API server, with the rights of the operator's role.
use api::cache::v1::Database;
use kube::api::{Api, Patch, PatchParams, PostParams};
use runtime::testing::{Operator, until};
use serde_json::json;

use platform_operator::controller::cache::database::controller;

type Objects = Api<Database>;

#[tokio::test]
#[ignore = "opctl test"]
async fn an_object_gets_ready_and_stays_so() {
    let operator = Operator::start(env!("CARGO_PKG_NAME"), controller()).await;
    let objects: Objects = Api::namespaced(operator.client.clone(), &operator.namespace);
    let name = "sample";
    // Waits until the object is ready and its condition is about the last change.
    let ready = async |message: &str| {
        until("Ready", async || {
            let object = objects.get(name).await.unwrap();
            let (status, generation) = (object.status?, object.metadata.generation);
            let is = |condition: &_| {
                let json = serde_json::to_value(condition).unwrap();
                json["type"] == "Ready" && json["status"] == "True" && json["message"] == message
            };
            let ready = status.conditions.iter().any(is);
            (ready && status.observed_generation == generation).then_some(())
        })
        .await
    };
    let object = json!({ "metadata": { "name": name }, "spec": { "message": "One" } });
    let object = serde_json::from_value(object).unwrap();
    let created = objects.create(&PostParams::default(), &object).await;
    created.unwrap();
    ready("One").await;
    let patch = Patch::Merge(json!({ "spec": { "message": "Two" } }));
    let patched = objects.patch(name, &PatchParams::default(), &patch).await;
    patched.unwrap();
    ready("Two").await;
    operator.stop().await;
}
