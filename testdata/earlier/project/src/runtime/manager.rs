//! Controllers, probes and metrics as one process: they start together and stop together.
use super::controller::{Controller, Object};
use super::leader::{Elector, connect};
use super::server::{Health, ServerOptions};
use super::{metrics::Metrics, settings::Settings};
use anyhow::ensure;
use futures::future::{BoxFuture, try_join_all};
use kube::{Client, Config};
use std::hash::{BuildHasher, RandomState};
use std::{fs, mem, process, sync::Arc};
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

#[derive(clap::Args)]
pub struct Options {
    /// Watch these namespaces only
    #[arg(long, env, value_delimiter = ',', value_name = "NAMESPACES")]
    watch_namespace: Vec<String>,
    /// Of several replicas, let only one work
    #[arg(long, env)]
    leader_elect: bool,
    /// Namespace of the lease [default: the one that the operator runs in]
    #[arg(long, env, value_name = "NAMESPACE")]
    leader_election_namespace: Option<String>,
    #[command(flatten)]
    server: ServerOptions,
    #[command(flatten)]
    settings: Settings,
}

/// What the controllers share.
#[derive(Clone)]
pub(super) struct Shared {
    pub client: Client,
    /// `None` stands for all of them.
    pub namespaces: Vec<Option<String>>,
    pub identity: String,
    pub settings: Settings,
    pub metrics: Arc<Metrics>,
    pub health: Health,
    pub stop: CancellationToken,
}

type Start = Box<dyn FnOnce(Shared) -> BoxFuture<'static, anyhow::Result<()>> + Send>;

pub struct Manager {
    shared: Shared,
    controllers: Vec<(&'static str, Start)>,
    elector: Option<Elector>,
    /// May write even if another replica leads.
    client: Client,
    server: ServerOptions,
}

impl Manager {
    pub fn new(options: Options, config: Config, stop: CancellationToken) -> anyhow::Result<Self> {
        let (metrics, identity) = (Arc::new(Metrics::default()), identity());
        let client = connect(config.clone(), &metrics, None)?;
        let namespace = options.leader_election_namespace;
        let namespace = namespace.as_ref().unwrap_or(&config.default_namespace);
        let elector = Elector::new(client.clone(), namespace, identity.clone());
        let elector = options.leader_elect.then_some(elector);
        let leadership = elector.as_ref().map(|elector| elector.leadership.clone());
        let mut namespaces: Vec<_> = options.watch_namespace.into_iter().map(Some).collect();
        namespaces.retain(|name| name.as_deref() != Some(""));
        if namespaces.is_empty() {
            namespaces.push(None);
        }
        metrics.leads(false);
        Ok(Self {
            shared: Shared {
                client: connect(config, &metrics, leadership)?,
                namespaces,
                identity,
                settings: options.settings,
                metrics,
                health: Health::default(),
                stop,
            },
            controllers: Vec::new(),
            elector,
            client,
            server: options.server,
        })
    }

    pub fn add<K: Object + 'static>(&mut self, controller: Controller<K>) {
        self.controllers
            .push((controller.name, Box::new(|shared| controller.run(shared))));
    }

    /// Runs until it is told to stop, or until anything fails: the process then ends as a whole, to
    /// be started again as a whole, and does not live on with a part of it dead.
    pub async fn run(&mut self) -> anyhow::Result<()> {
        let (shared, controllers) = (self.shared.clone(), mem::take(&mut self.controllers));
        for name in shared.settings.names() {
            let known = controllers.iter().any(|(known, _)| known == name);
            ensure!(known, "a flag names controller {name}, which is none");
        }
        let stop = shared.stop.clone();
        let (server, client) = (self.server.clone(), self.client.clone());
        let serve = server.serve(shared.clone(), client);
        let lead = move || {
            shared.metrics.leads(true);
            let start = |(_, start): (_, Start)| start(shared.clone());
            let run: Vec<_> = controllers.into_iter().map(start).collect();
            async move {
                try_join_all(run).await?;
                shared.stop.cancelled().await; // without a controller, nothing has run
                Ok(())
            }
        };
        let mut tasks = JoinSet::new();
        tasks.spawn(serve);
        match self.elector.take() {
            Some(elector) => tasks.spawn(elector.run(stop.clone(), lead)),
            None => tasks.spawn(lead()),
        };
        let mut result = Ok(());
        while let Some(ended) = tasks.join_next().await {
            stop.cancel();
            result = result.and(ended.map_err(Into::into).flatten());
        }
        result
    }
}

/// Unlike that of any other process, such as the one before in the same pod.
fn identity() -> String {
    let host = fs::read_to_string("/etc/hostname").unwrap_or_default();
    let random = RandomState::new().hash_one(process::id());
    format!("{}_{random:016x}", host.trim())
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
