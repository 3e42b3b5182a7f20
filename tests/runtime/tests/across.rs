//! A controller that owns a ClusterRole and a Secret of another namespace, has two finalizers, and caches only the
//! metadata of its objects and of a third kind of children, on a real API server.

use clap::Parser;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace, Secret};
use k8s_openapi::api::rbac::v1::ClusterRole;
use kube::api::{Api, DeleteParams, ListParams, ObjectMeta, Patch, PatchParams, PostParams};
use kube::core::PartialObjectMeta;
use kube::{Client, Config, ResourceExt};
use runtime::{Action, CancellationToken, Context, Controller, Manager, Name, Watch, testing};
use serde::de::DeserializeOwned;
use serde_json::{from_value, json};
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

const NAMESPACE: &str = "default";
const ELSEWHERE: &str = "across-elsewhere";
const FINALIZERS: [&str; 2] = ["example.com/volumes", "example.com/keys"];

/// If no pass ends within this time, the test assumes that none will follow.
const QUIET: Duration = Duration::from_secs(1);

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    options: runtime::Options,
}

type Reconciled = PartialObjectMeta<ConfigMap>;
type Said = Context<UnboundedSender<String>>;

async fn reconcile(map: Arc<Reconciled>, ctx: Arc<Said>) -> anyhow::Result<Action> {
    let name = map.name_any();
    let rule = json!({ "apiGroups": [""], "resources": ["pods"], "verbs": ["get"] });
    let role = json!({ "metadata": { "name": name }, "rules": [rule] });
    ctx.apply(&*map, from_value::<ClusterRole>(role)?).await?;
    let secret = json!({ "metadata": { "name": name, "namespace": ELSEWHERE }, "stringData": { "pin": "1" } });
    ctx.create_once(&*map, from_value::<Secret>(secret)?).await?;
    let labels = json!({ "app": name });
    let containers = json!([{ "name": "main", "image": "nginx" }]);
    let template = json!({ "metadata": { "labels": labels }, "spec": { "containers": containers } });
    let spec = json!({ "replicas": 0, "selector": { "matchLabels": labels }, "template": template });
    let deployment = json!({ "metadata": { "name": name }, "spec": spec });
    let deployment = ctx.apply(&*map, from_value::<Deployment>(deployment)?).await?;
    let version = deployment.resource_version().unwrap_or_default();
    let children = ctx.children::<PartialObjectMeta<Deployment>>(&*map)?;
    let cached = children.first().and_then(ResourceExt::resource_version);
    anyhow::ensure!(cached.as_ref() == Some(&version), "the cache has {cached:?}, the answer {version}");
    ctx.state.send(format!("pass of {name}: {version}"))?;
    Ok(Action::await_change())
}

/// Starts the operator. Returns a token that stops it, its task, and the receiver of its lines.
async fn start(flags: &[&str]) -> (CancellationToken, JoinHandle<anyhow::Result<()>>, UnboundedReceiver<String>) {
    let flags =
        ["operator", "--health-probe-bind-address=0", "--metrics-bind-address=0"].into_iter().chain(flags.to_vec());
    let (options, stop) = (Flags::parse_from(flags).options, CancellationToken::new());
    let config = Config::infer().await.unwrap();
    let mut manager = Manager::new("across", options, config, stop.clone()).unwrap();
    let (said, saw) = unbounded_channel();
    let gone = said.clone();
    let mut controller = Controller::namespaced("map", reconcile)
        .objects(Watch::<ConfigMap>::new().labels("test=across").metadata_only())
        .owns_across_namespaces(Watch::<ClusterRole>::new())
        .owns_across_namespaces(Watch::<Secret>::new())
        .owns_with(Watch::<Deployment>::new().metadata_only())
        .on_gone(move |name| {
            let is_first = name == Name::from((NAMESPACE, "across-a"));
            drop(gone.send(format!("gone: {}", if is_first { "across-a" } else { "another" })));
        });
    for finalizer in FINALIZERS {
        controller = controller.finalizer(finalizer, move |map: Arc<Reconciled>, ctx: Arc<Said>| async move {
            let left = map.finalizers().join(" ");
            ctx.state.send(format!("cleanup of {finalizer} with {left}"))?;
            anyhow::Ok(Action::done())
        });
    }
    manager.add_with(said, controller);
    let running = tokio::spawn(async move { manager.run().await });
    (stop, running, saw)
}

async fn stopped((stop, running, _): (CancellationToken, JoinHandle<anyhow::Result<()>>, UnboundedReceiver<String>)) {
    stop.cancel();
    running.await.unwrap().unwrap();
}

/// Waits for a line that contains `wanted`, and returns it.
async fn line(saw: &mut UnboundedReceiver<String>, wanted: &str) -> String {
    loop {
        let next = tokio::time::timeout(Duration::from_secs(30), saw.recv()).await;
        let line = next.unwrap_or_else(|_| panic!("no line with `{wanted}`")).unwrap();
        if line.contains(wanted) {
            return line;
        }
    }
}

/// Waits until no pass of `across-a` has ended for the time [`QUIET`]. Returns the line about the last pass. An own write
/// triggers one more pass if the watch reports it before the API server's answer arrives.
async fn last_pass(saw: &mut UnboundedReceiver<String>) -> String {
    let mut last = line(saw, "pass of across-a").await;
    while let Ok(Some(line)) = tokio::time::timeout(QUIET, saw.recv()).await {
        if line.contains("pass of across-a") {
            last = line;
        }
    }
    last
}

