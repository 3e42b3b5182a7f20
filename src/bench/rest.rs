//! Waits until the operator is at rest: it sends no requests, receives no data, and uses almost no CPU time.

use super::cluster::{Cluster, Place};
use super::copies;
use super::process::Process;
use super::progress::Progress;
use crate::report::Spinner;
use crate::system::Usage;
use crate::{Error, Result};
use std::time::{Duration, Instant};

/// The interval between two observations of the operator's process.
pub(super) const GLANCE: Duration = Duration::from_millis(250);
/// The time of inactivity after which an operator counts as at rest.
const CALM: Duration = Duration::from_secs(2);
/// The time of inactivity after which an operator that has written no status counts as at rest.
const LONG_CALM: Duration = Duration::from_secs(6);
/// The CPU usage, as a fraction of a core, above which an operator counts as active.
const BUSY: f64 = 0.2;
/// The minimum interval between two counts of the objects while the operator is active. A count costs a request.
const COUNT_EVERY: Duration = Duration::from_secs(10);
/// The time limit for progress: if the operator is inactive, and its objects' statuses do not change for this time,
/// opctl stops waiting for unfinished objects.
const PATIENCE: Duration = Duration::from_secs(30);
/// The time limit for the operator's first request, for programs that have to be compiled or to warm up first.
const STARTS_WITHIN: Duration = Duration::from_secs(180);
/// The time limit until the operator reads its objects. The operator may first have to wait for a lease to expire.
const READS_WITHIN: Duration = Duration::from_secs(60);

/// Measures how long an operator has been inactive.
struct Calm {
    since: Instant,
    looked: Instant,
    processor: Duration,
}

impl Calm {
    fn new() -> Calm {
        Calm { since: Instant::now(), looked: Instant::now(), processor: Duration::ZERO }
    }

    /// Records an observation of the operator, and returns the time since the operator was last active. `usage`
    /// contains the operator's CPU time so far, and `last` is the time at which the operator last sent a request or
    /// received data.
    fn look(&mut self, usage: Usage, last: Instant) -> Duration {
        let now = Instant::now();
        let used = usage.processor.saturating_sub(self.processor);
        if used.as_secs_f64() > BUSY * now.duration_since(self.looked).as_secs_f64() {
            self.since = now;
        }
        (self.looked, self.processor) = (now, usage.processor);
        self.since = self.since.max(last);
        now.duration_since(self.since)
    }
}

/// Waits until the operator has read its objects and is at rest, but not longer than `limit`.
pub(super) async fn calm(process: &mut Process<'_>, place: &Place, limit: Duration) -> Result<()> {
    let (mut calm, begun) = (Calm::new(), Instant::now());
    while begun.elapsed() < limit {
        tokio::time::sleep(GLANCE).await;
        let quiet = calm.look(process.usage()?, process.traffic.last_activity());
        if has_read_objects(process, place)? && quiet >= CALM {
            break;
        }
    }
    Ok(())
}

/// Waits until the operator is done with all objects. Returns the number of objects by status, and true if the operator
/// is done with all objects; false if the operator stops making progress, or exceeds the time limit, before it is done.
pub(super) async fn wait_until_done(
    cluster: &Cluster,
    process: &mut Process<'_>,
    place: &Place,
    waits: Waits,
    spinner: &Spinner,
) -> Result<(Progress, bool)> {
    let (mut calm, begun) = (Calm::new(), Instant::now());
    let (mut counted, mut cost) = (Instant::now(), Duration::ZERO);
    let mut stands = (Progress::default(), Instant::now());
    loop {
        tokio::time::sleep(GLANCE).await;
        let quiet = calm.look(process.usage()?, process.traffic.last_activity());
        if !has_read_objects(process, place)? {
            continue;
        }
        let is_late = begun.elapsed() > waits.limit;
        let interval = COUNT_EVERY.max(10 * cost);
        let due = if quiet >= CALM { counted.elapsed() >= CALM.max(2 * cost) } else { counted.elapsed() >= interval };
        if !due && !is_late {
            continue;
        }
        let before = Instant::now();
        let progress = copies::progress(cluster, place).await?;
        (counted, cost) = (Instant::now(), before.elapsed());
        if progress != stands.0 {
            stands = (progress, Instant::now());
        }
        let Progress { ready, reported, silent } = progress;
        spinner.set_message(format!("{ready} ready, {reported} with another status, {silent} without one"));
        let wants_none = progress.says_nothing() && quiet >= LONG_CALM && process.traffic.counts().total() > 0;
        if progress.is_done(waits.needs_ready) || (wants_none && !waits.needs_ready) {
            return Ok((progress, true));
        }
        if is_late || (quiet >= CALM && stands.1.elapsed() > PATIENCE) {
            return Ok((progress, false));
        }
    }
}

/// The conditions that end the wait for the operator to handle all objects.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waits {
    /// True if each object must be ready.
    pub(super) needs_ready: bool,
    pub(super) limit: Duration,
}

/// Returns true if the operator has read its objects, or false if it has not read them yet and the time limit has not
/// passed.
///
/// # Errors
/// Fails if the operator has sent no request, or has not read its objects, within the time limit.
fn has_read_objects(process: &Process<'_>, place: &Place) -> Result<bool> {
    if process.traffic.has_listed() {
        return Ok(true);
    }
    let (age, begun) = (process.begun.elapsed(), process.traffic.has_begun());
    if !begun && age > STARTS_WITHIN {
        let error = Error::user("the operator sends no request to the API server")
            .caused_by("the operator must connect to the API server in the kubeconfig that `KUBECONFIG` names");
        return Err(process.with_log(error));
    }
    if begun && age > STARTS_WITHIN.min(READS_WITHIN) {
        return Err(
            process.with_log(Error::user(format!("the operator has not requested a list of `{}`", place.collection)))
        );
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_and_work_end_the_calm() {
        let mut calm = Calm::new();
        let begun = calm.since;
        let used = |milliseconds| Usage { processor: Duration::from_millis(milliseconds), ..Usage::default() };
        std::thread::sleep(Duration::from_millis(20));
        assert!(calm.look(used(0), begun) >= Duration::from_millis(20));
        std::thread::sleep(Duration::from_millis(5));
        assert!(calm.look(used(1000), begun) < Duration::from_millis(5), "it works");
        std::thread::sleep(Duration::from_millis(10));
        let quiet = calm.look(used(1000), begun);
        assert!(quiet >= Duration::from_millis(10), "{quiet:?}");
        assert!(calm.look(used(1000), Instant::now()) < quiet, "it has sent a request");
    }
}
