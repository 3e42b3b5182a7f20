//! Leader election on a `Lease`, with client-go's algorithm: a write of the lease carries the
//! version on which it is based. Each replica judges by its own clock if a lease has expired, from
//! the time at which it last saw the lease change, so the clocks need not agree.

use crate::health::{ELECTION, Health};
use anyhow::{Result, anyhow, ensure};
use futures::TryFutureExt;
use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use k8s_openapi::{apimachinery::pkg::apis::meta::v1::MicroTime, jiff::Timestamp};
use kube::{Api, Client, api::PostParams, api::entry::CommitError};
use parking_lot::Mutex;
use std::{sync::Arc, time::Duration};
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

/// The minimum duration of a lease. The leader then renews the lease every 0.4 seconds.
const SHORTEST: Duration = Duration::from_secs(3);
/// The maximum duration of a lease, after which another replica replaces a crashed leader.
const LONGEST: Duration = Duration::from_secs(3600);
/// The longest pause between two reads of a held lease, and the time limit for a release.
const RETRY: Duration = Duration::from_secs(2);
/// The pause before the next read of a lease that changed during a renewal.
const AGAIN: Duration = Duration::from_millis(100);

/// The flags for the leader election.
#[derive(clap::Args, Debug)]
pub struct ElectionOptions {
    /// Elect a leader, so that only one of several replicas reconciles
    #[arg(long, env)]
    leader_elect: bool,
    /// Namespace of the lease [default: the namespace of the operator]
    #[arg(long, env, value_name = "NAMESPACE")]
    leader_election_namespace: Option<String>,
    /// Time after which another replica may take a lease that its leader does not renew
    #[arg(long, env, value_name = "TIME", default_value = "15s", value_parser = lease_duration)]
    leader_election_lease_duration: Duration,
}

fn lease_duration(text: &str) -> Result<Duration> {
    let duration = humantime::parse_duration(text)?;
    let is_possible = (SHORTEST..=LONGEST).contains(&duration);
    ensure!(is_possible, "a lease lasts {SHORTEST:?} to {LONGEST:?}");
    Ok(duration)
}

/// The time until which this replica leads. Without a renewal of the lease, the leadership ends at
/// this time.
#[derive(Clone, Default)]
pub struct Leadership(Arc<Mutex<Option<Instant>>>);

impl Leadership {
    pub fn holds(&self) -> bool {
        self.0.lock().is_some_and(|until| Instant::now() < until)
    }
}

/// A participant in the leader election.
pub struct Elector {
    /// The operator's name, which is also the name of the lease.
    operator: &'static str,
    leases: Api<Lease>,
    identity: String,
    /// The time after which another replica may take the lease.
    duration: Duration,
    pub leadership: Leadership,
    /// The last observed state of the lease, and the time at which it was first observed.
    seen: (LeaseSpec, Instant),
    /// The last logged failure. The same failure is not logged again at each attempt.
    logged: String,
}

/// The result of an attempt to take or renew the lease.
enum Claim {
    Held,
    /// Another replica holds the lease.
    Taken,
    /// The lease has changed between the read and the write.
    Changed,
}

impl Elector {
    /// Makes a participant; returns `None` if the flags do not enable leader election.
    pub fn new(
        options: ElectionOptions,
        operator: &'static str,
        client: &Client,
        identity: &str,
    ) -> Option<Self> {
        let namespace = options.leader_election_namespace.as_deref();
        let namespace = namespace.unwrap_or(client.default_namespace());
        options.leader_elect.then(|| Self {
            operator,
            leases: Api::namespaced(client.clone(), namespace),
            identity: identity.to_owned(),
            duration: options.leader_election_lease_duration,
            leadership: Leadership::default(),
            seen: (LeaseSpec::default(), Instant::now()),
            logged: String::new(),
        })
    }

    /// Returns how long a leader leads without a renewal of the lease: less than the lease lasts.
    fn renew_within(&self) -> Duration {
        self.duration * 2 / 3
    }

    fn renew_every(&self) -> Duration {
        self.duration * 2 / 15
    }

    fn warn(&mut self, failure: String) {
        if self.logged != failure {
            tracing::warn!("{failure}");
            self.logged = failure;
        }
    }

