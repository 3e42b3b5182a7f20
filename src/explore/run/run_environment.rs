//! The resources that belong to one run: a namespace, a proxy, an operator.

use super::log;
use crate::explore::plan::change::merge;
use crate::explore::plan::fault_plan::{Class, Plan, Step};
use crate::explore::proxy::forward::Way;
use crate::explore::proxy::gate::Gate;
use crate::explore::proxy::listener::Proxy;
use crate::explore::record::journal::{Entry, Event};
use crate::explore::record::run_scope::{Place, RunScope};
use crate::explore::record::state::State;
use crate::explore::server::operator::{ENDS, Environment, Operator};
use crate::explore::server::shared_server::World;
use crate::{Error, Result};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The interval between two checks of a run.
pub const GLANCE: Duration = Duration::from_millis(40);

/// The time limit for an operator to start, including a build by the compiler if it is necessary.
const STARTS_WITHIN: Duration = Duration::from_secs(120);
/// The time without a request and without a log line after which the start of an operator has failed.
const SILENT: Duration = Duration::from_secs(30);
const STARTED: Duration = Duration::from_millis(300);
/// The time limit for an operator to take its lease.
const LEADS_WITHIN: Duration = Duration::from_secs(20);
/// The pause before an operator that has ended is started again.
const ENDED: Duration = Duration::from_millis(200);
/// The time without requests after which the operator is assumed to have handled a sample, so that the next sample can
/// be created.
const ALONE: Duration = Duration::from_millis(500);
const ENDED_TOO_OFTEN: usize = 3;

/// The environment of an operator that loses its lease: a project of opctl reads the duration of the lease from it, so
/// that a run waits for 5 seconds instead of 15.
const SHORT_LEASE: Environment = &[("LEADER_ELECTION_LEASE_DURATION", "5s")];
/// The environment of the second replica. In a cluster, each pod has another host name, from which many operators
/// derive their name in a lease.
const STANDBY: Environment = &[SHORT_LEASE[0], ("POD_NAME", "standby"), ("HOSTNAME", "standby")];

/// A replica of the operator, with its proxy.
struct Replica {
    operator: Arc<Operator>,
    _proxy: Proxy,
}

/// The namespace, the proxy and the operator of one run.
pub struct Site {
    pub world: Arc<World>,
    pub namespace: String,
    pub scope: Arc<RunScope>,
    pub gate: Arc<Gate>,
    pub operator: Arc<Operator>,
    /// The second replica of the operator, in runs with [`Class::HandOver`].
    standby: Option<Replica>,
    /// Resources whose objects are compared even if the operator does not request them: a failing operator may never
    /// request some of its children.
    known: BTreeSet<String>,
    _proxy: Proxy,
}

impl Site {
    /// Creates the namespace, opens the proxy, and begins the first step, with the fault of `plan` if the fault belongs
    /// to this step. Starts the operator, and waits until it has sent its first requests. The objects of the resources
    /// in `known` are compared even if the operator does not request them.
    ///
    /// # Errors
    /// Fails if the operator exits repeatedly, or never sends a request.
    pub async fn begin(
        world: &Arc<World>,
        namespace: &str,
        folder: &Path,
        gate: Gate,
        known: BTreeSet<String>,
        plan: Option<&Plan>,
    ) -> Result<Site> {
        gate.begin_step(Step::Create, plan);
        world.make_namespace(namespace).await?;
        let loses_lease = plan.is_some_and(|plan| matches!(plan.class, Class::Lease | Class::HandOver));
        let environment = if loses_lease { SHORT_LEASE } else { &[] };
        let kubeconfig = folder.join(format!("{namespace}.kubeconfig"));
        let site = Site::enter(world, namespace, kubeconfig, gate, known, environment).await?;
        site.start_up().await?;
        Ok(site)
    }

