//! Calls functions that may take long or never end, each on a separate thread.

use super::reply::Failure;
use axum::http::StatusCode;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread::{Builder, available_parallelism};
use std::{sync::LazyLock, time::Duration};
use tokio::sync::{Semaphore, oneshot};
use tokio::time::timeout;

/// The longest time for which a call waits for a permit. Permits keep the number of threads low,
/// because threads cost memory. After this time, the call runs without a permit on a free thread,
/// so that functions that never end do not block other calls.
const PATIENCE: Duration = Duration::from_millis(50);

static THREADS: Semaphore = Semaphore::const_new(512);

/// Waits for a free thread if functions that never end have taken all threads.
pub async fn wait_for_thread() {
    let _ = THREADS.acquire().await;
}

/// Calls the function on a new thread, and propagates its panic to the caller. The thread
/// is not tokio's, because the process waits for tokio's threads before it ends.
pub async fn call<T: Send + 'static>(
    function: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    static TURNS: LazyLock<Semaphore> = LazyLock::new(|| {
        let processors = available_parallelism().map_or(1, usize::from);
        Semaphore::new(2 * processors)
    });
    let _turn = timeout(PATIENCE, TURNS.acquire()).await;
    let permit = THREADS.acquire().await;
    let (answer, answered) = oneshot::channel();
    let thread = Builder::new().name("webhook".into()).spawn(move || {
        let _permit = permit;
        // It fails if nobody waits for the answer any more.
        let _ = answer.send(catch_unwind(AssertUnwindSafe(function)));
    });
    let why = match (thread, answered.await) {
        (_, Ok(ended)) => return ended.unwrap_or_else(|panic| resume_unwind(panic)),
        (Err(error), _) => format!("no thread can be started: {error}"),
        (Ok(_), Err(_)) => "the thread of the webhook exited without an answer".to_owned(),
    };
    Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, why))
}
