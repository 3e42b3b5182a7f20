//! Runs the additional tasks that an operator's author adds to the manager.

use futures::future::BoxFuture;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

/// A task that the operator's author adds to the manager.
pub type Task = BoxFuture<'static, anyhow::Result<()>>;

/// Runs a task of the author until it ends or the operator is told to stop.
pub async fn until_stopped(task: Task, stop: CancellationToken) -> anyhow::Result<()> {
    // Spawned: if the program has several threads, a task that blocks its own holds up no controller.
    let task = AbortOnDropHandle::new(tokio::spawn(task));
    stop.run_until_cancelled(task).await.unwrap_or(Ok(Ok(())))?
}
