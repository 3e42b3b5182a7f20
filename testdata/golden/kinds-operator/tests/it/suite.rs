//! `Suite` on a real API server, with the rights of the operator's role.
use api::v1alpha1::Suite;
use k8s_openapi::api::apps::v1::{DaemonSet, Deployment, StatefulSet};
use k8s_openapi::api::autoscaling::v2::HorizontalPodAutoscaler;
use k8s_openapi::api::batch::v1::{CronJob, Job};
use k8s_openapi::api::core::v1::{
    ConfigMap, LimitRange, PersistentVolumeClaim, Pod, ResourceQuota, Secret, Service,
    ServiceAccount,
};
use k8s_openapi::api::networking::v1::{Ingress, NetworkPolicy};
use k8s_openapi::api::policy::v1::PodDisruptionBudget;
use k8s_openapi::api::rbac::v1::{Role, RoleBinding};
use kube::api::Api;
use runtime::testing::{Operator, comes_back, create, gets_reason, is_kept, is_made_once, merge};
use serde_json::json;

use kinds_operator::controller::suite::controller;

type Objects = Api<Suite>;

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
    let client = operator.client.clone();
    let api: Api<ConfigMap> = Api::namespaced(client.clone(), &operator.namespace);
    comes_back(&api, name).await;
    let api: Api<Secret> = Api::namespaced(client.clone(), &operator.namespace);
    is_made_once(&api, name).await;
    let api: Api<Service> = Api::namespaced(client.clone(), &operator.namespace);
    comes_back(&api, name).await;
    let api: Api<ServiceAccount> = Api::namespaced(client.clone(), &operator.namespace);
    comes_back(&api, name).await;
    let api: Api<PersistentVolumeClaim> = Api::namespaced(client.clone(), &operator.namespace);
    is_kept(&api, name).await;
    let api: Api<Pod> = Api::namespaced(client.clone(), &operator.namespace);
    comes_back(&api, name).await;
    let api: Api<Deployment> = Api::namespaced(client.clone(), &operator.namespace);
    comes_back(&api, name).await;
    let api: Api<StatefulSet> = Api::namespaced(client.clone(), &operator.namespace);
    comes_back(&api, name).await;
    let api: Api<DaemonSet> = Api::namespaced(client.clone(), &operator.namespace);
    comes_back(&api, name).await;
    let api: Api<Job> = Api::namespaced(client.clone(), &operator.namespace);
    comes_back(&api, name).await;
    let api: Api<CronJob> = Api::namespaced(client.clone(), &operator.namespace);
    comes_back(&api, name).await;
    let api: Api<Ingress> = Api::namespaced(client.clone(), &operator.namespace);
    comes_back(&api, name).await;
    let api: Api<NetworkPolicy> = Api::namespaced(client.clone(), &operator.namespace);
    comes_back(&api, name).await;
    let api: Api<PodDisruptionBudget> = Api::namespaced(client.clone(), &operator.namespace);
    comes_back(&api, name).await;
    let api: Api<HorizontalPodAutoscaler> = Api::namespaced(client.clone(), &operator.namespace);
    comes_back(&api, name).await;
    let api: Api<Role> = Api::namespaced(client.clone(), &operator.namespace);
    comes_back(&api, name).await;
    let api: Api<RoleBinding> = Api::namespaced(client.clone(), &operator.namespace);
    comes_back(&api, name).await;
    let api: Api<ResourceQuota> = Api::namespaced(client.clone(), &operator.namespace);
    comes_back(&api, name).await;
    let api: Api<LimitRange> = Api::namespaced(client.clone(), &operator.namespace);
    comes_back(&api, name).await;
    operator.stop().await;
}