    /// Opens a proxy for an operator in an existing namespace, without starting the operator.
    pub async fn enter(
        world: &Arc<World>,
        namespace: &str,
        kubeconfig: PathBuf,
        gate: Gate,
        known: BTreeSet<String>,
        environment: Environment,
    ) -> Result<Site> {
        let operator = Operator::new(world.launch.clone(), kubeconfig, namespace.to_owned(), environment);
        let operator = Arc::new(operator);
        let way = Way {
            world: Arc::clone(world),
            namespace: namespace.to_owned(),
            scope: Arc::new(world.scope_of_run(namespace)),
            gate: Arc::new(gate),
            operator,
            is_standby: false,
        };
        let proxy = way.clone().open().await?;
        let Way { world, namespace, scope, gate, operator, .. } = way;
        Ok(Site { world, namespace, scope, gate, operator, standby: None, known, _proxy: proxy })
    }

    /// Waits until the operator holds its lease, starts a second replica, and waits until this replica has sent its first
    /// requests. Without a lease in time, starts no second replica.
    pub async fn start_standby(&mut self) -> Result<()> {
        if !self.wait_until(Gate::has_written_lease, LEADS_WITHIN).await? {
            return Ok(());
        }
        let operator = Arc::new(self.operator.replica(self.operator.kubeconfig().with_extension("standby"), STANDBY));
        let way = Way {
            world: Arc::clone(&self.world),
            namespace: self.namespace.clone(),
            scope: Arc::clone(&self.scope),
            gate: Arc::clone(&self.gate),
            operator: Arc::clone(&operator),
            is_standby: true,
        };
        let proxy = way.open().await?;
        self.gate.note(Event::Operator("starts as the second replica".to_owned()));
        operator.start()?;
        self.standby = Some(Replica { operator, _proxy: proxy });
        self.wait_until(Gate::was_asked_by_standby, LEADS_WITHIN).await?;
        self.wait_quiet(STARTED, LEADS_WITHIN).await.map(drop)
    }

    /// Waits until `condition` holds, at most for `limit`, and keeps the operator running. Returns false if the limit was
    /// reached.
    pub async fn wait_until(&self, condition: impl Fn(&Gate) -> bool, limit: Duration) -> Result<bool> {
        let begun = Instant::now();
        while !condition(&self.gate) {
            if begun.elapsed() > limit {
                return Ok(false);
            }
            self.keep_running().await?;
            tokio::time::sleep(GLANCE).await;
        }
        Ok(true)
    }

    fn start(&self) -> Result<()> {
        self.gate.note(Event::Operator("starts".to_owned()));
        self.operator.start()
    }

    /// Starts the operator, and waits until it has sent its first requests.
    pub async fn start_up(&self) -> Result<()> {
        self.start()?;
        let begun = Instant::now();
        while !self.gate.was_asked() {
            self.keep_running().await?;
            let journal = self.gate.journal();
            let ends = journal.iter().filter_map(|entry| match &entry.event {
                Event::Operator(text) => text.strip_prefix(ENDS),
                _ => None,
            });
            if let Some(how) = ends.clone().nth(ENDED_TOO_OFTEN - 1) {
                return Err(self.with_log(Error::user(format!("the operator exits again and again{how}"))));
            }
            let silent = self.operator.silent_for().min(begun.elapsed());
            if begun.elapsed() > STARTS_WITHIN || silent > SILENT {
                return Err(self.with_log(self.without_request()));
            }
            tokio::time::sleep(GLANCE).await;
        }
        self.wait_quiet(STARTED, STARTS_WITHIN).await.map(drop)
    }

    /// Returns the error for an operator that sends no requests, except requests for its lease.
    fn without_request(&self) -> Error {
        match self.gate.denied_requests().first() {
            Some(denied) => {
                let denied = denied.replacen(':', " ", 1);
                Error::user(format!("nothing was explored: the operator is not allowed to `{denied}`"))
            }
            None => Error::user("the operator sends no request to the API server")
                .caused_by("the operator must connect to the API server in the kubeconfig that `KUBECONFIG` names"),
        }
    }

