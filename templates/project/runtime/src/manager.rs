//! Controllers, probes and metrics as one process: they start together and stop together.

mod additions;
mod tasks;

use crate::cache::Pool;
use crate::client::{checked, connect, connect_later};
use crate::controller::{Controller, Untyped};
use crate::health::{ELECTION, Health};
use crate::leader::{ElectionOptions, Elector};
use crate::metrics::Metrics;
use crate::object::Object;
use crate::server::{ServerOptions, servers};
use crate::settings::Settings;
use crate::shared::Shared;
use crate::tls::choose_cryptography;
use crate::watch::watch;
#[cfg(feature = "webhooks")]
use crate::webhook::{Webhook, WebhookOptions};
use anyhow::ensure;
use futures::future::{FutureExt, try_join_all};
use kube::{Client, Config};
use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::{fs, mem, process, sync::Arc};
use tasks::{Task, until_stopped};
use tokio::{runtime::Handle, task::JoinSet};
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};

/// The flags of an operator.
#[derive(clap::Args, Debug)]
pub struct Options {
    /// Watch these namespaces only
    #[arg(long, env, value_delimiter = ',', value_name = "NAMESPACES")]
    watch_namespace: Vec<String>,
    #[command(flatten)]
    election: ElectionOptions,
    #[command(flatten)]
    server: ServerOptions,
    #[cfg(feature = "webhooks")]
    #[command(flatten)]
    webhooks: WebhookOptions,
    #[command(flatten)]
    settings: Settings,
}

/// The controllers of an operator and its servers, which start together and stop together.
///
/// ```no_run
/// use clap::Parser;
/// use kube::Config;
/// use runtime::telemetry::{self, Telemetry};
/// use runtime::{Controller, Manager};
/// # use k8s_openapi::api::core::v1::{Node, Pod};
/// # use runtime::{Action, Context};
/// # use std::sync::Arc;
/// # async fn reconcile(_: Arc<Pod>, _: Arc<Context>) -> anyhow::Result<Action> {
/// #     Ok(Action::done())
/// # }
/// # async fn label(_: Arc<Node>, _: Arc<Context<String>>) -> anyhow::Result<Action> {
/// #     Ok(Action::done())
/// # }
///
/// #[derive(Parser)]
/// struct Args {
///     #[command(flatten)]
///     manager: runtime::Options,
///     #[command(flatten)]
///     logs: telemetry::LogOptions,
/// }
///
/// #[tokio::main(flavor = "current_thread")]
/// async fn main() -> anyhow::Result<()> {
///     let args = Args::parse();
///     // To be kept: it sends the last spans when it is dropped.
///     let _telemetry: Telemetry = telemetry::init("web-operator", args.logs)?;
///     let stop = runtime::stop_on_signal()?;
///     let config = Config::infer().await?;
///     let mut manager = Manager::new("web-operator", args.manager, config, stop)?;
///     manager.add(Controller::namespaced("pod", reconcile));
///     let zone = String::from("a");
///     manager.add_with(zone, Controller::cluster_scoped("node", label));
///     manager.run().await
/// }
/// ```
pub struct Manager {
    pub(crate) shared: Shared,
    controllers: Vec<Untyped>,
    elector: Option<Elector>,
    /// The tasks that run while this replica leads.
    leading_tasks: Vec<Task>,
    /// The tasks that run on every replica.
    tasks: Vec<Task>,
    /// A client that may write even while another replica leads.
    client: Client,
    server: ServerOptions,
    /// The tokio runtime of the thread for the servers and the leader election.
    apart: Handle,
    #[cfg(feature = "webhooks")]
    webhooks: (WebhookOptions, Vec<Webhook>),
}

impl Manager {
    /// Makes a manager without controllers. `operator` is the operator's name in the cluster: the
    /// name of its lease, a part of its field managers and events, and the value of the label
    /// `app.kubernetes.io/managed-by` of all children. Do not change this name later: the operator
    /// would no longer recognize its own objects.
    ///
    /// # Errors
    /// Fails if no client can be made from `config`.
    pub fn new(
        operator: &'static str,
        options: Options,
        config: Config,
        stop: CancellationToken,
    ) -> anyhow::Result<Self> {
        let authority = config.cluster_url.authority();
        let host = authority.map_or(String::new(), ToString::to_string);
        let client = connect(config.clone())?;
        let apart = (servers()?, || connect_later(config));
        Ok(Self::over(client, apart, &host, operator, options, stop))
    }

