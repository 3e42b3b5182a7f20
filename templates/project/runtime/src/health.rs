//! The answers to probes: whether all controllers are ready, and whether one is stuck.

use crate::typed::guarded;
use anyhow::anyhow;
use axum::{Router, http::StatusCode, routing::get};
use parking_lot::Mutex;
use std::time::{Duration, Instant};
use std::{collections::BTreeMap, sync::Arc};
use tokio_util::sync::CancellationToken;

/// The name of the webhooks in the list of controllers, and in the log.
pub const WEBHOOKS: &str = "webhooks";
/// The name of the leader election in the list of controllers.
pub const ELECTION: &str = "leader election";
/// The time after its last heartbeat at which a controller counts as stuck.
const STUCK: Duration = Duration::from_secs(60);

/// The answers to probes.
#[derive(Clone)]
pub struct Health {
    /// The time of each controller's last heartbeat; `None` until the controller is ready.
    beats: Arc<Mutex<BTreeMap<String, Option<Instant>>>>,
    /// The checks that the operator's author added, each with the path of its probe and its name.
    checks: Arc<Mutex<Vec<Check>>>,
    stop: CancellationToken,
}

/// A check of the author, with the path of its probe and its name.
type Check = (&'static str, &'static str, Run);
type Run = Box<dyn Fn() -> anyhow::Result<()> + Send + Sync>;

impl Health {
    /// Makes a [`Health`] without controllers and checks. Once `stop` is cancelled, the
    /// operator is not ready any more.
    pub fn new(stop: CancellationToken) -> Self {
        Self {
            beats: Arc::default(),
            checks: Arc::default(),
            stop,
        }
    }

    /// Adds a check of the author to the probe at the check's path.
    pub fn add_check(&self, check: Check) {
        self.checks.lock().push(check);
    }

    /// Adds a controller, which counts as not ready until its first heartbeat.
    pub fn expect(&self, controller: &str) {
        self.beats.lock().insert(controller.to_owned(), None);
    }

    /// Records a heartbeat. Call this regularly while the controller works; the first call makes
    /// the controller ready.
    pub fn beat(&self, controller: &str) {
        let beat = Some(Instant::now());
        self.beats.lock().insert(controller.to_owned(), beat);
    }

    /// Removes a controller: probes no longer wait for it, and do not report it as stuck.
    pub fn forget(&self, controller: &str) {
        self.beats.lock().remove(controller);
    }

    pub fn routes(self) -> Router {
        let ready = self.clone();
        Router::new()
            .route("/healthz", get(async move || self.healthz()))
            .route("/readyz", get(async move || ready.readyz()))
    }

    fn healthz(&self) -> (StatusCode, String) {
        let is_stuck = |beat: Instant| beat.elapsed() > STUCK;
        self.none("/healthz", "stuck", |_, beat| beat.is_some_and(is_stuck))
    }

    /// Reports if all controllers are ready. A replica that does not lead runs no controllers, so
    /// it is ready once it has seen the lease. If the replica serves webhooks, its controllers do
    /// not count: the API server needs the webhooks to convert the objects that the controllers
    /// list, and calls only the webhooks of ready replicas.
    fn readyz(&self) -> (StatusCode, String) {
        if self.stop.is_cancelled() {
            return (StatusCode::SERVICE_UNAVAILABLE, "stopping".into());
        }
        let serves = self.beats.lock().contains_key(WEBHOOKS);
        self.none("/readyz", "starting", |name, beat| {
            beat.is_none() && (!serves || [WEBHOOKS, ELECTION].contains(&name))
        })
    }

    /// Answers the probe at the path `at`. The probe fails if `is` returns true for a controller,
    /// or if a check of the author fails.
    fn none(
        &self,
        at: &str,
        what: &str,
        is: impl Fn(&str, Option<Instant>) -> bool,
    ) -> (StatusCode, String) {
        let beats = self.beats.lock().clone();
        let bad = beats.iter().filter(|(name, beat)| is(name, **beat));
        let mut bad: Vec<_> = bad.map(|(name, _)| format!("{what}: {name}")).collect();
        for (_, name, check) in self.checks.lock().iter().filter(|(path, ..)| *path == at) {
            let checked = guarded(check).unwrap_or_else(|| Err(anyhow!("it panicked")));
            if let Err(error) = checked {
                tracing::warn!(check = name, "{at} fails: {error:#}");
                bad.push(format!("failed: {name}"));
            }
        }
        match bad.join(", ") {
            bad if bad.is_empty() => (StatusCode::OK, "ok".into()),
            bad => (StatusCode::SERVICE_UNAVAILABLE, bad),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_of_the_author_fails_the_probe_that_it_belongs_to() {
        let health = Health::new(CancellationToken::new());
        health.add_check(("/healthz", "well", Box::new(|| Ok(()))));
        health.add_check(("/healthz", "poller", Box::new(|| Err(anyhow!("secret")))));
        health.add_check(("/healthz", "map", Box::new(|| panic!("no such key"))));
        assert_eq!(health.readyz().0, StatusCode::OK);
        let (code, said) = health.healthz();
        assert_eq!(code, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(said, "failed: poller, failed: map");
        health.add_check(("/readyz", "forge", Box::new(|| Err(anyhow!("no answer")))));
        health.expect("web");
        assert_eq!(health.readyz().1, "starting: web, failed: forge");
    }

    #[test]
    fn ready_when_every_controller_is_and_well_while_they_beat() {
        let stop = CancellationToken::new();
        let health = Health::new(stop.clone());
        assert_eq!(health.readyz().0, StatusCode::OK, "a standby has none");
        health.expect("one");
        health.expect("other");
        health.beat("one");
        let starting = (StatusCode::SERVICE_UNAVAILABLE, "starting: other".into());
        assert_eq!(health.readyz(), starting);
        health.beat("other");
        assert_eq!(health.readyz().0, StatusCode::OK);
        assert_eq!(health.healthz().0, StatusCode::OK);

        health.expect(ELECTION);
        let starting = "starting: leader election".into();
        assert_eq!(health.readyz(), (StatusCode::SERVICE_UNAVAILABLE, starting));
        health.forget(ELECTION);
        assert_eq!(health.readyz().0, StatusCode::OK);

        health.expect(WEBHOOKS);
        health.expect("third");
        let starting = (StatusCode::SERVICE_UNAVAILABLE, "starting: webhooks".into());
        assert_eq!(health.readyz(), starting);
        health.beat(WEBHOOKS);
        assert_eq!(health.readyz().0, StatusCode::OK, "the third may need them");

        let long_ago = Instant::now().checked_sub(STUCK + Duration::from_secs(1));
        health.beats.lock().insert("one".into(), long_ago);
        let stuck = (StatusCode::SERVICE_UNAVAILABLE, "stuck: one".into());
        assert_eq!(health.healthz(), stuck);
        stop.cancel();
        let stopping = (StatusCode::SERVICE_UNAVAILABLE, "stopping".into());
        assert_eq!(health.readyz(), stopping);
    }
}