async fn gone<K: Clone + Debug + DeserializeOwned>(api: &Api<K>, name: &str) {
    testing::until("the deletion", async || api.get_opt(name).await.unwrap().is_none().then_some(())).await;
}

async fn made<K: Clone + Debug + DeserializeOwned>(api: &Api<K>, name: &str) -> K {
    testing::until("a child", async || api.get_opt(name).await.unwrap()).await
}

async fn make(maps: &Api<ConfigMap>, name: &str) {
    let metadata = json!({ "name": name, "labels": { "test": "across" } });
    let map = json!({ "metadata": metadata, "data": { "large": "x".repeat(100_000) } });
    maps.create(&PostParams::default(), &from_value(map).unwrap()).await.unwrap();
}

#[tokio::test]
#[ignore = "it needs the control plane that KUBECONFIG names"]
async fn children_in_other_namespaces_are_deleted_with_their_owners_and_only_metadata_is_cached() {
    let client = Client::try_default().await.unwrap();
    let metadata = ObjectMeta { name: Some(ELSEWHERE.to_owned()), ..ObjectMeta::default() };
    let namespace = Namespace { metadata, ..Namespace::default() };
    Api::all(client.clone()).create(&PostParams::default(), &namespace).await.unwrap();
    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), NAMESPACE);
    let deployments: Api<Deployment> = Api::namespaced(client.clone(), NAMESPACE);
    let roles: Api<ClusterRole> = Api::all(client.clone());
    let secrets: Api<Secret> = Api::namespaced(client.clone(), ELSEWHERE);
    for name in ["across-a", "across-b"] {
        make(&maps, name).await;
    }
    let mut operator = start(&["--watch-namespace", NAMESPACE]).await;
    let first = last_pass(&mut operator.2).await;
    let (role, secret) = (made(&roles, "across-a").await, made(&secrets, "across-a").await);
    assert!(role.owner_references().is_empty() && secret.owner_references().is_empty());
    let owner = maps.get("across-a").await.unwrap();
    assert_eq!(owner.finalizers(), FINALIZERS);
    assert!(role.annotations()["opctl.dev/owner"].contains(&owner.uid().unwrap()));

    // The operator reverts a change by another client to a child whose metadata alone is cached, and applies the
    // child once for each such change.
    let scale = Patch::Merge(json!({ "spec": { "replicas": 3 } }));
    deployments.patch("across-a", &PatchParams::default(), &scale).await.unwrap();
    let second = last_pass(&mut operator.2).await;
    assert_ne!(first, second);
    let replicas = deployments.get("across-a").await.unwrap().spec.replicas;
    assert_eq!(replicas, Some(0));
    let touch = Patch::Merge(json!({ "metadata": { "annotations": { "touched": "yes" } } }));
    maps.patch("across-a", &PatchParams::default(), &touch).await.unwrap();
    let third = last_pass(&mut operator.2).await;
    assert_eq!(second, third, "the Deployment was written");
    let touched = deployments.patch("across-a", &PatchParams::default(), &touch).await.unwrap();
    let fourth = last_pass(&mut operator.2).await;
    assert!(fourth.ends_with(&touched.resource_version().unwrap()), "{fourth}");

    // The operator creates a deleted cluster-scoped child again.
    roles.delete("across-a", &DeleteParams::default()).await.unwrap();
    testing::until("another role", async || {
        let found = roles.get_opt("across-a").await.unwrap()?;
        (found.uid() != role.uid()).then_some(())
    })
    .await;

    // The cleanups run in order, and the object is deleted when the last finalizer is removed.
    maps.delete("across-a", &DeleteParams::default()).await.unwrap();
    let cleanup = line(&mut operator.2, "cleanup").await;
    assert_eq!(cleanup, format!("cleanup of {} with {}", FINALIZERS[0], FINALIZERS.join(" ")));
    let cleanup = line(&mut operator.2, "cleanup").await;
    assert_eq!(cleanup, format!("cleanup of {0} with {0}", FINALIZERS[1]));
    line(&mut operator.2, "gone: across-a").await;
    gone(&maps, "across-a").await;
    gone(&roles, "across-a").await;
    gone(&secrets, "across-a").await;

    // The owner across-b is deleted while the operator is not running.
    made(&secrets, "across-b").await;
    stopped(operator).await;
    let none = Patch::Merge(json!({ "metadata": { "finalizers": null } }));
    maps.patch("across-b", &PatchParams::default(), &none).await.unwrap();
    maps.delete("across-b", &DeleteParams::default()).await.unwrap();
    gone(&maps, "across-b").await;
    // An operator that watches another namespace does not delete the children of across-b.
    let other = start(&["--watch-namespace", ELSEWHERE]).await;
    make(&Api::namespaced(client.clone(), ELSEWHERE), "across-c").await;
    made(&roles, "across-c").await;
    stopped(other).await;
    assert!(roles.get_opt("across-b").await.unwrap().is_some());
    let operator = start(&["--watch-namespace", NAMESPACE]).await;
    gone(&roles, "across-b").await;
    gone(&secrets, "across-b").await;
    stopped(operator).await;
    let left = roles.list(&ListParams::default().labels("app.kubernetes.io/managed-by=across")).await.unwrap();
    assert_eq!(left.items.iter().map(ResourceExt::name_any).collect::<Vec<_>>(), ["across-c"]);
}
