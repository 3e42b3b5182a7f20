//! Ten controllers that own Deployments share one watch of Deployments. A real API server counts the watches.

use clap::Parser;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, PostParams};
use kube::{Client, Config, ResourceExt};
use runtime::{Action, CancellationToken, Context, Controller, Manager, Watch, testing};
use serde_json::{from_value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

const NAMESPACE: &str = "default";
const NAMES: [&str; 10] = ["of-a", "of-b", "of-c", "of-d", "of-e", "of-f", "of-g", "of-h", "of-i", "of-j"];

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    options: runtime::Options,
}

/// Applies a Deployment. Sends the object's name once the Deployment in the cache has the annotation `seen`.
async fn reconcile(map: Arc<ConfigMap>, ctx: Arc<Context<UnboundedSender<String>>>) -> anyhow::Result<Action> {
    let name = map.name_any();
    let labels = json!({ "app": name });
    let desired = json!({
        "metadata": { "name": name },
        "spec": {
            "replicas": 0,
            "selector": { "matchLabels": labels },
            "template": {
                "metadata": { "labels": labels },
                "spec": { "containers": [{ "name": "main", "image": "nginx" }] },
            },
        },
    });
    ctx.apply(&*map, from_value::<Deployment>(desired)?).await?;
    let annotated = |child: &Deployment| child.annotations().contains_key("seen");
    if ctx.children::<Deployment>(&*map)?.iter().any(annotated) {
        ctx.state.send(name)?;
    }
    Ok(Action::await_change())
}

/// Returns the number of watches of Deployments that the API server counts.
async fn watches(client: &Client) -> u32 {
    let request = axum::http::Request::get("/metrics").body(Vec::new()).unwrap();
    let text = client.request_text(request).await.unwrap();
    let is_one =
        |line: &&str| line.starts_with("apiserver_longrunning_requests{") && line.contains("resource=\"deployments\"");
    let counts = text.lines().filter(is_one).filter_map(|line| line.rsplit(' ').next()?.parse::<u32>().ok());
    counts.sum()
}

#[tokio::test]
#[ignore = "it needs the control plane that KUBECONFIG names"]
async fn ten_controllers_have_one_watch_of_their_children() {
    let client = Client::try_default().await.unwrap();
    let before = watches(&client).await;
    let flags = ["operator", "--health-probe-bind-address=0", "--watch-namespace", NAMESPACE];
    let (options, stop) = (Flags::parse_from(flags).options, CancellationToken::new());
    let config = Config::infer().await.unwrap();
    let mut manager = Manager::new("shared", options, config, stop.clone()).unwrap();
    let (said, mut saw) = unbounded_channel();
    for name in NAMES {
        let maps = Watch::new().labels(&format!("shared={name}"));
        manager.add_with(said.clone(), Controller::namespaced(name, reconcile).objects(maps).owns::<Deployment>());
    }
    let running = tokio::spawn(async move { manager.run().await });
    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), NAMESPACE);
    let children: Api<Deployment> = Api::namespaced(client.clone(), NAMESPACE);
    for name in NAMES {
        let metadata = json!({ "name": name, "labels": { "shared": name } });
        maps.create(&PostParams::default(), &from_value(json!({ "metadata": metadata })).unwrap()).await.unwrap();
    }
    testing::until("each object has a child", async || {
        let there = children.list(&Default::default()).await.unwrap();
        NAMES.iter().all(|name| there.items.iter().any(|child| child.name_any() == *name)).then_some(())
    })
    .await;
    assert_eq!(watches(&client).await, before + 1);

    // Each controller is told of the changes of its own children.
    for name in NAMES {
        let seen = json!({ "metadata": { "annotations": { "seen": "yes" } } });
        children.patch(name, &Default::default(), &kube::api::Patch::Merge(seen)).await.unwrap();
    }
    let mut left = BTreeSet::from(NAMES.map(str::to_owned));
    while !left.is_empty() {
        let next = tokio::time::timeout(std::time::Duration::from_secs(30), saw.recv());
        left.remove(&next.await.unwrap_or_else(|_| panic!("no pass of {left:?}")).unwrap());
    }
    stop.cancel();
    running.await.unwrap().unwrap();
}
