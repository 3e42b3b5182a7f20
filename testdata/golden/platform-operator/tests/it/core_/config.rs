// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! `Config` on a real API server, with the rights of the operator's role.
use api::core_::v1alpha1::Config;
use kube::api::Api;
use runtime::testing::{Operator, create, gets_ready, merge};
use serde_json::json;

use platform_operator::controller::core_::config::controller;

type Objects = Api<Config>;

#[tokio::test]
#[ignore = "opctl test"]
async fn an_object_gets_ready_and_stays_so() {
    let operator = Operator::start(env!("CARGO_PKG_NAME"), controller()).await;
    let objects: Objects = Api::namespaced(operator.client.clone(), &operator.namespace);
    let name = "sample";
    let object = json!({ "metadata": { "name": name }, "spec": { "message": "One" } });
    create(&objects, object).await;
    assert_eq!(gets_ready(&objects, name).await, "One");
    merge(&objects, name, json!({ "spec": { "message": "Two" } })).await;
    assert_eq!(gets_ready(&objects, name).await, "Two");
    operator.stop().await;
}
