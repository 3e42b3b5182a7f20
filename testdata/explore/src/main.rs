//! A plain kube-rs operator, correct as far as is known: a Shop gets a Deployment, a Service and a ConfigMap, and a record that
//! stands for something outside of the cluster: a ConfigMap without an owner, which a finalizer removes.

mod children;
mod types;

use anyhow::Context as _;
use children::{config_map, deployment, record, service};
use futures::StreamExt;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Service};
use kube::api::{DeleteParams, Patch, PatchParams};
use kube::runtime::controller::Action;
use kube::runtime::finalizer::{Event, finalizer};
use kube::runtime::{Controller, watcher};
use kube::{Api, Client, Resource, ResourceExt};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;
use types::{Shop, ShopCondition, ShopStatus};

const MANAGER: &str = "plain-operator";
const FINALIZER: &str = "example.com/plain-operator";

struct Context {
    client: Client,
}

#[derive(Debug)]
struct Failed(anyhow::Error);

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:#}", self.0)
    }
}

impl std::error::Error for Failed {}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    tracing_subscriber::fmt().with_ansi(false).without_time().init();
    let client = Client::try_default().await?;
    let (all, any) = (Api::<Shop>::all(client.clone()), watcher::Config::default());
    Controller::new(all, any.clone())
        .owns(Api::<Deployment>::all(client.clone()), any.clone())
        .owns(Api::<Service>::all(client.clone()), any.clone())
        .owns(Api::<ConfigMap>::all(client.clone()), any)
        .run(reconcile, retry, Arc::new(Context { client }))
        .for_each(|_| std::future::ready(()))
        .await;
    Ok(())
}

fn retry(_: Arc<Shop>, error: &Failed, _: Arc<Context>) -> Action {
    tracing::warn!("{error}");
    Action::requeue(Duration::from_secs(2))
}

async fn reconcile(shop: Arc<Shop>, ctx: Arc<Context>) -> Result<Action, Failed> {
    let shops: Api<Shop> = api(&shop, &ctx);
    let done = finalizer(&shops, FINALIZER, shop, |event| async {
        match event {
            Event::Apply(shop) => apply(&shop, &ctx).await,
            Event::Cleanup(shop) => clean_up(&shop, &ctx).await,
        }
        .map_err(Failed)
    });
    done.await.map_err(|error| Failed(error.into()))
}

async fn apply(shop: &Shop, ctx: &Context) -> anyhow::Result<Action> {
    put(record(shop), shop, ctx).await?;
    let deployment = put(deployment(shop), shop, ctx).await?;
    put(service(shop), shop, ctx).await?;
    put(config_map(shop), shop, ctx).await?;

    let ready = deployment.status.and_then(|status| status.ready_replicas).unwrap_or(0);
    let phase = if ready == shop.spec.replicas { "Ready" } else { "Progressing" };
    let condition = ShopCondition {
        r#type: "Ready".to_owned(),
        status: if phase == "Ready" { "True" } else { "False" }.to_owned(),
    };
    let status = ShopStatus {
        phase: Some(phase.to_owned()),
        observed_generation: shop.metadata.generation,
        conditions: Some(vec![condition]),
    };
    if shop.status.as_ref() != Some(&status) {
        let shops: Api<Shop> = api(shop, ctx);
        let patch = Patch::Merge(json!({ "status": status }));
        shops.patch_status(&shop.name_any(), &PatchParams::default(), &patch).await.context("status")?;
    }
    Ok(Action::requeue(Duration::from_secs(600)))
}

async fn clean_up(shop: &Shop, ctx: &Context) -> anyhow::Result<Action> {
    let records: Api<ConfigMap> = api(shop, ctx);
    let name = format!("{}-record", shop.name_any());
    match records.delete(&name, &DeleteParams::default()).await {
        Err(kube::Error::Api(status)) if status.is_not_found() => {}
        deleted => drop(deleted.context("record")?),
    }
    Ok(Action::await_change())
}

/// Applies a child.
async fn put<K>(child: K, shop: &Shop, ctx: &Context) -> anyhow::Result<K>
where
    K: Resource<Scope = k8s_openapi::NamespaceResourceScope, DynamicType = ()>
        + Clone
        + Debug
        + Serialize
        + DeserializeOwned,
{
    let children: Api<K> = api(shop, ctx);
    let parameters = PatchParams::apply(MANAGER).force();
    let applied = children.patch(&child.name_any(), &parameters, &Patch::Apply(&child)).await;
    applied.with_context(|| format!("{} {}", K::kind(&()), child.name_any()))
}

fn api<K>(shop: &Shop, ctx: &Context) -> Api<K>
where
    K: Resource<Scope = k8s_openapi::NamespaceResourceScope, DynamicType = ()>,
{
    Api::namespaced(ctx.client.clone(), &shop.namespace().unwrap_or_default())
}
