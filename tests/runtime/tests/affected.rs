//! A reconciler that runs for objects affected by a watched object, on a real API server, which refuses a child.

use clap::Parser;
use k8s_openapi::api::core::v1::{ConfigMap, Secret, Service, ServiceAccount};
use kube::api::{Api, DeleteParams, Patch, PatchParams, PostParams};
use kube::{Client, Config, ResourceExt};
use runtime::{Action, ApplyError, CancellationToken, Context, Controller, Manager, Name, Objects, Watch, testing};
use serde_json::{Value, from_value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

const NAMESPACE: &str = "default";
/// The time that a test waits after the last pass that it has triggered, to show that no further pass begins.
const QUIET: Duration = Duration::from_secs(1);

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    options: runtime::Options,
}

/// Returns the names of the `ConfigMap`s whose label `tier` has the value of the account's annotation `tier`.
fn affected(account: &ServiceAccount, maps: &Objects<ConfigMap>) -> Vec<Name> {
    let tier = account.annotations().get("tier");
    tier.map(|tier| maps.by_index("tier", tier).names()).unwrap_or_default()
}

fn tier(map: &ConfigMap) -> Vec<String> {
    map.labels().get("tier").cloned().into_iter().collect()
}

/// Applies a Secret, and a Service without ports. Sends the name of the object and the result of each apply.
async fn reconcile(map: Arc<ConfigMap>, ctx: Arc<Context<UnboundedSender<String>>>) -> anyhow::Result<Action> {
    let about = json!({ "metadata": { "name": map.name_any() } });
    let secret = ctx.apply(&*map, from_value::<Secret>(about.clone())?).await;
    let service = ctx.apply(&*map, from_value::<Service>(about)?).await;
    let found = ctx.objects::<Secret>()?.by_index("of", &map.name_any()).names().len();
    let end = |error: &anyhow::Error| match (error.downcast_ref(), error.downcast_ref()) {
        (Some(ApplyError::Refused(_)), Some(kube::Error::Api(answer))) => format!("refused with {}", answer.code),
        (Some(ApplyError::NameTaken(why)), _) => why.clone(),
        _ => format!("{error:#}"),
    };
    let secret = secret.map_or_else(|error| end(&error), |_| format!("{found} found"));
    let service = service.map_or_else(|error| end(&error), |_| "applied".to_owned());
    ctx.state.send(format!("{}: {secret}, {service}", map.name_any()))?;
    Ok(Action::await_change())
}

/// Waits for a pass of each of these objects, and until no pass follows. Returns what the passes sent, without repeats.
async fn passes(saw: &mut UnboundedReceiver<String>, names: &[&str]) -> Vec<String> {
    let (mut lines, mut left) = (Vec::new(), names.iter().copied().collect::<BTreeSet<_>>());
    while !left.is_empty() {
        let next = tokio::time::timeout(Duration::from_secs(30), saw.recv());
        let line = next.await.unwrap_or_else(|_| panic!("no pass of {left:?} after {lines:?}")).unwrap();
        left.remove(line.split(':').next().unwrap_or_default());
        lines.push(line);
    }
    // An own write that the watch reports before its answer arrives has a further pass.
    while let Ok(Some(line)) = tokio::time::timeout(QUIET, saw.recv()).await {
        lines.push(line);
    }
    lines.sort();
    lines.dedup();
    lines
}

#[tokio::test]
#[ignore = "it needs the control plane that KUBECONFIG names"]
async fn affected_objects_are_reconciled_and_causes_of_refusal_distinguished() {
    let client = Client::try_default().await.unwrap();
    let post = PostParams::default();
    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), NAMESPACE);
    for (name, tier) in [("affected-a", "front"), ("affected-b", "back"), ("affected-c", "none")] {
        let metadata = json!({ "name": name, "labels": { "test": "affected", "tier": tier } });
        maps.create(&post, &from_value(json!({ "metadata": metadata })).unwrap()).await.unwrap();
    }
    let secrets: Api<Secret> = Api::namespaced(client.clone(), NAMESPACE);
    let foreign: Value = json!({ "metadata": { "name": "affected-b" } });
    secrets.create(&post, &from_value(foreign).unwrap()).await.unwrap();

    let flags = ["operator", "--health-probe-bind-address=0", "--watch-namespace", NAMESPACE];
    let (options, stop) = (Flags::parse_from(flags).options, CancellationToken::new());
    let config = Config::infer().await.unwrap();
    let mut manager = Manager::new("affected", options, config, stop.clone()).unwrap();
    let (said, mut saw) = unbounded_channel();
    let controller = Controller::namespaced("affected", reconcile)
        .objects(Watch::new().labels("test=affected").index("tier", tier))
        .owns_with(Watch::<Secret>::new().index("of", |secret| vec![secret.name_any()]))
        .owns::<Service>()
        .watches_map(Watch::new(), affected);
    manager.add_with(said, controller);
    let running = tokio::spawn(async move { manager.run().await });

    let taken = "affected-b: Secret affected-b already exists, and was not created by this operator";
    let first = passes(&mut saw, &["affected-a", "affected-b", "affected-c"]).await;
    let expected =
        ["affected-a: 1 found", taken, "affected-c: 1 found"].map(|line| format!("{line}, refused with 422"));
    assert_eq!(first, expected);

    // What is changed is read by a merge patch, so that the annotation alone tells the states apart.
    let accounts: Api<ServiceAccount> = Api::namespaced(client, NAMESPACE);
    let with = |tier: &str| json!({ "metadata": { "name": "affected", "annotations": { "tier": tier } } });
    accounts.create(&post, &from_value(with("front")).unwrap()).await.unwrap();
    assert_eq!(passes(&mut saw, &["affected-a"]).await.len(), 1);
    accounts.patch("affected", &PatchParams::default(), &Patch::Merge(with("back"))).await.unwrap();
    assert_eq!(passes(&mut saw, &["affected-a", "affected-b"]).await.len(), 2);
    accounts.delete("affected", &DeleteParams::default()).await.unwrap();
    assert_eq!(passes(&mut saw, &["affected-b"]).await.len(), 1);
    stop.cancel();
    running.await.unwrap().unwrap();
    let gone = testing::until("the maps are deleted", async || {
        maps.delete_collection(&DeleteParams::default(), &kube::api::ListParams::default().labels("test=affected"))
            .await
            .ok()
            .map(drop)
    });
    gone.await;
}
