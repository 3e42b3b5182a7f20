// Copyright Example Inc.
// SPDX-License-Identifier: Apache-2.0

//! Controllers and the probe server as one process: they start together and stop together.
use super::{
    Context, reconcile,
    server::{self, Readiness},
};
use kube::{
    Client, Resource,
    core::DeserializeGuard,
    runtime::{Controller, controller::Action},
};
use serde::de::DeserializeOwned;
use std::{fmt::Debug, net::SocketAddr, process, sync::Arc};
use tokio::{
    signal::unix::{SignalKind, signal},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

pub struct Manager {
    context: Arc<Context>,
    readiness: Readiness,
    stop: CancellationToken,
    tasks: JoinSet<anyhow::Result<()>>,
}

impl Manager {
    pub fn new(client: Client, stop: CancellationToken) -> Self {
        Self {
            context: Arc::new(Context { client }),
            readiness: Readiness::default(),
            stop,
            tasks: JoinSet::new(),
        }
    }

    pub fn client(&self) -> Client {
        self.context.client.clone()
    }

    /// Starts a controller, which calls `reconcile` for each object that may need it.
    ///
    /// The guard is for objects that do not deserialize: without it, one of them stored in the
    /// cluster would stop the watch for all the others.
    pub fn start<K, F>(
        &mut self,
        controller: Controller<DeserializeGuard<K>>,
        reconcile: impl Fn(Arc<K>, Arc<Context>) -> F + Send + Sync + 'static,
    ) where
        K: Resource<DynamicType = ()> + Clone + Debug + DeserializeOwned + Send + Sync + 'static,
        F: Future<Output = anyhow::Result<Action>> + Send + 'static,
    {
        self.readiness.wait_for_one();
        self.tasks.spawn(reconcile::run(
            controller,
            reconcile,
            self.context.clone(),
            self.readiness.clone(),
            self.stop.clone(),
        ));
    }

    /// Runs until `stop`, or until any task ends: the process then ends as a whole, to be started
    /// again as a whole, and does not live on with a part of it dead.
    pub async fn run(&mut self, probes: SocketAddr) -> anyhow::Result<()> {
        let probes = server::serve(probes, self.readiness.clone(), self.stop.clone());
        self.tasks.spawn(probes);
        let mut result = Ok(());
        while let Some(ended) = self.tasks.join_next().await {
            self.stop.cancel();
            result = result.and(ended.map_err(Into::into).flatten());
        }
        result
    }
}

/// Cancelled by SIGTERM or Ctrl+C. A second signal ends the process at once.
pub fn stop_on_signal() -> anyhow::Result<CancellationToken> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let stop = CancellationToken::new();
    let token = stop.clone();
    tokio::spawn(async move {
        let mut signalled = async || {
            tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
        };
        signalled().await;
        tracing::info!("stopping; signal again to end at once");
        stop.cancel();
        signalled().await;
        process::exit(1);
    });
    Ok(token)
}
