//! `Team` on a real API server, with the rights of the operator's role.
use api::v1alpha1::Team;
use k8s_openapi::api::core::v1::{Namespace, ResourceQuota};
use k8s_openapi::api::rbac::v1::{ClusterRole, ClusterRoleBinding, RoleBinding};
use kube::ResourceExt;
use kube::api::Api;
use runtime::testing::{Operator, comes_back, create, gets_ready, goes_away, is_kept, merge};
use serde_json::json;

use kinds_operator::controller::team::controller;

type Objects = Api<Team>;

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
    let api: Api<Namespace> = Api::all(client.clone());
    is_kept(&api, name).await;
    let api: Api<ResourceQuota> = Api::namespaced(client.clone(), name);
    comes_back(&api, name).await;
    let api: Api<ClusterRole> = Api::all(client.clone());
    comes_back(&api, name).await;
    let api: Api<ClusterRoleBinding> = Api::all(client.clone());
    comes_back(&api, name).await;
    let api: Api<RoleBinding> = Api::namespaced(client.clone(), name);
    comes_back(&api, name).await;
    let object = objects.get(name).await.unwrap();
    assert_eq!(object.finalizers().len(), 1);
    goes_away(&objects, name).await;
    operator.stop().await;
}