    /// Makes a manager whose requests go through `client`, such as a client for a mock service in a
    /// test: see [`Manager::new`].
    ///
    /// ```
    /// use axum::http::{Request, Response};
    /// use clap::Parser;
    /// use kube::{Client, client::Body};
    /// use runtime::{CancellationToken, Manager};
    ///
    /// #[derive(Parser)]
    /// struct Flags {
    ///     #[command(flatten)]
    ///     options: runtime::Options,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let service = tower::service_fn(async |_: Request<Body>| {
    ///     Ok::<_, std::io::Error>(Response::builder().status(503).body(Body::empty()).unwrap())
    /// });
    /// let options = Flags::parse_from(["operator"]).options;
    /// let client = Client::new(service, "default");
    /// Manager::with_client("operator", options, client, CancellationToken::new());
    /// # }
    /// ```
    pub fn with_client(
        operator: &'static str,
        options: Options,
        client: Client,
        stop: CancellationToken,
    ) -> Self {
        let apart = (Handle::current(), || client.clone());
        Self::over(client.clone(), apart, "", operator, options, stop)
    }

    fn over(
        client: Client,
        (apart, client_apart): (Handle, impl FnOnce() -> Client),
        host: &str,
        operator: &'static str,
        options: Options,
        stop: CancellationToken,
    ) -> Self {
        choose_cryptography();
        let (metrics, identity) = (Arc::new(Metrics::new(operator)), identity());
        // A client has a task, which runs where the client is made.
        let entered = apart.enter();
        let for_all = checked(&client_apart(), host, &metrics, None);
        drop(entered);
        let elector = Elector::new(options.election, operator, &for_all, &identity);
        let leadership = elector.as_ref().map(|elector| elector.leadership.clone());
        let chosen = options.watch_namespace.into_iter();
        let mut namespaces: Vec<_> = chosen.filter(|name| !name.is_empty()).map(Some).collect();
        if namespaces.is_empty() {
            namespaces.push(None);
        }
        metrics.leads(false);
        Self {
            shared: Shared {
                operator,
                client: checked(&client, host, &metrics, leadership),
                namespaces,
                identity,
                settings: options.settings,
                metrics,
                health: Health::new(stop.clone()),
                stop,
            },
            controllers: Vec::new(),
            leading_tasks: Vec::new(),
            tasks: Vec::new(),
            elector,
            client: for_all,
            server: options.server,
            apart,
            #[cfg(feature = "webhooks")]
            webhooks: (options.webhooks, Vec::new()),
        }
    }

    /// Adds a controller, which the manager runs.
    pub fn add<K: Object>(&mut self, controller: Controller<K>) {
        self.add_with((), controller);
    }

    /// Adds a controller with its state, such as a client of another service. The reconciler takes
    /// a `Context<S>` and finds the state in [`Context::state`](crate::Context::state). To share a
    /// state between controllers, add each of them with a clone of the same `Arc`.
    pub fn add_with<K: Object, S>(&mut self, state: impl Into<Arc<S>>, controller: Controller<K, S>)
    where
        S: Send + Sync + 'static,
    {
        self.push(controller.with_state(state.into()));
    }

    pub(crate) fn push(&mut self, controller: Untyped) {
        self.controllers.push(controller);
    }

    /// Adds a webhook. All replicas serve it, not only the leader.
    ///
    /// Without `--webhook-cert-path`, the operator is its own certificate authority. The operator
    /// then needs `get` and `update` of the `Secret` with its certificate, and `get` and `patch` of
    /// the webhook configurations and of the CRDs with a conversion, to set the CA bundle that the
    /// API server trusts.
    #[cfg(feature = "webhooks")]
    pub fn webhook(&mut self, webhook: impl Into<Webhook>) {
        self.webhooks.1.push(webhook.into());
    }

