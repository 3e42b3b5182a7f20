//! Calls functions that may take long or never end, each on a thread of its own.

use super::routes::Failure;
use std::sync::LazyLock;
use std::thread::available_parallelism;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// The longest time that a call waits for a turn. Turns keep the number of threads low under load,
/// because threads cost memory. After this time a call runs without a turn, so that functions that
/// never end do not hold up others, as long as the runtime has threads (512).
const PATIENCE: Duration = Duration::from_millis(50);

/// Calls the function, and resumes its panic.
pub async fn call<T: Send + 'static>(
    function: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    static TURNS: LazyLock<Semaphore> = LazyLock::new(|| {
        let processors = available_parallelism().map_or(1, usize::from);
        Semaphore::new(2 * processors)
    });
    let _turn = timeout(PATIENCE, TURNS.acquire()).await;
    Failure::of_task(spawn_blocking(function).await)
}