    /// Waits until this replica leads, runs `lead`, and releases the lease when `lead` has
    /// succeeded. The replica is not ready until it has read the lease: without the right to read
    /// the lease, or without a connection to the API server, it could never lead.
    ///
    /// If the lease is lost, drops `lead` and returns an error. The process must then end, because
    /// another replica is about to lead.
    pub async fn run<F: Future<Output = Result<()>>>(
        mut self,
        stop: CancellationToken,
        health: Health,
        lead: impl FnOnce() -> F,
    ) -> Result<()> {
        tracing::info!(identity = self.identity, "waiting to lead");
        loop {
            let claim = timeout(self.renew_within(), self.acquire()).await;
            if let Ok(Ok(_)) = claim {
                health.forget(ELECTION);
                self.logged.clear();
            }
            match claim {
                Ok(Ok(Claim::Held)) => break,
                Ok(Ok(Claim::Taken | Claim::Changed)) => {}
                Ok(Err(error)) => self.warn(format!("cannot acquire the lease: {error:#}")),
                Err(_) => self.warn("cannot acquire the lease: no answer".to_owned()),
            }
            // A lease that is not renewed is taken as soon as it expires.
            let lasts = duration(&self.seen.0).unwrap_or(self.duration);
            let expires = lasts.saturating_sub(self.seen.1.elapsed());
            let pause = sleep(expires.clamp(AGAIN, RETRY));
            if stop.run_until_cancelled(pause).await.is_none() {
                return Ok(());
            }
        }
        tracing::info!("leading");
        let result = tokio::select! {
            biased;
            lost = self.renew_until_lost() => Err(lost),
            result = lead() => result,
        };
        *self.leadership.0.lock() = None;
        // After an error, writes that were sent may still arrive: the other replicas wait until the
        // lease expires.
        if result.is_ok() {
            // It may have changed between read and write.
            let release = self.release().or_else(|_| self.release());
            if let Ok(Err(error)) = timeout(RETRY, release).await {
                tracing::warn!("cannot release the lease: {error:#}");
            }
        }
        result
    }

    /// Renews the lease until it is lost, and returns the reason for the loss.
    async fn renew_until_lost(&mut self) -> anyhow::Error {
        let within = self.renew_within();
        let mut deadline = Instant::now() + within;
        let mut pause = self.renew_every();
        while Instant::now() < deadline {
            sleep(pause).await;
            pause = self.renew_every();
            match timeout_at(deadline, self.acquire()).await {
                Ok(Ok(Claim::Held)) => {
                    deadline = Instant::now() + within;
                    self.logged.clear();
                }
                Ok(Ok(Claim::Taken)) => return anyhow!("another replica has taken the lease"),
                // By an own write whose answer was lost, if not by another replica: the next look
                // tells.
                Ok(Ok(Claim::Changed)) => pause = AGAIN,
                Ok(Err(error)) => self.warn(format!("cannot renew the lease: {error:#}")),
                Err(_) => {}
            }
        }
        anyhow!("the lease was not renewed for {within:?}")
    }

    /// Takes or renews the lease, unless another replica holds it.
    async fn acquire(&mut self) -> Result<Claim> {
        let asked = Instant::now();
        let lease = self.leases.entry(self.operator).await?;
        let mut lease = lease.or_insert(Lease::default);
        let found = lease.get().spec.clone().unwrap_or_default();
        if self.seen.0 != found {
            self.seen = (found.clone(), Instant::now());
        }
        let silent = self.seen.1.elapsed();
        let (identity, now) = (&self.identity, Timestamp::now());
        let claimed = claim(found, identity, self.duration, silent, now);
        if claimed.is_none() {
            return Ok(Claim::Taken);
        }
        lease.get_mut().spec = claimed;
        match lease.commit(&PostParams::default()).await {
            Err(CommitError::Save(kube::Error::Api(status))) if status.code == 409 => {
                return Ok(Claim::Changed);
            }
            result => result?,
        }
        *self.leadership.0.lock() = Some(asked + self.renew_within());
        Ok(Claim::Held)
    }

    async fn release(&self) -> Result<()> {
        let mut lease = self.leases.get(self.operator).await?;
        let spec = lease.spec.get_or_insert_default();
        let held = spec.holder_identity.as_ref() == Some(&self.identity);
        ensure!(held, "another replica holds the lease");
        spec.holder_identity = Some(String::new());
        spec.lease_duration_seconds = Some(1);
        let params = PostParams::default();
        self.leases.replace(self.operator, &params, &lease).await?;
        tracing::info!("lease released");
        Ok(())
    }
}

