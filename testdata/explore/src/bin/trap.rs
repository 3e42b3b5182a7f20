//! A correct operator that does what is easily taken for a bug: it starts slowly, writes the time into the status again and again,
//! makes a random password, leaves a claim behind, and deletes an immutable object to make it anew.

#[path = "../requests.rs"]
mod requests;
#[path = "../types.rs"]
mod types;

use futures::StreamExt;
use k8s_openapi::api::core::v1::{ConfigMap, PersistentVolumeClaim, Secret};
use k8s_openapi::jiff::Timestamp;
use kube::api::{DeleteParams, Patch, PatchParams, PostParams, Preconditions};
use kube::runtime::controller::Action;
use kube::runtime::{Controller, watcher};
use kube::{Api, Client, Resource, ResourceExt};
use requests::{api, create, read, retry};
use serde_json::{Value, json};
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;
use types::Shop;

const BEAT: Duration = Duration::from_secs(30);

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    tracing_subscriber::fmt().with_ansi(false).without_time().init();
    tokio::time::sleep(Duration::from_secs(3)).await;
    let client = Client::try_default().await?;
    let any = watcher::Config::default();
    Controller::new(Api::<Shop>::all(client.clone()), any.clone())
        .owns(Api::<Secret>::all(client.clone()), any.clone())
        .owns(Api::<ConfigMap>::all(client.clone()), any.clone())
        .run(reconcile, retry, Arc::new(client))
        .for_each(|_| std::future::ready(()))
        .await;
    Ok(())
}

async fn reconcile(shop: Arc<Shop>, client: Arc<Client>) -> kube::Result<Action> {
    if shop.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    let owner = json!([shop.controller_owner_ref(&())]);
    let password = format!("{:016x}", RandomState::new().hash_one(shop.uid()));
    create::<Secret>(
        &shop,
        &client,
        json!({ "metadata": { "name": shop.name_any(), "ownerReferences": owner }, "stringData": { "password": password } }),
    )
    .await?;
    // Has no owner: its data outlives the Shop.
    create::<PersistentVolumeClaim>(
        &shop,
        &client,
        json!({
            "metadata": { "name": shop.name_any() },
            "spec": { "accessModes": ["ReadWriteOnce"], "resources": { "requests": { "storage": "1Gi" } } },
        }),
    )
    .await?;
    greet(&shop, &client, &owner).await?;
    beat(&shop, &client).await?;
    Ok(Action::requeue(BEAT))
}

/// Keeps an immutable ConfigMap as the Shop wants it.
async fn greet(shop: &Shop, client: &Client, owner: &Value) -> kube::Result<()> {
    let maps: Api<ConfigMap> = api(shop, client);
    let wanted = json!({
        "metadata": { "name": shop.name_any(), "ownerReferences": owner },
        "immutable": true,
        "data": { "greeting": shop.spec.greeting },
    });
    if let Some(there) = maps.get_opt(&shop.name_any()).await? {
        let text = there.data.as_ref().and_then(|data| data.get("greeting"));
        let owned = there.owner_references().iter().any(|owner| Some(&owner.uid) == shop.uid().as_ref());
        if owned && text == Some(&shop.spec.greeting) {
            return Ok(());
        }
        let same = Preconditions { uid: there.uid(), resource_version: there.resource_version() };
        match maps.delete(&shop.name_any(), &DeleteParams::default().preconditions(same)).await {
            Err(kube::Error::Api(status)) if status.is_not_found() => {}
            deleted => drop(deleted?),
        }
    }
    maps.create(&PostParams::default(), &read(wanted)).await.map(drop)
}

/// Writes the time into the status, if the last one is older than [`BEAT`], and the phase.
async fn beat(shop: &Shop, client: &Client) -> kube::Result<()> {
    let told = shop.status.as_ref().and_then(|status| status.phase.as_ref());
    let last = told.and_then(|told| told.strip_prefix("Ready since ")?.parse::<Timestamp>().ok());
    let generation = shop.status.as_ref().and_then(|status| status.observed_generation);
    let now = Timestamp::now();
    let due = last.is_none_or(|last| now.duration_since(last).unsigned_abs() >= BEAT);
    if !due && generation == shop.metadata.generation {
        return Ok(());
    }
    let shops: Api<Shop> = api(shop, client);
    let status = json!({ "phase": format!("Ready since {now}"), "observedGeneration": shop.metadata.generation });
    let patch = Patch::Merge(json!({ "status": status }));
    shops.patch_status(&shop.name_any(), &PatchParams::default(), &patch).await.map(drop)
}
