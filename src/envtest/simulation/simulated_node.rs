//! The simulated node, which runs on a separate thread.

use super::identity::NODE;
use super::log::Log;
use super::{access, claims, node, pods};
use crate::envtest::server::tail;
use crate::{Error, Result};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread::JoinHandle;
use tokio::sync::oneshot;

/// The inputs of [`Simulation::start`].
#[derive(Debug)]
pub(in crate::envtest) struct Beginning {
    /// The control plane's folder, in which the log is written.
    pub(in crate::envtest) directory: PathBuf,
    /// The content of the administrator's kubeconfig, which is used to grant the node its rights.
    pub(in crate::envtest) admin: String,
    /// The content of the kubeconfig of the node's user, [`USER`](super::USER).
    pub(in crate::envtest) node: String,
    /// The version of Kubernetes that the node reports.
    pub(in crate::envtest) version: String,
}

/// A simulated node that runs on a separate thread. Dropping the value ends the simulation.
#[derive(Debug)]
pub(in crate::envtest) struct Simulation {
    thread: Option<JoinHandle<()>>,
    stop: Option<oneshot::Sender<()>>,
    log: PathBuf,
}

impl Simulation {
    /// Registers the node and starts the simulation.
    pub(in crate::envtest) fn start(beginning: Beginning) -> Result<Self> {
        let log = log_path(&beginning.directory);
        let (stop, stopped) = oneshot::channel();
        let (told, hears) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let Ok(runtime) = runtime.map_err(|error| told.send(Err(simulation_error().source(&error)))) else {
                return;
            };
            runtime.block_on(async {
                tokio::select! {
                    () = work(beginning, told) => {}
                    _ = stopped => {}
                }
            });
        });
        let mut simulation = Simulation { thread: Some(thread), stop: Some(stop), log };
        match hears.recv() {
            Ok(outcome) => outcome.map(|()| simulation),
            Err(_) => Err(simulation.check().err().unwrap_or_else(simulation_error)),
        }
    }

    /// Fails if the simulation has ended unexpectedly.
    pub(in crate::envtest) fn check(&mut self) -> Result<()> {
        if self.thread.as_ref().is_some_and(|thread| !thread.is_finished()) {
            return Ok(());
        }
        Err(tail(&self.log).into_iter().fold(simulation_error(), Error::caused_by))
    }
}

impl Drop for Simulation {
    fn drop(&mut self) {
        // The receiver and the thread may have ended already.
        let _ = self.stop.take().map(|stop| stop.send(()));
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn simulation_error() -> Error {
    Error::environment("the simulated node does not work").hint("run the same command again")
}

async fn work(beginning: Beginning, told: mpsc::Sender<Result<()>>) {
    let registered = async {
        let log = Log::open(&log_path(&beginning.directory))?;
        let refused = |error: kube::Error| simulation_error().source(&error);
        access::grant(&client(&beginning.admin).await?).await.map_err(refused)?;
        let client = client(&beginning.node).await?;
        node::register(&client, &beginning.version).await.map_err(refused)?;
        Ok((client, log))
    };
    let (client, log) = match registered.await {
        Ok(registered) => registered,
        Err(error) => return drop(told.send(Err(error))),
    };
    // The receiver is gone only if the simulation is to end.
    let _ = told.send(Ok(()));
    let heard = log.clone();
    tokio::join!(
        node::beat(client.clone(), beginning.version, move |error| heard.write_failure("the node", error)),
        pods::reconcile_pods(client.clone(), log.clone()),
        claims::provide(client.clone(), log.clone()),
        claims::reclaim(client, log),
    );
}

async fn client(kubeconfig: &str) -> Result<Client> {
    let kubeconfig = Kubeconfig::from_yaml(kubeconfig).map_err(|error| simulation_error().source(&error))?;
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await;
    let mut config = config.map_err(|error| simulation_error().source(&error))?;
    // The server is on this machine.
    config.proxy_url = None;
    Client::try_from(config).map_err(|error| simulation_error().source(&error))
}

fn log_path(directory: &Path) -> PathBuf {
    directory.join(format!("{NODE}.log"))
}
