//! A correct operator of something outside of the cluster that gives ids by itself: an Account is registered once, is looked for
//! before it is registered, and is removed by a finalizer. ConfigMaps without an owner stand for what is outside.

#[path = "../kit.rs"]
mod kit;

use futures::StreamExt;
use k8s_openapi::api::core::v1::ConfigMap;
use kit::{api, read, remove, retry, tell};
use kube::api::{ListParams, Patch, PatchParams, PostParams};
use kube::runtime::controller::Action;
use kube::runtime::finalizer::{Error, Event, finalizer};
use kube::runtime::{Controller, watcher};
use kube::{Api, Client, CustomResource, ResourceExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

#[derive(CustomResource, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Account", namespaced, status = "Value")]
struct AccountSpec {
    plan: String,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let client = kit::begin().await?;
    Controller::new(Api::<Account>::all(client.clone()), watcher::Config::default())
        .run(reconcile, retry, Arc::new(client))
        .for_each(|_| std::future::ready(()))
        .await;
    Ok(())
}

async fn reconcile(account: Arc<Account>, client: Arc<Client>) -> Result<Action, Error<kube::Error>> {
    let accounts: Api<Account> = api(&*account, &client);
    finalizer(&accounts, "example.com/account", account, |event| async {
        match event {
            Event::Apply(account) => keep(&account, &client).await,
            Event::Cleanup(account) => clear(&account, &client).await,
        }
    })
    .await
}

/// Returns the ids under which the account is registered outside.
async fn registered(account: &Account, client: &Client) -> kube::Result<Vec<String>> {
    let ours = ListParams::default().labels(&format!("account={}", account.uid().unwrap_or_default()));
    Ok(api::<ConfigMap>(account, client).list(&ours).await?.iter().map(ResourceExt::name_any).collect())
}

async fn keep(account: &Account, client: &Client) -> kube::Result<Action> {
    let outside: Api<ConfigMap> = api(account, client);
    let id = match registered(account, client).await?.into_iter().next() {
        Some(id) => id,
        None => register(account, &outside).await?,
    };
    let plan = Patch::Merge(json!({ "data": { "plan": account.spec.plan } }));
    outside.patch(&id, &PatchParams::default(), &plan).await?;
    tell(account, client, json!({ "id": id }), true).await?;
    Ok(Action::requeue(Duration::from_secs(600)))
}

async fn register(account: &Account, outside: &Api<ConfigMap>) -> kube::Result<String> {
    let labels = json!({ "account": account.uid().unwrap_or_default() });
    let new =
        json!({ "metadata": { "generateName": "account-", "labels": labels }, "data": { "plan": account.spec.plan } });
    Ok(outside.create(&PostParams::default(), &read(new)).await?.name_any())
}

async fn clear(account: &Account, client: &Client) -> kube::Result<Action> {
    for id in registered(account, client).await? {
        remove::<ConfigMap>(account, client, &id).await?;
    }
    Ok(Action::await_change())
}
