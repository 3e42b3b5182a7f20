//! Limits the time of operations on a cluster, and cancels them when the user interrupts.

use crate::cluster::Target;
use crate::error::{Hint, hint};
use crate::exec::Interrupts;
use crate::{Error, Result, exec};
use std::pin::Pin;
use std::time::{Duration, Instant};

tokio::task_local! {
    static DEADLINE: Instant;
}

/// The interval between two checks for an interrupt.
const GLANCE: Duration = Duration::from_millis(50);

/// Runs `future`, which works on `target`, to completion, at most for `limit`.
///
/// # Errors
/// Fails if the future fails, or if the limit is exceeded: kube's client itself has no time limit.
pub fn run<T>(target: &Target, limit: Duration, future: impl Future<Output = Result<T>>) -> Result<T> {
    let hint = target.kubectl("get --raw /readyz");
    run_within(limit, &hint, future)
}

fn run_within<T>(limit: Duration, hint: &Hint, future: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::environment("cannot start the network runtime").source(&error))?;
    let result = runtime.block_on(async {
        let limited = tokio::time::timeout(limit, DEADLINE.scope(Instant::now() + limit, future));
        limited.await.unwrap_or_else(|_| Err(no_answer_error(limit, hint)))
    });
    // Do not wait for a name lookup or a credential plugin that is still running.
    runtime.shutdown_background();
    result
}

/// Returns the error for a cluster that did not answer within `limit`; `hint` tells the user the next step.
pub fn no_answer_error(limit: Duration, hint: impl Into<Hint>) -> Error {
    Error::cluster(format!("the cluster did not answer within {}s", limit.as_secs())).hint(hint)
}

/// Runs `future` like [`run`], but cancels `future` when the user interrupts. If the limit is exceeded, the hint of the
/// error suggests a longer `--timeout`.
///
/// # Errors
/// Fails like [`run`], and if the user interrupts.
pub fn run_until_interrupted<T>(
    target: &Target,
    limit: Duration,
    future: impl Future<Output = Result<T>>,
) -> Result<T> {
    let interrupts = exec::interrupts();
    let hint = hint!(
        "give the cluster more time with `--timeout 5m`, or check whether the API server is ready:\n{}",
        target.kubectl("get --raw /readyz")
    );
    run_within(limit, &hint, async {
        tokio::select! {
            result = future => result,
            () = came(&interrupts) => Err(Error::interrupted("interrupted").hint("run the same command again to continue")),
        }
    })
}

/// Runs `work` like [`run`]. The first interrupt completes the future that `work` receives, so that `work` can
/// finish; a second interrupt ends opctl.
///
/// # Errors
/// Fails like [`run`].
pub fn run_to_interrupt<T>(
    target: &Target,
    limit: Duration,
    work: impl AsyncFnOnce(Pin<Box<dyn Future<Output = ()>>>) -> Result<T>,
) -> Result<T> {
    let interrupts = exec::interrupts();
    let interrupted = async move {
        came(&interrupts).await;
        // Without a receiver, opctl ends at the next one.
        drop(interrupts);
    };
    run(target, limit, work(Box::pin(interrupted)))
}

/// Waits until the user interrupts opctl.
async fn came(interrupts: &Interrupts) {
    while !interrupts.came_within(Duration::ZERO) {
        tokio::time::sleep(GLANCE).await;
    }
}

/// Returns the remaining time of the current [`run`], or [`Duration::MAX`] outside of [`run`].
pub fn remaining_time() -> Duration {
    DEADLINE.try_with(|deadline| deadline.saturating_duration_since(Instant::now())).unwrap_or(Duration::MAX)
}
