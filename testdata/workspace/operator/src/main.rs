//! An order takes its pieces off the shelf.

use futures::StreamExt;
use kube::api::{Api, Patch, PatchParams};
use kube::runtime::controller::{Action, Controller};
use kube::runtime::watcher::Config;
use kube::{Client, ResourceExt};
use serde_json::json;
use shop_orders::crd::Item;
use shop_stock::crd as stock;
use std::sync::Arc;
use std::time::Duration;

async fn reconcile(item: Arc<Item>, client: Arc<Client>) -> Result<Action, kube::Error> {
    if item.status.as_ref().is_some_and(|status| status.sent) {
        return Ok(Action::await_change());
    }
    let namespace = item.namespace().unwrap_or_default();
    let shelves: Api<stock::Item> = Api::namespaced((*client).clone(), &namespace);
    let there = shelves.get(&item.spec.article).await?;
    let left = json!({ "spec": { "pieces": there.spec.pieces - i32::from(item.spec.count) } });
    shelves.patch(&item.spec.article, &PatchParams::default(), &Patch::Merge(&left)).await?;
    let items: Api<Item> = Api::namespaced((*client).clone(), &namespace);
    let sent = json!({ "status": { "sent": true } });
    items.patch_status(&item.name_any(), &PatchParams::default(), &Patch::Merge(&sent)).await?;
    Ok(Action::await_change())
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let client = Client::try_default().await?;
    Controller::new(Api::<Item>::all(client.clone()), Config::default())
        .run(reconcile, |_, _, _| Action::requeue(Duration::from_secs(2)), Arc::new(client))
        .for_each(|_| std::future::ready(()))
        .await;
    Ok(())
}
