//! The resources that belong to one run: a namespace, a proxy, an operator.

use super::log;
use crate::explore::plan::change::merge;
use crate::explore::plan::fault_plan::{Plan, Step};
use crate::explore::proxy::forward::Way;
use crate::explore::proxy::gate::Gate;
use crate::explore::proxy::listener::Proxy;
use crate::explore::record::journal::{Entry, Event};
use crate::explore::record::run_scope::{Place, RunScope};
use crate::explore::record::state::State;
use crate::explore::server::operator::{ENDS, Operator};
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
/// The time without requests after which the operator is assumed to have handled a sample, so that the next sample can
/// be created.
const ALONE: Duration = Duration::from_millis(500);
const ENDED_TOO_OFTEN: usize = 3;

/// The namespace, the proxy and the operator of one run.
pub struct Site {
    pub world: Arc<World>,
    pub namespace: String,
    pub scope: Arc<RunScope>,
    pub gate: Arc<Gate>,
    pub operator: Arc<Operator>,
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
        let site = Site::enter(world, namespace, folder.join(format!("{namespace}.kubeconfig")), gate, known).await?;
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
    ) -> Result<Site> {
        let (gate, scope) = (Arc::new(gate), Arc::new(world.scope_of_run(namespace)));
        let operator = Arc::new(Operator::new(world.launch.clone(), kubeconfig.clone(), namespace.to_owned()));
        let way = Arc::new(Way {
            world: Arc::clone(world),
            namespace: namespace.to_owned(),
            scope: Arc::clone(&scope),
            gate: Arc::clone(&gate),
            operator: Arc::clone(&operator),
        });
        let answer = move |request| Arc::clone(&way).answer(request);
        let proxy = Proxy::start(&world.serving, &kubeconfig, namespace, answer).await?;
        let (world, namespace) = (Arc::clone(world), namespace.to_owned());
        Ok(Site { world, namespace, scope, gate, operator, known, _proxy: proxy })
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
        self.world.empty_leases(&self.namespace).await?;
        self.start()
    }

    /// Starts the operator again if it has ended.
    pub async fn keep_running(&self) -> Result<()> {
        let Some(why) = self.operator.exit_description() else { return Ok(()) };
        self.gate.note(Event::Operator(why));
        tokio::time::sleep(Duration::from_millis(200)).await;
        self.restart().await
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
        let (resource, name) =
            object.split_once('/').ok_or_else(|| Error::bug(format!("`{object}` is not an object")))?;
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