    /// Runs the controllers and servers until the operator is told to stop, or until a controller
    /// or server fails. A failure ends the whole process, so that the process is restarted as a
    /// whole and never runs in part.
    ///
    /// When the operator stops, `/readyz` fails at once, passes in progress are completed, and the
    /// lease is released. Webhooks and probes are served until the lease is released.
    ///
    /// # Errors
    /// Fails if an address cannot be served, if two controllers have the same name or two webhooks
    /// the same path, if the lease is lost, or if a controller ends.
    pub async fn run(&mut self) -> anyhow::Result<()> {
        let (shared, mut controllers) = (self.shared.clone(), mem::take(&mut self.controllers));
        let mut names = BTreeSet::new();
        for name in controllers.iter().map(Untyped::name) {
            ensure!(names.insert(name), "two controllers are named {name}");
        }
        let (stop, health) = (shared.stop.clone(), shared.health.clone());
        // Servers stop last: passes that end may need the webhooks, and the kubelet asks on.
        let served = Shared {
            stop: CancellationToken::new(),
            ..shared.clone()
        };
        let stop_servers = served.stop.clone();
        let (main, apart) = (Handle::current(), &self.apart);
        let (mut servers, mut work) = (JoinSet::new(), JoinSet::new());
        #[cfg(feature = "webhooks")]
        let webhooks_only = {
            let (options, webhooks) = &mut self.webhooks;
            let (serve, webhooks) = (options.clone(), mem::take(webhooks));
            let serve = serve.serve(webhooks, &served, &self.client)?;
            serve.map(|serve| servers.spawn_on(serve, apart));
            options.webhooks_only
        };
        #[cfg(not(feature = "webhooks"))]
        let webhooks_only = false;
        let elector = self.elector.take().filter(|_| !webhooks_only);
        if elector.is_some() {
            health.expect(ELECTION);
        }
        let serve = self.server.clone().serve(served, self.client.clone());
        servers.spawn_on(serve, apart);
        for task in mem::take(&mut self.tasks) {
            let stop = stop.clone();
            work.spawn(async move {
                until_stopped(task, stop.clone()).await?;
                stop.cancelled().await; // whatever ends earlier stops the operator
                Ok(())
            });
        }
        // Every replica watches, so that the caches are full when it is to lead.
        let mut pool = Pool::default();
        for controller in controllers.iter_mut().filter(|_| !webhooks_only) {
            let views = &mut controller.views;
            views.join(&mut pool, shared.operator, &shared.namespaces);
        }
        for cache in pool.caches {
            for namespace in cache.listed.keys().cloned() {
                let watch = watch(cache.clone(), shared.client.clone(), namespace);
                let watch = stop_servers.clone().run_until_cancelled_owned(watch);
                servers.spawn(watch.map(|_| Ok(())));
            }
        }
        let tasks = mem::take(&mut self.leading_tasks).into_iter();
        let lead = move || {
            shared.metrics.leads(true);
            let run = |controller: Untyped| controller.run(shared.clone()).boxed();
            let tasks = tasks.map(|task| until_stopped(task, shared.stop.clone()).boxed());
            let run: Vec<_> = controllers.into_iter().map(run).chain(tasks).collect();
            let run = AbortOnDropHandle::new(main.spawn(async move {
                try_join_all(run).await?;
                shared.stop.cancelled().await; // without a controller, nothing has run
                Ok(())
            }));
            async move { run.await? }
        };
        match elector {
            _ if webhooks_only => {}
            Some(elector) => drop(work.spawn_on(elector.run(stop.clone(), health, lead), apart)),
            None => drop(work.spawn(lead())),
        }
        work.spawn(stop.clone().cancelled_owned().map(Ok));
        let mut result = Ok(());
        loop {
            let ended = tokio::select! {
                Some(ended) = work.join_next() => ended,
                Some(ended) = servers.join_next() => ended,
                else => return result,
            };
            stop.cancel();
            if work.is_empty() {
                stop_servers.cancel();
            }
            result = result.and(ended.map_err(Into::into).flatten());
        }
    }
}

/// Makes a name that no other process has, not even the previous process in the same pod.
fn identity() -> String {
    let host = fs::read_to_string("/etc/hostname").unwrap_or_default();
    let random = RandomState::new().hash_one(process::id());
    format!("{}_{random:016x}", host.trim())
}
