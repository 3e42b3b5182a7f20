//! A reconciler that watches kinds which the reconciled objects name, on a real API server: the watches start and end
//! while the operator runs.

use clap::Parser;
use futures::StreamExt;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, ApiResource, DeleteParams, DynamicObject, GroupVersionKind, Patch, PatchParams, PostParams};
use kube::core::Resource;
use kube::runtime::{WatchStreamExt, watcher};
use kube::{Client, Config, ResourceExt};
use parking_lot::Mutex;
use runtime::{Action, CancellationToken, Context, Controller, Manager, Trigger, Watch, testing};
use serde_json::{from_value, json};
use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio_util::task::AbortOnDropHandle;

const NAMESPACE: &str = "default";

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    options: runtime::Options,
}

type Watches = BTreeMap<String, AbortOnDropHandle<()>>;

struct State {
    trigger: Trigger,
    /// The watch tasks by the name of the reconciled object. Each task watches the kind that this object names.
    watches: Arc<Mutex<Watches>>,
    said: UnboundedSender<String>,
}

/// Watches the objects of `kind` that have the label `mirror`. When one of them changes, reconciles the object that the
/// label names.
async fn follow(client: Client, kind: ApiResource, trigger: Trigger) {
    let objects = Api::<DynamicObject>::all_with(client, &kind);
    let changes = watcher(objects, watcher::Config::default().labels("mirror"));
    let mut changes = pin!(changes.default_backoff().touched_objects());
    while let Some(Ok(object)) = changes.next().await {
        let namespace = object.namespace().unwrap_or_default();
        trigger.reconcile((namespace, object.labels()["mirror"].clone()));
    }
}

/// Watches the kind that `map` names. Sends to the test the names of the objects of this kind whose label names `map`.
async fn reconcile(map: Arc<ConfigMap>, ctx: Arc<Context<State>>) -> anyhow::Result<Action> {
    let data = map.data.clone().unwrap_or_default();
    let (group, version) = data["apiVersion"].split_once('/').unwrap_or(("", &data["apiVersion"]));
    let kind = ApiResource::from_gvk(&GroupVersionKind::gvk(group, version, &data["kind"]));
    ctx.state.watches.lock().entry(map.name_any()).or_insert_with(|| {
        let watch = follow(ctx.client.clone(), kind.clone(), ctx.state.trigger.clone());
        AbortOnDropHandle::new(tokio::spawn(watch))
    });
    let objects: Api<DynamicObject> = Api::namespaced_with(ctx.client.clone(), NAMESPACE, &kind);
    let mirrored = format!("mirror={}", map.name_any());
    let found = objects.list(&kube::api::ListParams::default().labels(&mirrored)).await?;
    let names: Vec<_> = found.items.iter().map(ResourceExt::name_any).collect();
    ctx.state.said.send(format!("{}: {}", map.name_any(), names.join(" ")))?;
    Ok(Action::await_change())
}

/// Returns the number of watches of a resource that the API server counts.
async fn watches(client: &Client, resource: &str) -> u32 {
    let request = axum::http::Request::get("/metrics").body(Vec::new()).unwrap();
    let text = client.request_text(request).await.unwrap();
    let wanted = format!("resource=\"{resource}\"");
    let is_one = |line: &&str| line.starts_with("apiserver_longrunning_requests{") && line.contains(&wanted);
    let counts = text.lines().filter(is_one).filter_map(|line| line.rsplit(' ').next()?.parse::<u32>().ok());
    counts.sum()
}

#[tokio::test]
#[ignore = "it needs the control plane that KUBECONFIG names"]
async fn watches_of_kinds_known_at_run_time_start_and_end() {
    let client = Client::try_default().await.unwrap();
    let flags = ["operator", "--health-probe-bind-address=0", "--watch-namespace", NAMESPACE];
    let (options, stop) = (Flags::parse_from(flags).options, CancellationToken::new());
    let mut manager = Manager::new("dynamic", options, Config::infer().await.unwrap(), stop.clone()).unwrap();
    let (trigger, running) = (Trigger::new(), Arc::<Mutex<Watches>>::default());
    let (said, mut saw) = unbounded_channel();
    let ended = running.clone();
    let controller = Controller::namespaced("map", reconcile)
        .objects(Watch::new().labels("test=dynamic"))
        .triggered_by(&trigger)
        .on_gone(move |name| drop(ended.lock().remove(name.name())));
    manager.add_with(State { trigger, watches: running, said }, controller);
    let manager = tokio::spawn(async move { manager.run().await });
    let mut told = async |wanted: &str| loop {
        let next = tokio::time::timeout(Duration::from_secs(30), saw.recv()).await;
        if next.unwrap_or_else(|_| panic!("no line `{wanted}`")).unwrap() == wanted {
            return;
        }
    };

    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), NAMESPACE);
    let limits = ApiResource::from_gvk(&GroupVersionKind::gvk("", "v1", "LimitRange"));
    let before = watches(&client, &limits.plural).await;
    let metadata = json!({ "name": "dynamic-a", "labels": { "test": "dynamic" } });
    let map = json!({ "metadata": metadata, "data": { "apiVersion": "v1", "kind": "LimitRange" } });
    maps.create(&PostParams::default(), &from_value(map).unwrap()).await.unwrap();
    told("dynamic-a: ").await;
    let objects: Api<DynamicObject> = Api::namespaced_with(client.clone(), NAMESPACE, &limits);
    let metadata = json!({ "name": "limits", "labels": { "mirror": "dynamic-a" } });
    let range = json!({ "metadata": metadata, "spec": { "limits": [{ "type": "Pod", "max": { "cpu": "1" } }] } });
    let made = objects.create(&PostParams::default(), &from_value(range).unwrap()).await.unwrap();
    told("dynamic-a: limits").await;
    assert_eq!(watches(&client, &limits.plural).await, before + 1);
    assert!(made.meta().uid.is_some());
    objects.delete("limits", &DeleteParams::default()).await.unwrap();
    told("dynamic-a: ").await;

    let touch = Patch::Merge(json!({ "metadata": { "annotations": { "touched": "yes" } } }));
    maps.patch("dynamic-a", &PatchParams::default(), &touch).await.unwrap();
    told("dynamic-a: ").await;
    assert_eq!(watches(&client, &limits.plural).await, before + 1, "one watch for all passes");
    maps.delete("dynamic-a", &DeleteParams::default()).await.unwrap();
    testing::until("the end of the watch", async || (watches(&client, &limits.plural).await == before).then_some(()))
        .await;
    stop.cancel();
    manager.await.unwrap().unwrap();
}
