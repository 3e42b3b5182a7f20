//! Leader election on a `Lease`, with client-go's algorithm: a write of the lease carries the version
//! that it is based on, and whether a lease has expired is judged by the local clock from when it was
//! last seen to change, so that clocks need not agree.
use super::NAME;
use anyhow::{Context, bail};
use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;
use k8s_openapi::jiff::Timestamp;
use kube::api::{ObjectMeta, PostParams};
use kube::{Api, Client, ResourceExt};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

/// Whether this replica leads, which only the clock can end.
#[derive(Clone, Default)]
pub struct Leadership(Arc<Mutex<Option<Instant>>>);

impl Leadership {
    pub fn holds(&self) -> bool {
        let until = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        until.is_some_and(|until| Instant::now() < until)
    }

    fn set(&self, until: Option<Instant>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = until;
    }
}

pub struct Elector {
    pub leases: Api<Lease>,
    pub identity: String,
    pub leadership: Leadership,
    /// How long the others wait for a leader that is silent.
    pub lease: Duration,
    /// How long a leader that cannot renew its lease goes on: less than `lease`.
    pub renew_within: Duration,
    pub retry: Duration,
    seen: Option<(String, Instant)>,
}

impl Elector {
    pub fn new(client: Client, namespace: &str, identity: String, leadership: Leadership) -> Self {
        Self {
            leases: Api::namespaced(client, namespace),
            identity,
            leadership,
            lease: Duration::from_secs(15),
            renew_within: Duration::from_secs(10),
            retry: Duration::from_secs(2),
            seen: None,
        }
    }

    /// Waits until this replica leads, runs `lead`, and releases the lease when that ends.
    ///
    /// When the lease is lost, `lead` is dropped and the result is an error. The process must end
    /// then: another replica is about to lead.
    pub async fn run<F: Future<Output = anyhow::Result<()>>>(
        mut self,
        stop: CancellationToken,
        lead: impl FnOnce() -> F,
    ) -> anyhow::Result<()> {
        tracing::info!(identity = self.identity, "waiting to lead");
        loop {
            match timeout(self.renew_within, self.acquire()).await {
                Ok(Ok(true)) => break,
                Ok(Ok(false)) => {}
                Ok(Err(error)) => tracing::warn!("cannot acquire the lease: {error:#}"),
                Err(_) => tracing::warn!("cannot acquire the lease: no answer"),
            }
            tokio::select! {
                () = sleep(self.retry) => {}
                () = stop.cancelled() => return Ok(()),
            }
        }
        tracing::info!("leading");
        let result = tokio::select! {
            result = lead() => result,
            lost = self.keep() => Err(lost),
        };
        self.leadership.set(None);
        if result.is_ok()
            && let Ok(Err(error)) = timeout(self.retry, self.release()).await
        {
            tracing::warn!("cannot release the lease: {error:#}");
        }
        result
    }

    /// Renews the lease until that fails.
    async fn keep(&mut self) -> anyhow::Error {
        let mut deadline = Instant::now() + self.renew_within;
        loop {
            sleep(self.retry).await;
            match timeout_at(deadline, self.acquire()).await {
                Ok(Ok(true)) => deadline = Instant::now() + self.renew_within,
                Ok(Ok(false)) => return anyhow::anyhow!("another replica has taken the lease"),
                Ok(Err(error)) => tracing::warn!("cannot renew the lease: {error:#}"),
                Err(_) => {}
            }
            if Instant::now() >= deadline {
                return anyhow::anyhow!("the lease was not renewed for {:?}", self.renew_within);
            }
        }
    }

    /// Takes or renews the lease, unless somebody else holds it.
    async fn acquire(&mut self) -> anyhow::Result<bool> {
        let asked = Instant::now();
        let acquired = self.claim().await?;
        if acquired {
            self.leadership.set(Some(asked + self.renew_within));
        }
        Ok(acquired)
    }

    async fn claim(&mut self) -> anyhow::Result<bool> {
        let Some(mut lease) = self.leases.get_opt(NAME).await? else {
            let lease = Lease {
                metadata: ObjectMeta {
                    name: Some(NAME.into()),
                    ..ObjectMeta::default()
                },
                spec: Some(self.renewed(LeaseSpec::default())),
            };
            return won(self.leases.create(&PostParams::default(), &lease).await);
        };
        let version = lease
            .resource_version()
            .context("the lease has no version")?;
        if self.seen.as_ref().is_none_or(|(seen, _)| *seen != version) {
            self.seen = Some((version, Instant::now()));
        }
        let spec = lease.spec.take().unwrap_or_default();
        let holder = spec.holder_identity.as_deref().unwrap_or_default();
        let alive = self
            .seen
            .as_ref()
            .is_some_and(|(_, since)| since.elapsed() < self.lease);
        if !holder.is_empty() && holder != self.identity && alive {
            return Ok(false);
        }
        lease.spec = Some(self.renewed(spec));
        won(self
            .leases
            .replace(NAME, &PostParams::default(), &lease)
            .await)
    }

    fn renewed(&self, old: LeaseSpec) -> LeaseSpec {
        let now = MicroTime(Timestamp::now());
        let held = old.holder_identity.as_ref() == Some(&self.identity);
        LeaseSpec {
            holder_identity: Some(self.identity.clone()),
            lease_duration_seconds: i32::try_from(self.lease.as_secs().max(1)).ok(),
            acquire_time: if held {
                old.acquire_time
            } else {
                Some(now.clone())
            },
            renew_time: Some(now),
            lease_transitions: Some(old.lease_transitions.unwrap_or(0) + i32::from(!held)),
            ..old
        }
    }

    async fn release(&self) -> anyhow::Result<()> {
        let mut lease = self.leases.get(NAME).await?;
        let spec = lease.spec.get_or_insert_default();
        if spec.holder_identity.as_ref() != Some(&self.identity) {
            bail!("another replica holds it");
        }
        spec.holder_identity = Some(String::new());
        spec.lease_duration_seconds = Some(1);
        self.leases
            .replace(NAME, &PostParams::default(), &lease)
            .await?;
        tracing::info!("lease released");
        Ok(())
    }
}

/// Another replica was faster: that is no error.
fn won(result: kube::Result<Lease>) -> anyhow::Result<bool> {
    match result {
        Ok(_) => Ok(true),
        Err(kube::Error::Api(status)) if status.is_conflict() || status.is_already_exists() => {
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}
