//! Limits the time that a cluster may take, and ends the wait at an interrupt.

use super::Target;
use crate::{Error, Result, exec};
use std::time::{Duration, Instant};

tokio::task_local! {
    static DEADLINE: Instant;
}

/// Time between two looks for an interrupt.
const GLANCE: Duration = Duration::from_millis(50);

/// Runs `future`, which works on `target`, to its end, at most for `limit`.
///
/// # Errors
/// Those of the future, and the limit: nothing of kube's client has one of its own.
pub fn run<T>(target: &Target, limit: Duration, future: impl Future<Output = Result<T>>) -> Result<T> {
    let hint = target.kubectl("get --raw /readyz");
    within(limit, &hint, future)
}

fn within<T>(limit: Duration, hint: &str, future: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::environment("cannot start the network runtime").source(&error))?;
    let result = runtime.block_on(async {
        let limited = tokio::time::timeout(limit, DEADLINE.scope(Instant::now() + limit, future));
        limited.await.unwrap_or_else(|_| Err(silent(limit, hint)))
    });
    // A name that is looked up, or a plugin that runs, would be waited for.
    runtime.shutdown_background();
    result
}

/// The cluster did not answer within `limit`; `hint` is what to try.
pub(super) fn silent(limit: Duration, hint: impl Into<String>) -> Error {
    Error::cluster(format!("the cluster did not answer within {}s", limit.as_secs())).hint(hint)
}

/// Like [`run`], for a command with the flag `--timeout`, and ends when the user interrupts.
///
/// # Errors
/// Also the interrupt.
pub fn run_until_interrupted<T>(
    target: &Target,
    limit: Duration,
    future: impl Future<Output = Result<T>>,
) -> Result<T> {
    let interrupts = exec::interrupts();
    let hint = format!(
        "give it more time with `--timeout 300`, or look at the server:\n{}",
        target.kubectl("get --raw /readyz")
    );
    within(limit, &hint, async {
        let interrupted = async {
            while interrupts.try_recv().is_err() {
                tokio::time::sleep(GLANCE).await;
            }
        };
        tokio::select! {
            result = future => result,
            () = interrupted => Err(Error::interrupted("interrupted").hint("run the same command again: it goes on from there")),
        }
    })
}

/// Returns the rest of the time that [`run`] has given.
pub(super) fn left() -> Duration {
    DEADLINE.try_with(|deadline| deadline.saturating_duration_since(Instant::now())).unwrap_or(Duration::MAX)
}
