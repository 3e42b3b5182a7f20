//! Counts the requests of an operator, and records the time of the operator's last write to each object.

use super::measured::percentile;
use crate::explore::Call;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A record of the requests that one operator process sends.
pub(super) struct Traffic {
    /// The resource of the measured objects, such as `webservers.example.com`.
    collection: String,
    state: Mutex<State>,
}

struct State {
    /// The time of the first request.
    begun: Option<Instant>,
    /// The time of the last request, or of the last received part of a response.
    last: Instant,
    counts: Counts,
    /// The time from the operator's first request to its last write to each measured object, by the object's name.
    written: HashMap<String, Duration>,
    listed: bool,
}

/// The numbers of the operator's requests and of the transferred bytes, from the operator's first request until now.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Counts {
    /// The number of requests by verb, without the requests for leases.
    pub(super) requests: BTreeMap<&'static str, u64>,
    pub(super) refused: u64,
    pub(super) received: u64,
    pub(super) sent: u64,
    /// The time from the operator's first request to its last write to any object.
    last_write: Duration,
}

/// Statistics of the times at which the operator last wrote each measured object, in seconds since the operator's first
/// request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Times {
    pub(super) last: f64,
    pub(super) median: Option<f64>,
    pub(super) p99: Option<f64>,
}

impl Traffic {
    pub(super) fn new(collection: String) -> Traffic {
        let state = State {
            begun: None,
            last: Instant::now(),
            counts: Counts::default(),
            written: HashMap::new(),
            listed: false,
        };
        Traffic { collection, state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a request with a body of `sent` bytes. `call` is `None` for a request that is not about objects.
    pub(super) fn count_request(&self, call: Option<&Call>, sent: u64) {
        let mut state = self.state();
        let now = Instant::now();
        state.begun.get_or_insert(now);
        state.last = now;
        *state.counts.requests.entry(call.map_or("other", |call| call.verb)).or_default() += 1;
        state.counts.sent += sent;
    }

    /// Records that the API server has begun to answer `call`, a request of the operator; `call` is `None` for a
    /// request
    /// that is not about objects. Counts a failed request as refused. After a successful write, records the time; after
    /// a
    /// successful read of the measured objects, records that the operator has listed these objects.
    pub(super) fn record_answer(&self, call: Option<&Call>, succeeded: bool) {
        let mut state = self.state();
        state.last = Instant::now();
        state.counts.refused += u64::from(!succeeded);
        let Some(call) = call.filter(|_| succeeded) else { return };
        let is_copy = call.collection() == self.collection;
        if call.writes() {
            let since = state.begun.map(|begun| begun.elapsed()).unwrap_or_default();
            state.counts.last_write = since;
            if let Some(name) = call.name.as_ref().filter(|_| is_copy) {
                state.written.insert(name.clone(), since);
            }
        } else if is_copy {
            state.listed = true;
        }
    }

    /// Counts a received part of a response.
    pub(super) fn count_received(&self, bytes: u64) {
        let mut state = self.state();
        state.last = Instant::now();
        state.counts.received += bytes;
    }

    /// Returns the time of the last request, or of the last received part of a response.
    pub(super) fn last_activity(&self) -> Instant {
        self.state().last
    }

    /// Returns true if the operator has sent a request.
    pub(super) fn has_begun(&self) -> bool {
        self.state().begun.is_some()
    }

    /// Returns true if the operator has read the measured objects: a get, list or watch request for their resource has
    /// succeeded.
    pub(super) fn has_listed(&self) -> bool {
        self.state().listed
    }

    pub(super) fn counts(&self) -> Counts {
        self.state().counts.clone()
    }

    /// Returns the maximum, the median and the 99th percentile of the times at which the operator last wrote each
    /// measured object. If the operator has written none of these objects, the maximum is instead the time of the
    /// operator's last write to any object.
    pub(super) fn times(&self) -> Times {
        let state = self.state();
        let mut times: Vec<f64> = state.written.values().map(Duration::as_secs_f64).collect();
        times.sort_by(f64::total_cmp);
        let last = times.last().copied().unwrap_or(state.counts.last_write.as_secs_f64());
        Times { last, median: percentile(&times, 0.5), p99: percentile(&times, 0.99) }
    }
}

impl Counts {
    /// Returns the number of all requests.
    pub(super) fn total(&self) -> u64 {
        self.requests.values().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(method: &str, path: &str, query: &str) -> Call {
        Call::parse(method, path, query).unwrap()
    }

    #[test]
    fn requests_are_counted_by_verb_and_writes_by_object() {
        let traffic = Traffic::new("webs.e.com".to_owned());
        assert!(!traffic.has_begun());
        let webs = "/apis/e.com/v1/namespaces/a/webs";
        traffic.count_request(None, 0);
        traffic.record_answer(None, true);
        assert!(traffic.has_begun() && !traffic.has_listed());
        for (call, sent, succeeded) in [
            (call("GET", "/apis/e.com/v1/webs", "limit=500"), 0, true),
            (call("GET", "/apis/e.com/v1/webs", "watch=1"), 0, true),
            (call("PATCH", "/apis/apps/v1/namespaces/a/deployments/web-1", ""), 10, true),
            (call("PATCH", &format!("{webs}/web-1/status"), ""), 5, true),
            (call("PATCH", &format!("{webs}/web-2/status"), ""), 5, false),
        ] {
            traffic.count_request(Some(&call), sent);
            traffic.record_answer(Some(&call), succeeded);
        }
        traffic.count_received(100);
        traffic.count_received(11);
        let counts = traffic.counts();
        assert_eq!(counts.requests, BTreeMap::from([("list", 1), ("other", 1), ("patch", 3), ("watch", 1)]));
        assert_eq!((counts.total(), counts.refused, counts.received, counts.sent), (6, 1, 111, 20));
        assert!(traffic.has_listed());
        let times = traffic.times();
        assert!(times.median == Some(times.last) && times.p99 == Some(times.last), "one copy was written: {times:?}");
    }

    #[test]
    fn an_operator_that_writes_to_no_copy_is_done_with_its_last_write() {
        let traffic = Traffic::new("configmaps".to_owned());
        let write = call("POST", "/api/v1/namespaces/a/services", "");
        traffic.count_request(Some(&write), 1);
        std::thread::sleep(Duration::from_millis(5));
        traffic.record_answer(Some(&write), true);
        let times = traffic.times();
        assert!(times.last >= 0.005 && times.median.is_none(), "{times:?}");
        assert!(!traffic.has_listed());
    }
}
