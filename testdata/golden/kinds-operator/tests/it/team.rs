//! `Team` on a real API server, with the rights of the operator's role.
use api::v1alpha1::Team;
use k8s_openapi::api::core::v1::{Namespace, ResourceQuota};
use k8s_openapi::api::rbac::v1::{ClusterRole, ClusterRoleBinding, RoleBinding};
use kube::ResourceExt;
use kube::api::{Api, DeleteParams, Patch, PatchParams, PostParams};
use runtime::testing::{Operator, comes_back, is_kept, until};
use serde_json::json;

use kinds_operator::controller::team::controller;

type Objects = Api<Team>;

#[tokio::test]
#[ignore = "opctl test"]
async fn an_object_gets_ready_and_stays_so() {
    let operator = Operator::start(env!("CARGO_PKG_NAME"), controller()).await;
    let objects: Objects = Api::all(operator.client.clone());
    let name = &format!("{}-object", operator.namespace);
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
    let deleted = objects.delete(name, &DeleteParams::default()).await;
    deleted.unwrap();
    until("cleaned up", async || {
        let object = objects.get_opt(name).await.unwrap();
        object.is_none().then_some(())
    })
    .await;
    operator.stop().await;
}
