//! `WebApp` on a real API server, with the rights of the operator's role.
// ANCHOR: imports
use api::apps::v1::WebApp;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Service;
use k8s_openapi::api::events::v1::Event;
use kube::ResourceExt;
use kube::api::{Api, DeleteParams, ListParams, Patch, PatchParams, PostParams};
use runtime::testing::{Operator, until};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use webapp_operator::controller::apps::web_app::{Restarts, controller};

type Objects = Api<WebApp>;

fn object<K: DeserializeOwned>(value: Value) -> K {
    serde_json::from_value(value).unwrap()
}

fn sample() -> WebApp {
    object(
        json!({ "metadata": { "name": "sample" }, "spec": { "image": "nginxinc/nginx-unprivileged:1.27", "replicas": 2 } }),
    )
}

async fn merge<K: Clone + std::fmt::Debug + DeserializeOwned>(api: &Api<K>, patch: Value) {
    api.patch("sample", &PatchParams::default(), &Patch::Merge(patch))
        .await
        .unwrap();
}
// ANCHOR_END: imports

// ANCHOR: test
#[tokio::test]
#[ignore = "opctl test"]
async fn children_follow_the_spec_and_come_back() {
    let operator =
        Operator::start_with(env!("CARGO_PKG_NAME"), Restarts::default(), controller()).await;
    let (client, namespace) = (operator.client.clone(), operator.namespace.clone());
    let objects: Objects = Api::namespaced(client.clone(), &namespace);
    let deployments: Api<Deployment> = Api::namespaced(client.clone(), &namespace);
    let services: Api<Service> = Api::namespaced(client, &namespace);
    let replicas = async |expected: i32| {
        until("replicas", async || {
            let deployment = deployments.get_opt("sample").await.unwrap()?;
            (deployment.spec.replicas == Some(expected)).then_some(deployment)
        })
        .await
    };
    // Nothing is there when the operator starts, so whatever it sees it has watched.
    objects
        .create(&PostParams::default(), &sample())
        .await
        .unwrap();
    let deployment = replicas(2).await;
    let service = until("service", async || {
        services.get_opt("sample").await.unwrap()
    })
    .await;

    merge(&objects, json!({ "spec": { "replicas": 3 } })).await;
    replicas(3).await;
    until("status", async || {
        let object = objects.get("sample").await.unwrap();
        let observed = object.status?.observed_generation;
        (observed == object.metadata.generation).then_some(())
    })
    .await;

    merge(&deployments, json!({ "spec": { "replicas": 7 } })).await;
    replicas(3).await;
    deployments
        .delete("sample", &DeleteParams::background())
        .await
        .unwrap();
    until("another deployment", async || {
        let found = deployments.get_opt("sample").await.unwrap()?;
        (found.uid() != deployment.uid()).then_some(())
    })
    .await;
    services
        .delete("sample", &DeleteParams::default())
        .await
        .unwrap();
    until("another service", async || {
        let found = services.get_opt("sample").await.unwrap()?;
        (found.uid() != service.uid()).then_some(())
    })
    .await;
    operator.stop().await;
}

#[tokio::test]
#[ignore = "opctl test"]
async fn a_failed_reconciliation_is_reported_as_an_event_and_retried() {
    let operator =
        Operator::start_with(env!("CARGO_PKG_NAME"), Restarts::default(), controller()).await;
    let (client, namespace) = (operator.client.clone(), operator.namespace.clone());
    let objects: Objects = Api::namespaced(client.clone(), &namespace);
    let deployments: Api<Deployment> = Api::namespaced(client.clone(), &namespace);
    let events: Api<Event> = Api::namespaced(client, &namespace);
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
    let other: Deployment = object(json!({ "metadata": { "name": "sample" }, "spec": spec }));
    deployments
        .create(&PostParams::default(), &other)
        .await
        .unwrap();
    objects
        .create(&PostParams::default(), &sample())
        .await
        .unwrap();
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
// ANCHOR_END: test
