//! How the controllers are, for the kubelet's probes.
use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A controller that has not moved for so long is stuck.
const STUCK: Duration = Duration::from_secs(60);

#[derive(Clone, Default)]
pub struct Health(Arc<Mutex<Vec<State>>>);

struct State {
    controller: String,
    /// None until it is ready.
    beat: Option<Instant>,
}

/// One controller's hand on the pulse.
pub struct Pulse {
    health: Health,
    index: usize,
}

impl Pulse {
    /// To be called again and again. The first time, the controller gets ready.
    pub fn beat(&self) {
        self.health.states()[self.index].beat = Some(Instant::now());
    }
}

impl Health {
    /// From now on, one more controller must be ready.
    pub fn pulse(&self, controller: String) -> Pulse {
        let mut states = self.states();
        states.push(State {
            controller,
            beat: None,
        });
        Pulse {
            health: self.clone(),
            index: states.len() - 1,
        }
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
        let states = self.states();
        let bad = states
            .iter()
            .filter(|state| is(state.beat))
            .map(|state| &*state.controller);
        match bad.collect::<Vec<_>>().join(", ") {
            bad if bad.is_empty() => (StatusCode::OK, "ok".into()),
            bad => (StatusCode::SERVICE_UNAVAILABLE, format!("{what}: {bad}")),
        }
    }

    fn states(&self) -> MutexGuard<'_, Vec<State>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ready_when_every_controller_is_and_well_while_they_beat() {
        let health = Health::default();
        assert_eq!(health.readyz().0, StatusCode::OK, "a standby has none");
        let (one, other) = (health.pulse("one".into()), health.pulse("other".into()));
        one.beat();
        let starting = (StatusCode::SERVICE_UNAVAILABLE, "starting: other".into());
        assert_eq!(health.readyz(), starting);
        other.beat();
        assert_eq!(health.readyz().0, StatusCode::OK);
        assert_eq!(health.healthz().0, StatusCode::OK);

        health.states()[0].beat = Instant::now().checked_sub(STUCK + Duration::from_secs(1));
        let stuck = (StatusCode::SERVICE_UNAVAILABLE, "stuck: one".into());
        assert_eq!(health.healthz(), stuck);
    }
}