    /// Adds the end of the operator's log to the error.
    fn with_log(&self, error: Error) -> Error {
        let lines = log::last_lines(&self.operator.log());
        lines.into_iter().fold(error, Error::caused_by).hint(self.world.launch.by_hand.clone())
    }

    /// Kills the operator and starts it again, as a kubelet would. Before the start, removes the holder of the
    /// operator's leases, so that the new process does not wait until the leases expire.
    pub async fn restart(&self) -> Result<()> {
        self.operator.kill();
        self.standby.iter().for_each(|standby| standby.operator.kill());
        self.world.empty_leases(&self.namespace).await?;
        self.start()?;
        self.standby.iter().try_for_each(|standby| standby.operator.start())
    }

    /// Starts the operator again if it has ended. With a second replica, starts only the replica that has ended, and
    /// leaves the lease to the other one.
    pub async fn keep_running(&self) -> Result<()> {
        let Some(standby) = &self.standby else {
            let Some(why) = self.operator.exit_description() else { return Ok(()) };
            self.gate.note(Event::Operator(why));
            tokio::time::sleep(ENDED).await;
            return self.restart().await;
        };
        for (replica, of) in [(&self.operator, ""), (&standby.operator, " as the second replica")] {
            let Some(why) = replica.exit_description() else { continue };
            self.gate.note(Event::Operator(format!("{why}{of}")));
            tokio::time::sleep(ENDED).await;
            self.gate.note(Event::Operator(format!("starts{of}")));
            replica.start()?;
        }
        Ok(())
    }

    /// Waits for `time`, and keeps the operator running.
    pub async fn run_for(&self, time: Duration) -> Result<()> {
        let begun = Instant::now();
        while begun.elapsed() < time {
            self.keep_running().await?;
            tokio::time::sleep(GLANCE).await;
        }
        Ok(())
    }

    /// Waits until the operator was inactive for `quiet`, at most for `limit`. Returns false if the limit was reached.
    pub async fn wait_quiet(&self, quiet: Duration, limit: Duration) -> Result<bool> {
        let begun = Instant::now();
        while begun.elapsed() < limit {
            self.keep_running().await?;
            if begun.elapsed() >= quiet && self.gate.is_quiet_for(quiet) {
                return Ok(true);
            }
            tokio::time::sleep(GLANCE).await;
        }
        Ok(false)
    }

    /// Begins `step`, with the fault of `plan` if the fault belongs to this step. Does nothing for the step `create`,
    /// which [`Site::begin`] begins.
    pub fn begin_step(&self, step: Step, plan: Option<&Plan>) {
        if step != Step::Create {
            self.gate.begin_step(step, plan);
        }
    }

    /// Performs the actions of the user in a step.
    pub async fn play(&self, step: Step) -> Result<()> {
        let mut samples: Vec<_> = self.world.samples.iter().collect();
        // Objects that refer to each other come in any order.
        if step == Step::Recreate {
            samples.reverse();
        }
        for (index, sample) in samples.into_iter().enumerate() {
            if step == Step::Recreate && index > 0 {
                // The operator sees the one before without this one.
                self.wait_quiet(ALONE, 4 * ALONE).await?;
            }
            let resource = self.world.collection_of(&sample.object)?;
            let objects = self.world.path(&self.namespace, resource)?;
            let name = sample.object["metadata"]["name"].as_str().unwrap_or_default();
            let object = self.path(&format!("{resource}/{name}"))?;
            let (verb, method, path, body) = match (step, &sample.change) {
                (Step::Create | Step::Recreate, _) => ("creates", "POST", objects, sample.object.clone()),
                (Step::Change, Some([there, _])) => ("changes", "PATCH", object, there.clone()),
                (Step::Back, Some([_, back])) => ("changes", "PATCH", object, back.clone()),
                (Step::Change | Step::Back, None) => continue,
                (Step::Delete, _) => ("deletes", "DELETE", object, json!({})),
                (Step::Foreground, _) => ("deletes", "DELETE", object, json!({"propagationPolicy": "Foreground"})),
            };
            let shown = if method == "PATCH" { format!(": {}", body["spec"]) } else { String::new() };
            self.gate.note(Event::User(format!("{verb} {resource}/{name}{shown}")));
            let body = match method {
                "POST" => self.world.object_in_run(&body, &self.scope)?,
                _ => self.world.change_in_run(&body, &self.scope),
            };
            self.world.send(method, &path, &body).await?;
        }
        Ok(())
    }

