//! A correct operator of a kind without a namespace: a Tenant gets a ConfigMap in the namespace that it names.

#[path = "../kit.rs"]
mod kit;

use futures::StreamExt;
use k8s_openapi::api::core::v1::ConfigMap;
use kit::{MANAGER, read, retry};
use kube::api::{Patch, PatchParams};
use kube::runtime::controller::Action;
use kube::runtime::{Controller, watcher};
use kube::{Api, Client, CustomResource, Resource, ResourceExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

#[derive(CustomResource, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Tenant", status = "Value")]
struct TenantSpec {
    namespace: String,
    quota: i32,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let (client, any) = (kit::begin().await?, watcher::Config::default());
    Controller::new(Api::<Tenant>::all(client.clone()), any.clone())
        .owns(Api::<ConfigMap>::all(client.clone()), any)
        .run(reconcile, retry, Arc::new(client))
        .for_each(|_| std::future::ready(()))
        .await;
    Ok(())
}

async fn reconcile(tenant: Arc<Tenant>, client: Arc<Client>) -> kube::Result<Action> {
    // The garbage collector deletes the ConfigMap first, if a user deletes the Tenant in the foreground.
    if tenant.meta().deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    let name = tenant.name_any();
    let metadata = json!({ "name": name, "ownerReferences": [tenant.controller_owner_ref(&())] });
    let map: ConfigMap = read(json!({ "metadata": metadata, "data": { "quota": tenant.spec.quota.to_string() } }));
    let maps: Api<ConfigMap> = Api::namespaced((*client).clone(), &tenant.spec.namespace);
    maps.patch(&name, &PatchParams::apply(MANAGER).force(), &Patch::Apply(&map)).await?;
    Ok(Action::requeue(Duration::from_secs(600)))
}
