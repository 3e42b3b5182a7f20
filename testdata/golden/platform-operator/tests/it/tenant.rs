// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! `Tenant` on a real API server, with the rights of the operator's role.
use api::v1alpha1::Tenant;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::Api;
use runtime::testing::{Operator, comes_back, create, gets_ready, goes_away, merge};
use serde_json::json;

use platform_operator::controller::tenant::{NAMESPACE, controller};

type Objects = Api<Tenant>;

#[tokio::test]
#[ignore = "opctl test"]
async fn an_object_gets_ready_and_stays_so() {
    let operator = Operator::start(env!("CARGO_PKG_NAME"), controller()).await;
    let objects: Objects = Api::all(operator.client.clone());
    let name = &format!("{}-object", operator.namespace);
    let object = json!({ "metadata": { "name": name }, "spec": { "message": "One" } });
    create(&objects, object).await;
    assert_eq!(gets_ready(&objects, name).await, "One");
    merge(&objects, name, json!({ "spec": { "message": "Two" } })).await;
    assert_eq!(gets_ready(&objects, name).await, "Two");
    let client = operator.client.clone();
    let api: Api<ConfigMap> = Api::namespaced(client.clone(), NAMESPACE);
    comes_back(&api, name).await;
    goes_away(&objects, name).await;
    operator.stop().await;
}
