// Copyright Example Inc.
// SPDX-License-Identifier: Apache-2.0

//! The probes of the kubelet.
use anyhow::Context;
use axum::{Router, http::StatusCode, routing::get};
use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Counts the controllers that wait for their first list of objects.
#[derive(Clone, Default)]
pub struct Readiness(Arc<AtomicUsize>);

impl Readiness {
    /// To be called before the probes are served, or they are ready too early.
    pub fn wait_for_one(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub fn one_is_ready(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }

    fn answer(&self) -> (StatusCode, String) {
        match self.0.load(Ordering::Relaxed) {
            0 => (StatusCode::OK, "ok".into()),
            n => (
                StatusCode::SERVICE_UNAVAILABLE,
                format!("controllers still starting: {n}"),
            ),
        }
    }
}

pub async fn serve(
    address: SocketAddr,
    readiness: Readiness,
    stop: CancellationToken,
) -> anyhow::Result<()> {
    let router = Router::new()
        .route("/healthz", get(async || "ok"))
        .route("/readyz", get(async move || readiness.answer()));
    let listener = TcpListener::bind(address)
        .await
        .with_context(|| format!("cannot serve the probes on {address}"))?;
    tracing::info!(%address, "serving probes");
    let serve = axum::serve(listener, router).into_future();
    stop.run_until_cancelled(serve).await.unwrap_or(Ok(()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ready_when_nothing_is_awaited_any_more() {
        let readiness = Readiness::default();
        assert_eq!(readiness.answer().0, StatusCode::OK);
        readiness.wait_for_one();
        readiness.wait_for_one();
        readiness.one_is_ready();
        assert_eq!(readiness.answer().0, StatusCode::SERVICE_UNAVAILABLE);
        readiness.one_is_ready();
        assert_eq!(readiness.answer().0, StatusCode::OK);
    }
}