    /// Patches an object as the user.
    pub async fn change(&self, object: &str, patch: &Value) -> Result<()> {
        self.gate.note(Event::User(format!("changes {object}: {patch}")));
        self.world.patch(&self.path(object)?, &self.world.change_in_run(patch, &self.scope)).await
    }

    /// Creates the samples. Merges `patch` into the sample `changed` before creating it.
    pub async fn create_with(&self, changed: &Value, patch: &Value) -> Result<()> {
        for sample in self.world.samples.iter().map(|sample| &sample.object) {
            let mut object = sample.clone();
            if sample == changed {
                merge(&mut object, patch);
            }
            let objects = self.world.path_of_kind(&self.namespace, sample)?;
            self.world.send("POST", &objects, &*self.world.object_in_run(&object, &self.scope)?).await?;
        }
        Ok(())
    }

    /// Changes an annotation of every sample, which causes an event for each sample.
    pub async fn touch_samples(&self, value: &str) -> Result<()> {
        for sample in &self.world.samples {
            let resource = self.world.collection_of(&sample.object)?;
            let name = sample.object["metadata"]["name"].as_str().unwrap_or_default();
            self.touch(&format!("{resource}/{name}"), value).await?;
        }
        Ok(())
    }

    /// Changes an annotation of an object, which causes an event for the object.
    pub async fn touch(&self, object: &str, value: &str) -> Result<()> {
        self.gate.note(Event::User(format!("touches {object}")));
        self.world.touch(&self.path(object)?, value).await
    }

    /// Returns true if `state` contains the sample.
    pub fn has_sample(&self, state: &State, sample: &Value) -> bool {
        let name = sample["metadata"]["name"].as_str().unwrap_or_default();
        self.world.collection_of(sample).is_ok_and(|resource| state.object(&format!("{resource}/{name}")).is_some())
    }

    /// Returns the path in the API of an object such as `services/web`.
    pub fn path(&self, object: &str) -> Result<String> {
        let (resource, name) = object
            .split_once('/')
            .ok_or_else(|| Error::bug(format!("`{object}` is not an object's name of the form `RESOURCE/NAME`")))?;
        let place = self.scope.place(object).unwrap_or_else(|| {
            let is_namespaced = self.world.is_namespaced(resource);
            let name = if is_namespaced { name.into() } else { self.scope.name_in_run(name) };
            Place { namespace: is_namespaced.then(|| self.namespace.clone()), name: name.into_owned() }
        });
        let namespace = place.namespace.as_deref().unwrap_or(&self.namespace);
        Ok(format!("{}/{}", self.world.path(namespace, resource)?, place.name))
    }

    /// Returns the objects that the operator has created with an owner reference.
    pub fn children(&self) -> Vec<String> {
        let journal = self.gate.journal();
        let requests = journal.iter().filter_map(Entry::request);
        let created = requests.filter(|request| request.status == 201 && !request.left.owners.is_empty());
        created.map(|request| request.parts().1.to_owned()).filter(|object| !object.contains('*')).collect()
    }

    /// Returns the resources of the operator's requests, without leases and events.
    pub fn resources(&self) -> BTreeSet<String> {
        let journal = self.gate.journal();
        let requests = journal.iter().filter_map(Entry::request);
        requests.filter_map(|request| Some(request.parts().1.split('/').next()?.to_owned())).collect()
    }

    /// Reads the objects of the resources that the operator requests, and of the resources in `known`.
    pub async fn state(&self) -> Result<State> {
        self.world.state(&self.scope, self.resources().union(&self.known)).await
    }
}
