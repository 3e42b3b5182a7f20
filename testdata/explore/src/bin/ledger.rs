//! A correct operator that reads before it writes: a Ledger gets a ConfigMap, which it replaces and tries again after a conflict,
//! an immutable Secret, which it deletes under the condition that it is the one it saw, and the time of its last look.

#[path = "../kit.rs"]
mod kit;

use futures::StreamExt;
use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use k8s_openapi::jiff::Timestamp;
use kit::{api, child, read, retry, tell};
use kube::api::{DeleteParams, PostParams, Preconditions};
use kube::runtime::controller::Action;
use kube::runtime::{Controller, watcher};
use kube::{Api, Client, CustomResource, ResourceExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

const BEAT: Duration = Duration::from_secs(20);

#[derive(CustomResource, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Ledger", namespaced, status = "Value")]
struct LedgerSpec {
    currency: String,
    seal: String,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let (client, any) = (kit::begin().await?, watcher::Config::default());
    Controller::new(Api::<Ledger>::all(client.clone()), any.clone())
        .owns(Api::<ConfigMap>::all(client.clone()), any.clone())
        .owns(Api::<Secret>::all(client.clone()), any)
        .run(reconcile, retry, Arc::new(client))
        .for_each(|_| std::future::ready(()))
        .await;
    Ok(())
}

async fn reconcile(ledger: Arc<Ledger>, client: Arc<Client>) -> kube::Result<Action> {
    if ledger.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    write(&ledger, &client).await?;
    seal(&ledger, &client).await?;
    let status = json!(*ledger)["status"].clone();
    let last = status["looked"].as_str().and_then(|last| last.parse::<Timestamp>().ok());
    let now = Timestamp::now();
    let due = last.is_none_or(|last| now.duration_since(last).unsigned_abs() >= BEAT);
    let looked = if due { json!(now.to_string()) } else { status["looked"].clone() };
    tell(&*ledger, &client, json!({ "looked": looked }), true).await?;
    Ok(Action::requeue(BEAT))
}

/// Replaces the ConfigMap, and keeps what others wrote into it.
async fn write(ledger: &Ledger, client: &Client) -> kube::Result<()> {
    let maps: Api<ConfigMap> = api(ledger, client);
    let name = ledger.name_any();
    for _ in 0..5 {
        let written = match maps.get_opt(&name).await? {
            None => {
                let map = json!({ "metadata": child(ledger, &name), "data": { "currency": ledger.spec.currency } });
                maps.create(&PostParams::default(), &read(map)).await
            }
            Some(mut map) => {
                let data = map.data.get_or_insert_default();
                if data.get("currency") == Some(&ledger.spec.currency) {
                    return Ok(());
                }
                data.insert("currency".to_owned(), ledger.spec.currency.clone());
                maps.replace(&name, &PostParams::default(), &map).await
            }
        };
        match written {
            Err(kube::Error::Api(status)) if status.code == 409 || status.is_not_found() => {}
            written => return written.map(drop),
        }
    }
    Ok(())
}

/// Makes the Secret again if its text is to change.
async fn seal(ledger: &Ledger, client: &Client) -> kube::Result<()> {
    let secrets: Api<Secret> = api(ledger, client);
    let name = ledger.name_any();
    if let Some(there) = secrets.get_opt(&name).await? {
        let seal = there.data.as_ref().and_then(|data| data.get("seal"));
        let owned = there.owner_references().iter().any(|owner| Some(&owner.uid) == ledger.uid().as_ref());
        if owned && seal.is_some_and(|seal| seal.0 == ledger.spec.seal.as_bytes()) {
            return Ok(());
        }
        let same = Preconditions { uid: there.uid(), resource_version: None };
        match secrets.delete(&name, &DeleteParams::default().preconditions(same)).await {
            Err(kube::Error::Api(status)) if status.is_not_found() || status.code == 409 => {}
            deleted => drop(deleted?),
        }
    }
    let secret = json!({
        "metadata": child(ledger, &name), "immutable": true, "stringData": { "seal": ledger.spec.seal },
    });
    secrets.create(&PostParams::default(), &read(secret)).await.map(drop)
}