/// Returns the duration of a lease according to its holder, whose flags may differ.
fn duration(lease: &LeaseSpec) -> Option<Duration> {
    let seconds = u64::try_from(lease.lease_duration_seconds?).ok()?;
    Some(Duration::from_secs(seconds))
}

/// Returns `lease` with `identity` as holder for the time `lasts`; `None` if another replica holds
/// the lease, and `silent`, the time since the last renewal, is below the lease's duration.
fn claim(
    lease: LeaseSpec,
    identity: &str,
    lasts: Duration,
    silent: Duration,
    now: Timestamp,
) -> Option<LeaseSpec> {
    let holder = lease.holder_identity.as_deref().unwrap_or_default();
    let held = holder == identity;
    if !held && !holder.is_empty() && silent < duration(&lease).unwrap_or(lasts) {
        return None;
    }
    let now = MicroTime(now);
    let acquired = if held { lease.acquire_time } else { None };
    Some(LeaseSpec {
        holder_identity: Some(identity.to_owned()),
        lease_duration_seconds: i32::try_from(lasts.as_secs()).ok(),
        lease_transitions: Some(lease.lease_transitions.unwrap_or(0) + i32::from(!held)),
        acquire_time: acquired.or(Some(now.clone())),
        renew_time: Some(now),
        ..lease
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEASE: Duration = Duration::from_secs(15);

    fn claim(
        lease: LeaseSpec,
        identity: &str,
        silent: Duration,
        now: Timestamp,
    ) -> Option<LeaseSpec> {
        super::claim(lease, identity, LEASE, silent, now)
    }

    #[test]
    fn a_lease_is_taken_from_others_only_when_they_are_silent_or_gone() {
        let (start, later) = (Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH + LEASE);
        let (fresh, long) = (Duration::ZERO, LEASE);
        let first = claim(LeaseSpec::default(), "a", fresh, start).unwrap();
        assert_eq!(first.holder_identity.as_deref(), Some("a"));

        let renewed = claim(first.clone(), "a", fresh, later).unwrap();
        assert_eq!(renewed.acquire_time, Some(MicroTime(start)));
        assert_eq!(renewed.renew_time, Some(MicroTime(later)));
        assert_eq!(renewed.lease_transitions, first.lease_transitions);

        let almost = LEASE - Duration::from_millis(1);
        assert_eq!(claim(renewed.clone(), "b", almost, later), None);
        let taken = claim(renewed.clone(), "b", long, later).unwrap();
        assert_eq!(taken.holder_identity.as_deref(), Some("b"));
        assert_eq!(taken.acquire_time, Some(MicroTime(later)));
        assert_eq!(taken.lease_transitions, Some(2));

        let released = LeaseSpec {
            holder_identity: Some(String::new()),
            ..renewed
        };
        assert!(claim(released, "b", fresh, later).is_some());
    }

    #[test]
    fn a_lease_lasts_as_long_as_its_holder_says() {
        let now = Timestamp::UNIX_EPOCH;
        let long = super::claim(LeaseSpec::default(), "a", LEASE * 4, Duration::ZERO, now).unwrap();
        assert_eq!(claim(long.clone(), "b", LEASE, now), None);
        let taken = claim(long.clone(), "b", LEASE * 4, now).unwrap();
        assert_eq!(taken.lease_duration_seconds, Some(15));
        for unclear in [None, Some(-1)] {
            let lease_duration_seconds = unclear;
            let lease = LeaseSpec {
                lease_duration_seconds,
                ..long.clone()
            };
            assert_eq!(claim(lease.clone(), "b", LEASE / 2, now), None);
            assert!(claim(lease, "b", LEASE, now).is_some());
        }
    }

    #[test]
    fn a_lease_is_neither_too_short_to_be_renewed_nor_endless() {
        for (text, expected) in [("3s", Some(3)), ("1m", Some(60)), ("1h", Some(3600))] {
            assert_eq!(lease_duration(text).ok(), expected.map(Duration::from_secs));
        }
        for text in ["", "15", "2s", "0s", "61m", "1000000y"] {
            assert!(lease_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn leadership_ends_by_the_clock_alone() {
        let leadership = Leadership::default();
        assert!(!leadership.holds());
        *leadership.0.lock() = Some(Instant::now() + LEASE);
        assert!(leadership.holds());
        *leadership.0.lock() = Some(Instant::now());
        assert!(!leadership.holds());
    }
}
