//! A correct operator with objects whose names are not given by their owner's: a Shop gets a StatefulSet, a Job for each image,
//! which migrates what the image before it has left, and one ticket with a random name.

#[path = "../requests.rs"]
mod requests;
#[path = "../types.rs"]
mod types;

use futures::StreamExt;
use k8s_openapi::api::apps::v1::StatefulSet;
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{ListParams, Patch, PatchParams, PostParams};
use kube::runtime::controller::Action;
use kube::runtime::{Controller, watcher};
use kube::{Api, Client, Resource, ResourceExt};
use requests::{api, create, read, retry};
use serde_json::{Value, json};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use types::{Shop, ShopStatus};

const MANAGER: &str = "releases-operator";

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    tracing_subscriber::fmt().with_ansi(false).without_time().init();
    let client = Client::try_default().await?;
    let any = watcher::Config::default();
    Controller::new(Api::<Shop>::all(client.clone()), any.clone())
        .owns(Api::<StatefulSet>::all(client.clone()), any.clone())
        .owns(Api::<Job>::all(client.clone()), any.clone())
        .owns(Api::<ConfigMap>::all(client.clone()), any)
        .run(reconcile, retry, Arc::new(client))
        .for_each(|_| std::future::ready(()))
        .await;
    Ok(())
}

async fn reconcile(shop: Arc<Shop>, client: Arc<Client>) -> kube::Result<Action> {
    if shop.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    let parameters = PatchParams::apply(MANAGER).force();
    let sets: Api<StatefulSet> = api(&shop, &client);
    let set = sets.patch(&shop.name_any(), &parameters, &Patch::Apply(stateful_set(&shop))).await?;
    create::<Job>(&shop, &client, job(&shop)).await?;
    issue_ticket(&shop, &client).await?;

    let ready = set.status.and_then(|status| status.ready_replicas).unwrap_or(0);
    let status = ShopStatus {
        phase: Some(if ready == shop.spec.replicas { "Ready" } else { "Progressing" }.to_owned()),
        observed_generation: shop.metadata.generation,
        conditions: None,
    };
    if shop.status.as_ref() != Some(&status) {
        let shops: Api<Shop> = api(&shop, &client);
        let patch = Patch::Merge(json!({ "status": status }));
        shops.patch_status(&shop.name_any(), &PatchParams::default(), &patch).await?;
    }
    Ok(Action::await_change())
}

/// Creates the ticket unless it is there. The list is a consistent one: a cache may lack a ticket whose creation was not
/// answered.
async fn issue_ticket(shop: &Shop, client: &Client) -> kube::Result<()> {
    let tickets: Api<ConfigMap> = api(shop, client);
    let all = tickets.list(&ListParams::default().labels(&format!("ticket={}", shop.name_any()))).await?;
    let uid = shop.uid().unwrap_or_default();
    if all.iter().any(|ticket| ticket.owner_references().iter().any(|owner| owner.uid == uid)) {
        return Ok(());
    }
    let ticket = json!({ "metadata": {
        "generateName": format!("{}-", shop.name_any()),
        "labels": { "ticket": shop.name_any() },
        "ownerReferences": [shop.controller_owner_ref(&())],
    } });
    tickets.create(&PostParams::default(), &read(ticket)).await.map(drop)
}

fn stateful_set(shop: &Shop) -> Value {
    let labels = json!({ "app": shop.name_any() });
    json!({
        "apiVersion": "apps/v1",
        "kind": "StatefulSet",
        "metadata": { "name": shop.name_any(), "ownerReferences": [shop.controller_owner_ref(&())] },
        "spec": {
            "replicas": shop.spec.replicas,
            "serviceName": shop.name_any(),
            "selector": { "matchLabels": labels },
            "template": {
                "metadata": { "labels": labels },
                "spec": { "containers": [{ "name": "main", "image": shop.spec.image }] },
            },
        },
    })
}

fn job(shop: &Shop) -> Value {
    let mut hasher = DefaultHasher::new();
    shop.spec.image.hash(&mut hasher);
    let container = json!({ "name": "migrate", "image": shop.spec.image });
    json!({
        "metadata": {
            "name": format!("{}-{:08x}", shop.name_any(), hasher.finish() as u32),
            "ownerReferences": [shop.controller_owner_ref(&())],
        },
        "spec": { "template": { "spec": { "restartPolicy": "OnFailure", "containers": [container] } } },
    })
}
