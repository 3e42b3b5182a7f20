//! `Shop` on a real API server, with the rights of the operator's role.
use api::v1alpha1::Shop;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::autoscaling::v2::HorizontalPodAutoscaler;
use k8s_openapi::api::batch::v1::CronJob;
use k8s_openapi::api::core::v1::Service;
use k8s_openapi::api::events::v1::Event;
use k8s_openapi::api::policy::v1::PodDisruptionBudget;
use kube::ResourceExt;
use kube::api::{Api, DeleteParams, ListParams};
use runtime::testing::{Operator, comes_back, create, gets_ready, goes_away, merge, until};
use serde_json::{Value, json};

use kinds_operator::controller::shop::controller;

type Objects = Api<Shop>;

fn sample() -> Value {
    let mut spec = json!({
        "address": {"city":"example"},
        "title": "example",
    });
    spec["replicas"] = json!(2);
    json!({ "metadata": { "name": "sample" }, "spec": spec })
}

#[tokio::test]
#[ignore = "opctl test"]
async fn children_follow_the_spec_and_come_back() {
    let operator = Operator::start(env!("CARGO_PKG_NAME"), controller()).await;
    let client = operator.client.clone();
    let namespace = &operator.namespace;
    let objects: Objects = Api::namespaced(client.clone(), namespace);
    let deployments: Api<Deployment> = Api::namespaced(client.clone(), namespace);
    let services: Api<Service> = Api::namespaced(client, namespace);
    let replicas = async |expected: i32| {
        until("replicas", async || {
            let deployment = deployments.get_opt("sample").await.unwrap()?;
            (deployment.spec.replicas == Some(expected)).then_some(())
        })
        .await
    };
    // No object exists when the operator starts, so it learns of this one from its watch.
    create(&objects, sample()).await;
    replicas(2).await;
    merge(&objects, "sample", json!({ "spec": { "replicas": 3 } })).await;
    replicas(3).await;
    gets_ready(&objects, "sample").await;
    let object = objects.get("sample").await.unwrap();
    let observed = object.status.unwrap().observed_generation;
    assert_eq!(observed, object.metadata.generation);

    merge(&deployments, "sample", json!({ "spec": { "replicas": 7 } })).await;
    replicas(3).await;
    comes_back(&deployments, "sample").await;
    comes_back(&services, "sample").await;
    let name = "sample";
    let client = operator.client.clone();
    let api: Api<HorizontalPodAutoscaler> = Api::namespaced(client.clone(), &operator.namespace);
    comes_back(&api, name).await;
    let api: Api<PodDisruptionBudget> = Api::namespaced(client.clone(), &operator.namespace);
    comes_back(&api, name).await;
    let api: Api<CronJob> = Api::namespaced(client.clone(), &operator.namespace);
    comes_back(&api, name).await;
    let object = objects.get(name).await.unwrap();
    assert_eq!(object.finalizers().len(), 1);
    goes_away(&objects, name).await;
    operator.stop().await;
}

#[tokio::test]
#[ignore = "opctl test"]
async fn a_failed_reconciliation_is_reported_as_an_event_and_retried() {
    let operator = Operator::start(env!("CARGO_PKG_NAME"), controller()).await;
    let client = operator.client.clone();
    let namespace = &operator.namespace;
    let objects: Objects = Api::namespaced(client.clone(), namespace);
    let deployments: Api<Deployment> = Api::namespaced(client.clone(), namespace);
    let events: Api<Event> = Api::namespaced(client, namespace);
    let warning = async |count: Option<i32>| {
        until("event", async || {
            let events = events.list(&ListParams::default()).await.unwrap();
            let mut warnings = events.into_iter().filter(|event| {
                event.reason.as_deref() == Some("ReconcileFailed")
                    && event.series.as_ref().map(|series| series.count) >= count
            });
            warnings.next()
        })
        .await
    };
    // An object of the same name that somebody else has made is left alone.
    let labels = json!({ "app": "other" });
    let container = json!({ "name": "other", "image": "other" });
    let template =
        json!({ "metadata": { "labels": labels }, "spec": { "containers": [container] } });
    let spec = json!({ "selector": { "matchLabels": labels }, "template": template });
    let other = json!({ "metadata": { "name": "sample" }, "spec": spec });
    create(&deployments, other).await;
    create(&objects, sample()).await;
    let event = warning(None).await;
    assert!(event.note.unwrap().contains("not created by this operator"));
    warning(Some(2)).await;

    deployments
        .delete("sample", &DeleteParams::background())
        .await
        .unwrap();
    until("deployment", async || {
        let deployment = deployments.get_opt("sample").await.unwrap()?;
        deployment
            .labels()
            .contains_key("app.kubernetes.io/name")
            .then_some(())
    })
    .await;
    operator.stop().await;
}
