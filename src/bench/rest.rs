//! Waits until the operator is at rest: it sends no request, hears nothing, and uses next to no processor time.

use super::cluster::{Cluster, Place};
use super::copies;
use super::process::Process;
use super::progress::Progress;
use crate::report::Spinner;
use crate::system::Usage;
use crate::{Error, Result};
use std::time::{Duration, Instant};

/// The interval between two looks at the operator.
pub(super) const GLANCE: Duration = Duration::from_millis(250);
/// The time that an operator is calm before it counts as at rest.
const CALM: Duration = Duration::from_secs(2);
/// The same, for an operator that has written no status: it may only have paused.
const LONG_CALM: Duration = Duration::from_secs(6);
/// An operator that uses more than this part of a core works.
const BUSY: f64 = 0.2;
/// The interval between two counts of the objects while the operator works: each costs the API server an answer.
const COUNT_EVERY: Duration = Duration::from_secs(10);
/// The time without progress after which a calm operator does nothing more for the objects that are left.
const PATIENCE: Duration = Duration::from_secs(30);
/// The time for the first request, for a program that has to be compiled or to warm up.
const STARTS_WITHIN: Duration = Duration::from_secs(180);
/// The time in which an operator that has begun reads its objects: a lease may have to expire first.
const READS_WITHIN: Duration = Duration::from_secs(60);

/// Notices how long an operator has been calm.
struct Calm {
    since: Instant,
    looked: Instant,
    processor: Duration,
}

impl Calm {
    fn new() -> Calm {
        Calm { since: Instant::now(), looked: Instant::now(), processor: Duration::ZERO }
    }

    /// Takes a look, and returns the time since the operator last did something.
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

/// Waits until the operator has read its objects and is calm, at most for `limit`.
pub(super) async fn calm(process: &mut Process<'_>, place: &Place, limit: Duration) -> Result<()> {
    let (mut calm, begun) = (Calm::new(), Instant::now());
    while begun.elapsed() < limit {
        tokio::time::sleep(GLANCE).await;
        let quiet = calm.look(process.usage()?, process.traffic.last());
        if started(process, place)? && quiet >= CALM {
            break;
        }
    }
    Ok(())
}

/// Waits until each object is done, and returns true, or until nothing more happens, and returns false.
pub(super) async fn done(
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
        let quiet = calm.look(process.usage()?, process.traffic.last());
        if !started(process, place)? {
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

/// The end of the wait for objects.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waits {
    /// True if each object must be ready.
    pub(super) needs_ready: bool,
    pub(super) limit: Duration,
}

/// Returns true once the operator has read its objects.
///
/// # Errors
/// It sends no request, or does not read them.
fn started(process: &Process<'_>, place: &Place) -> Result<bool> {
    if process.traffic.has_listed() {
        return Ok(true);
    }
    let (age, begun) = (process.begun.elapsed(), process.traffic.has_begun());
    if !begun && age > STARTS_WITHIN {
        let error = Error::user("the operator sends no request to the API server")
            .caused_by("it must take the server from the kubeconfig that `KUBECONFIG` names");
        return Err(process.with_log(error));
    }
    if begun && age > STARTS_WITHIN.min(READS_WITHIN) {
        return Err(process.with_log(Error::user(format!("the operator does not read `{}`", place.collection))));
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
