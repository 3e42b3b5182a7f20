//! The tasks, metrics and checks that an author adds beside the controllers.

use super::Manager;
use futures::FutureExt;
use kube::Client;
use prometheus_client::registry::Registry;
use std::ops::DerefMut;

impl Manager {
    /// Returns a client with the rights of the operator's role, for use in tasks and in the state
    /// given to `Manager::add_with`. While another replica leads, the client can only read.
    pub fn client(&self) -> Client {
        self.shared.client.clone()
    }

    /// Returns the registry of the served metrics, to which an operator can add its own metrics.
    /// Names that begin with `controller_`, `leader_election_`, `process_`, `rest_client_` and
    /// `workqueue_` are reserved for the runtime.
    ///
    /// ```
    /// use runtime::Manager;
    /// use runtime::prometheus_client::metrics::counter::Counter;
    ///
    /// /// Counts the backups. The registry adds `_total` to the name.
    /// fn backups(manager: &Manager) -> Counter {
    ///     let backups = Counter::default();
    ///     let metrics = &mut manager.metrics();
    ///     metrics.register("backups", "Backups that were made", backups.clone());
    ///     backups
    /// }
    /// ```
    pub fn metrics(&self) -> impl DerefMut<Target = Registry> {
        self.shared.metrics.registry.lock()
    }

    /// Runs a task while this replica leads; without leader election, while the operator runs. The
    /// task starts together with the controllers. When the operator is told to stop, the task ends
    /// at its next `.await`. A task that returns an error or panics ends the whole process.
    ///
    /// ```
    /// use k8s_openapi::api::core::v1::Node;
    /// use kube::{Api, api::ListParams};
    /// use runtime::Manager;
    /// use std::time::Duration;
    ///
    /// fn count_nodes(manager: &mut Manager) {
    ///     let nodes: Api<Node> = Api::all(manager.client());
    ///     manager.spawn(async move {
    ///         loop {
    ///             let found = nodes.list(&ListParams::default()).await?;
    ///             println!("{} nodes", found.items.len());
    ///             tokio::time::sleep(Duration::from_secs(60)).await;
    ///         }
    ///     });
    /// }
    /// ```
    pub fn spawn<F>(&mut self, task: F)
    where
        F: Future<Output = anyhow::Result<()>> + Send + 'static,
    {
        self.leading_tasks.push(task.boxed());
    }

    /// Runs a task on every replica, whether it leads or not: see [`Manager::spawn`]. The client of
    /// [`Manager::client`] only reads on a replica that does not lead.
    ///
    /// ```
    /// use runtime::Manager;
    /// use std::time::Duration;
    ///
    /// fn beat(manager: &mut Manager) {
    ///     manager.spawn_on_every_replica(async {
    ///         tokio::time::sleep(Duration::from_secs(60)).await;
    ///         Ok(println!("alive"))
    ///     });
    /// }
    /// ```
    pub fn spawn_on_every_replica<F>(&mut self, task: F)
    where
        F: Future<Output = anyhow::Result<()>> + Send + 'static,
    {
        self.tasks.push(task.boxed());
    }

    /// Adds a check to `/healthz`. If `check` fails for half a minute, the kubelet restarts the
    /// process. So use it only for a failure that a restart repairs, such as a poller that has not
    /// answered for minutes.
    ///
    /// `check` is called for each probe, which the kubelet sends every few seconds, and must not
    /// block: let it read a result that a task has stored. The log contains the reason of a
    /// failure; the answer to the probe contains only the name of the check.
    ///
    /// ```
    /// use runtime::Manager;
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    ///
    /// fn setup(manager: &mut Manager, answers: Arc<AtomicBool>) {
    ///     let answered = answers.clone();
    ///     manager.add_health_check("forge", move || {
    ///         anyhow::ensure!(answered.load(Relaxed), "the forge has not answered for 5 minutes");
    ///         Ok(())
    ///     });
    ///     manager.add_ready_check("connected", move || {
    ///         anyhow::ensure!(answers.load(Relaxed), "the forge does not answer");
    ///         Ok(())
    ///     });
    /// }
    /// ```
    pub fn add_health_check(
        &mut self,
        name: &'static str,
        check: impl Fn() -> anyhow::Result<()> + Send + Sync + 'static,
    ) {
        let check = ("/healthz", name, Box::new(check) as _);
        self.shared.health.add_check(check);
    }

    /// Adds a check to `/readyz`, like [`Manager::add_health_check`] to `/healthz`. While the check
    /// fails, the process gets no calls of its webhooks, and a rollout of the operator waits.
    pub fn add_ready_check(
        &mut self,
        name: &'static str,
        check: impl Fn() -> anyhow::Result<()> + Send + Sync + 'static,
    ) {
        let check = ("/readyz", name, Box::new(check) as _);
        self.shared.health.add_check(check);
    }
}
