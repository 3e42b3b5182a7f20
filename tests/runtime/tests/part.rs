//! A reconciler that applies only some fields of a child, on a real API server, which requires other fields.

use anyhow::ensure;
use clap::Parser;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, ObjectMeta, Patch, PatchParams, PostParams};
use kube::{Client, Config, Resource};
use runtime::{Action, CancellationToken, Context, Controller, Manager, testing};
use serde::{Deserialize, Serialize};
use serde_json::{from_value, json};
use std::sync::Arc;
use std::time::Duration;

const NAMESPACE: &str = "default";

/// The fields of a Deployment that the reconciler applies: its size. The reconciler creates the other fields once.
#[derive(Deserialize, Resource, Serialize)]
#[resource(inherit = Deployment)]
struct Size {
    metadata: ObjectMeta,
    spec: SizeSpec,
}

#[derive(Deserialize, Serialize)]
struct SizeSpec {
    replicas: i32,
}

async fn reconcile(map: Arc<ConfigMap>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    let pods = json!({
        "metadata": { "labels": { "app": "web" } },
        "spec": { "containers": [{ "name": "web", "image": "web:1" }] },
    });
    let spec = json!({ "selector": { "matchLabels": { "app": "web" } }, "template": pods });
    let deployment: Deployment = from_value(json!({ "metadata": { "name": "web" }, "spec": spec }))?;
    ctx.create_once(&*map, deployment).await?;

    let replicas = map.data.iter().flatten().find_map(|(_, number)| number.parse().ok()).unwrap_or(1);
    let metadata = ObjectMeta { name: Some("web".into()), ..Default::default() };
    let applied = ctx.apply(&*map, Size { metadata, spec: SizeSpec { replicas } }).await?;
    ensure!(applied.spec.replicas == replicas && applied.metadata.uid.is_some());
    Ok(Action::requeue(Duration::from_millis(100)))
}

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    options: runtime::Options,
}

/// Waits until the Deployment has this size and image, and then checks that nothing writes it during ten passes.
async fn settles(deployments: &Api<Deployment>, replicas: i32, image: &str) {
    let is = |found: &Deployment| {
        let container = found.spec.template.spec.as_ref().unwrap().containers[0].image.as_deref();
        found.spec.replicas == Some(replicas) && container == Some(image)
    };
    let found =
        testing::until("the child is as it is to be", async || deployments.get_opt("web").await.unwrap().filter(is));
    let version = found.await.metadata.resource_version;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(deployments.get("web").await.unwrap().metadata.resource_version, version);
}

#[tokio::test]
#[ignore = "it needs the control plane that KUBECONFIG names"]
async fn fields_that_a_type_lacks_are_left_to_others() {
    let client = Client::try_default().await.unwrap();
    let config = Config::infer().await.unwrap();
    let flags = ["operator", "--health-probe-bind-address=0", "--watch-namespace", NAMESPACE];
    let (options, stop) = (Flags::parse_from(flags).options, CancellationToken::new());
    let mut manager = Manager::new("part", options, config, stop.clone()).unwrap();
    let maps = runtime::Watch::new().fields("metadata.name=web");
    manager.add(Controller::namespaced("map", reconcile).objects(maps).owns::<Deployment>());
    let running = tokio::spawn(async move { manager.run().await });

    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), NAMESPACE);
    let map = from_value(json!({ "metadata": { "name": "web" }, "data": { "replicas": "2" } })).unwrap();
    maps.create(&PostParams::default(), &map).await.unwrap();
    let deployments: Api<Deployment> = Api::namespaced(client, NAMESPACE);
    settles(&deployments, 2, "web:1").await;

    let edit = PatchParams::default();
    let theirs =
        json!({ "replicas": 7, "template": { "spec": { "containers": [{ "name": "web", "image": "web:2" }] } } });
    deployments.patch("web", &edit, &Patch::Strategic(json!({ "spec": theirs }))).await.unwrap();
    settles(&deployments, 2, "web:2").await;

    maps.patch("web", &edit, &Patch::Merge(json!({ "data": { "replicas": "3" } }))).await.unwrap();
    settles(&deployments, 3, "web:2").await;
    stop.cancel();
    running.await.unwrap().unwrap();
}
