//! A correct operator that may run more than once: its replicas elect a leader on a Lease, as client-go does. A Shop gets a
//! ConfigMap and two Services.

#[path = "../kit.rs"]
mod kit;
#[path = "../types.rs"]
mod types;

use futures::StreamExt;
use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use k8s_openapi::api::core::v1::{ConfigMap, Service};
use k8s_openapi::{apimachinery::pkg::apis::meta::v1::MicroTime, jiff::Timestamp};
use kit::{apply, child, retry, tell};
use kube::api::PostParams;
use kube::runtime::controller::Action;
use kube::runtime::{Controller, watcher};
use kube::{Api, Client, ResourceExt};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};
use types::Shop;

const LEASE: &str = "elected";
const LASTS: Duration = Duration::from_secs(6);
const RENEWED_WITHIN: Duration = Duration::from_secs(4);
const PAUSE: Duration = Duration::from_secs(1);

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let client = kit::begin().await?;
    let mut election = Election::new(&client);
    election.wait_to_lead().await;
    tokio::select! {
        // Nothing more is written once the lease is lost.
        biased;
        lost = election.renew() => Err(lost),
        () = run(client) => Ok(()),
    }
}

async fn run(client: Client) {
    let any = watcher::Config::default();
    Controller::new(Api::<Shop>::all(client.clone()), any.clone())
        .owns(Api::<ConfigMap>::all(client.clone()), any.clone())
        .owns(Api::<Service>::all(client.clone()), any)
        .run(reconcile, retry, Arc::new(client))
        .for_each(|_| std::future::ready(()))
        .await;
}

async fn reconcile(shop: Arc<Shop>, client: Arc<Client>) -> kube::Result<Action> {
    if shop.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    let (name, data) = (shop.name_any(), json!({ "greeting": shop.spec.greeting }));
    let map = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": child(&*shop, &name), "data": data });
    apply::<ConfigMap>(&*shop, &client, map).await?;
    for name in [format!("{name}-inside"), format!("{name}-outside")] {
        let spec = json!({ "ports": [{ "port": shop.spec.port }] });
        let service = json!({ "apiVersion": "v1", "kind": "Service", "metadata": child(&*shop, &name), "spec": spec });
        apply::<Service>(&*shop, &client, service).await?;
    }
    tell(&*shop, &client, json!({ "phase": "Ready" }), true).await?;
    Ok(Action::requeue(Duration::from_secs(600)))
}

struct Election {
    leases: Api<Lease>,
    me: String,
    /// The lease as it was last seen, and the time at which it was first seen so.
    seen: (LeaseSpec, Instant),
}

impl Election {
    fn new(client: &Client) -> Election {
        let (leases, me) = (Api::default_namespaced(client.clone()), std::process::id().to_string());
        Election { leases, me, seen: (LeaseSpec::default(), Instant::now()) }
    }

    async fn wait_to_lead(&mut self) {
        while !self.claim().await.unwrap_or(false) {
            sleep(PAUSE).await;
        }
    }

    /// Renews the lease until it is lost.
    async fn renew(&mut self) -> anyhow::Error {
        let mut until = Instant::now() + RENEWED_WITHIN;
        while Instant::now() < until {
            sleep(PAUSE).await;
            if let Ok(Ok(true)) = timeout_at(until, self.claim()).await {
                until = Instant::now() + RENEWED_WITHIN;
            }
        }
        anyhow::anyhow!("the lease is lost")
    }

    /// Takes or renews the lease. Returns false if another replica holds it, or has just written it.
    async fn claim(&mut self) -> kube::Result<bool> {
        let found = self.leases.get_opt(LEASE).await?;
        let spec = found.as_ref().and_then(|lease| lease.spec.clone()).unwrap_or_default();
        if self.seen.0 != spec {
            self.seen = (spec.clone(), Instant::now());
        }
        let holder = spec.holder_identity.as_ref().filter(|holder| !holder.is_empty());
        if holder.is_some_and(|holder| *holder != self.me) && self.seen.1.elapsed() < LASTS {
            return Ok(false);
        }
        let mut lease = found.clone().unwrap_or_default();
        lease.metadata.name = Some(LEASE.to_owned());
        let (holder_identity, renew_time) = (Some(self.me.clone()), Some(MicroTime(Timestamp::now())));
        let lease_duration_seconds = Some(6);
        lease.spec = Some(LeaseSpec { holder_identity, renew_time, lease_duration_seconds, ..spec });
        let written = match found {
            None => self.leases.create(&PostParams::default(), &lease).await,
            Some(_) => self.leases.replace(LEASE, &PostParams::default(), &lease).await,
        };
        match written {
            Err(kube::Error::Api(status)) if status.code == 409 => Ok(false),
            written => written.map(|_| true),
        }
    }
}
