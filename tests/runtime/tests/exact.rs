//! A reconciler that applies its children exactly, on a real API server, which gives fields defaults.

use clap::Parser;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Secret, ServiceAccount};
use kube::api::{Api, Patch, PatchParams, PostParams};
use kube::{Client, Config, ResourceExt};
use runtime::{Action, CancellationToken, Context, Controller, Manager, testing};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, from_value, json};
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;

const NAMESPACE: &str = "default";

fn deployment() -> Value {
    let container = json!({
        "name": "web", "image": "web:1", "env": [{ "name": "A", "value": "1" }], "ports": [{ "containerPort": 80 }],
        "resources": { "limits": { "cpu": "1" } }, "volumeMounts": [{ "name": "data", "mountPath": "/data" }],
        "readinessProbe": { "httpGet": { "path": "/", "port": 80 } },
    });
    json!({ "metadata": { "name": "web" }, "spec": {
        "selector": { "matchLabels": { "app": "web" } },
        "template": {
            "metadata": { "labels": { "app": "web" } },
            "spec": {
                "nodeSelector": { "disk": "ssd" }, "containers": [container],
                "volumes": [{ "name": "data", "emptyDir": {} }],
            },
        },
    } })
}

async fn reconcile(map: Arc<ConfigMap>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    let secret: Secret = from_value(json!({ "metadata": { "name": "web" }, "data": { "pin": "NDcxMQ==" } }))?;
    let account: ServiceAccount = from_value(json!({ "metadata": { "name": "web" }, "imagePullSecrets": [] }))?;
    let deployment: Deployment = from_value(deployment())?;
    ctx.apply_exactly(&*map, secret).await?;
    ctx.apply_exactly(&*map, account).await?;
    ctx.apply_exactly(&*map, deployment).await?;
    Ok(Action::requeue(Duration::from_millis(100)))
}

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    options: runtime::Options,
}

/// Waits until `is` accepts the child, and checks for ten passes that nothing writes it. Returns the child.
async fn settles<K>(api: &Api<K>, is: impl Fn(&Value) -> bool) -> Value
where
    K: Clone + DeserializeOwned + Serialize + Debug,
{
    let found = testing::until("the child is as it is to be", async || {
        let found = api.get_opt("web").await.unwrap().map(|found| json!(found))?;
        is(&found).then_some(found)
    });
    let found = found.await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let later = json!(api.get("web").await.unwrap());
    let version = |object: &Value| object["metadata"]["resourceVersion"].clone();
    assert_eq!(version(&later), version(&found), "{later}\n{found}");
    later
}

/// Starts the operator. Returns what stops it, and the task in which it runs.
async fn started() -> (CancellationToken, JoinHandle<anyhow::Result<()>>) {
    let config = Config::infer().await.unwrap();
    let flags = ["operator", "--health-probe-bind-address=0", "--watch-namespace", NAMESPACE];
    let (options, stop) = (Flags::parse_from(flags).options, CancellationToken::new());
    let mut manager = Manager::new("exact", options, config, stop.clone()).unwrap();
    let controller =
        Controller::namespaced("map", reconcile).objects(runtime::Watch::new().fields("metadata.name=web"));
    manager.add(controller.owns::<Secret>().owns::<ServiceAccount>().owns::<Deployment>());
    (stop, tokio::spawn(async move { manager.run().await }))
}

/// Returns the part of a pod template that another field manager applies.
fn pods_of_others() -> Value {
    json!({
        "metadata": {
            "labels": { "example.com/team": "theirs" }, "annotations": { "kubectl.kubernetes.io/restartedAt": "now" },
        },
        "spec": {
            "nodeSelector": { "disk": "ssd", "kubernetes.io/os": "linux" },
            "volumes": [{ "name": "theirs", "emptyDir": {} }],
            "containers": [
                { "name": "sidecar", "image": "sidecar:1" },
                {
                    "name": "web", "env": [{ "name": "B", "value": "2" }], "resources": { "limits": { "memory": "1Gi" } },
                    "ports": [{ "containerPort": 81 }],
                    "volumeMounts": [{ "name": "theirs", "mountPath": "/theirs" }],
                },
            ],
        },
    })
}

/// Changes each child as other field managers do, in fields that the reconciler applies and in fields that it does not.
async fn others_add_fields(deployments: &Api<Deployment>, secrets: &Api<Secret>, accounts: &Api<ServiceAccount>) {
    let theirs = PatchParams::apply("theirs").force();
    let patch = json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": { "annotations": { "deployment.kubernetes.io/revision": "1", "note": "theirs" } },
        "spec": { "replicas": 2, "template": pods_of_others() },
    });
    deployments.patch("web", &theirs, &Patch::Apply(patch)).await.unwrap();
    let patch = Patch::Merge(
        json!({ "data": { "pin": "MDgxNQ==", "extra": "MQ==" }, "metadata": { "labels": { "team": "theirs" } } }),
    );
    secrets.patch("web", &PatchParams::default(), &patch).await.unwrap();
    let patch = Patch::Merge(json!({ "imagePullSecrets": [{ "name": "theirs" }] }));
    accounts.patch("web", &PatchParams::default(), &patch).await.unwrap();
}

#[tokio::test]
#[ignore = "it needs the control plane that KUBECONFIG names"]
async fn fields_that_others_add_to_a_child_are_removed_and_defaults_stay() {
    let client = Client::try_default().await.unwrap();
    let (stop, running) = started().await;
    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), NAMESPACE);
    let map = from_value(json!({ "metadata": { "name": "web" } })).unwrap();
    maps.create(&PostParams::default(), &map).await.unwrap();
    let deployments: Api<Deployment> = Api::namespaced(client.clone(), NAMESPACE);
    let secrets: Api<Secret> = Api::namespaced(client.clone(), NAMESPACE);
    let accounts: Api<ServiceAccount> = Api::namespaced(client, NAMESPACE);
    let made = settles(&deployments, |_| true).await;
    assert_eq!(made["spec"]["template"]["spec"]["containers"][0]["imagePullPolicy"], "IfNotPresent");

    others_add_fields(&deployments, &secrets, &accounts).await;
    let now = settles(&deployments, |now| now["spec"]["template"]["spec"] == made["spec"]["template"]["spec"]).await;
    let template = |of: &Value| of["spec"]["template"]["metadata"].clone();
    assert_eq!(template(&now)["labels"], template(&made)["labels"]);
    assert_eq!(template(&now)["annotations"]["kubectl.kubernetes.io/restartedAt"], "now");
    assert_eq!(now["metadata"]["annotations"]["note"], "theirs");
    assert_eq!(now["spec"]["replicas"], 2);
    let now = settles(&secrets, |now| now["data"] == json!({ "pin": "NDcxMQ==" })).await;
    assert_eq!(now["metadata"]["labels"]["team"], "theirs");
    let now = settles(&accounts, |_| true).await;
    assert_eq!(now["imagePullSecrets"], json!([{ "name": "theirs" }]));

    // The last pass has seen the last change.
    let map = maps.get("web").await.unwrap();
    assert_eq!(now["metadata"]["ownerReferences"][0]["uid"], map.uid().unwrap());
    stop.cancel();
    running.await.unwrap().unwrap();
}
