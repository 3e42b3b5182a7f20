// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! `DNSZone` on a real API server, with the rights of the operator's role.
use api::dns::v1beta1::DNSZone;
use kube::api::Api;
use runtime::testing::{Operator, create, gets_reason, merge};
use serde_json::json;

use platform_operator::controller::dns::dns_zone::controller;

type Objects = Api<DNSZone>;

#[tokio::test]
#[ignore = "opctl test"]
async fn an_object_is_reported_on() {
    let operator = Operator::start(env!("CARGO_PKG_NAME"), controller()).await;
    let objects: Objects = Api::namespaced(operator.client.clone(), &operator.namespace);
    let name = "sample";
    let object = json!({ "metadata": { "name": name }, "spec": { "message": "One" } });
    create(&objects, object).await;
    // Once `status` says what `reconcile` has done: `gets_ready(&objects, name).await`.
    let told = gets_reason(&objects, name, "NotImplemented").await;
    assert!(told.contains("One"), "{told}");
    merge(&objects, name, json!({ "spec": { "message": "Two" } })).await;
    let told = gets_reason(&objects, name, "NotImplemented").await;
    assert!(told.contains("Two"), "{told}");
    operator.stop().await;
}
