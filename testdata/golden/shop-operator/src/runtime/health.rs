//! How the controllers are, for the kubelet's probes.
use axum::{Router, http::StatusCode, routing::get};
use parking_lot::Mutex;
use std::time::{Duration, Instant};
use std::{collections::BTreeMap, sync::Arc};

/// A controller that has not moved for so long is stuck.
const STUCK: Duration = Duration::from_secs(60);

/// When each controller has last moved: not yet, until it is ready.
#[derive(Clone, Default)]
pub struct Health(Arc<Mutex<BTreeMap<String, Option<Instant>>>>);

impl Health {
    /// From now on, one more controller must be ready.
    pub fn expect(&self, controller: &str) {
        self.0.lock().insert(controller.to_owned(), None);
    }

    /// To be called again and again. The first time, the controller gets ready.
    pub fn beat(&self, controller: &str) {
        self.0
            .lock()
            .insert(controller.to_owned(), Some(Instant::now()));
    }

    pub fn routes(self) -> Router {
        let ready = self.clone();
        Router::new()
            .route("/healthz", get(async move || self.healthz()))
            .route("/readyz", get(async move || ready.readyz()))
    }

    fn healthz(&self) -> (StatusCode, String) {
        self.none("stuck", |beat| {
            beat.is_some_and(|beat| beat.elapsed() > STUCK)
        })
    }

    /// A replica that does not lead has no controllers, and is ready.
    fn readyz(&self) -> (StatusCode, String) {
        self.none("starting", |beat| beat.is_none())
    }

    fn none(&self, what: &str, is: impl Fn(Option<Instant>) -> bool) -> (StatusCode, String) {
        let all = self.0.lock();
        let bad = all.iter().filter(|(_, beat)| is(**beat));
        let bad: Vec<_> = bad.map(|(name, _)| &**name).collect();
        match bad.join(", ") {
            bad if bad.is_empty() => (StatusCode::OK, "ok".into()),
            bad => (StatusCode::SERVICE_UNAVAILABLE, format!("{what}: {bad}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ready_when_every_controller_is_and_well_while_they_beat() {
        let health = Health::default();
        assert_eq!(health.readyz().0, StatusCode::OK, "a standby has none");
        health.expect("one");
        health.expect("other");
        health.beat("one");
        let starting = (StatusCode::SERVICE_UNAVAILABLE, "starting: other".into());
        assert_eq!(health.readyz(), starting);
        health.beat("other");
        assert_eq!(health.readyz().0, StatusCode::OK);
        assert_eq!(health.healthz().0, StatusCode::OK);

        let long_ago = Instant::now().checked_sub(STUCK + Duration::from_secs(1));
        health.0.lock().insert("one".into(), long_ago);
        let stuck = (StatusCode::SERVICE_UNAVAILABLE, "stuck: one".into());
        assert_eq!(health.healthz(), stuck);
    }
}
