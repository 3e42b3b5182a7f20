//! The signals that stop an operator.

use crate::server::servers;
use std::process;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Returns a token that is cancelled by SIGTERM or Ctrl+C. A second signal ends the process at
/// once, as long as the manager runs.
///
/// # Errors
/// Fails if the operating system does not let the process handle signals.
pub fn stop_on_signal() -> anyhow::Result<CancellationToken> {
    let servers = servers()?;
    let _servers = servers.enter();
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let stop = CancellationToken::new();
    let token = stop.clone();
    servers.spawn(async move {
        let mut signalled = async || {
            tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
        };
        signalled().await;
        tracing::info!("stopping; send another signal to exit immediately");
        stop.cancel();
        signalled().await;
        process::exit(1);
    });
    Ok(token)
}
