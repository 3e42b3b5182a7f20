//! The operator under test: a kind with two owned children, made of the runtime as a project makes its own.

use crate::world::World;
use clap::Parser;
use k8s_openapi::NamespaceResourceScope;
use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::api::rbac::v1::{PolicyRule, Role};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, ObjectMeta};
use kube::core::object::HasStatus;
use kube::{Resource, ResourceExt};
use parking_lot::Mutex;
use runtime::{Action, CancellationToken, Context, Controller, Manager, Options, conditions};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;

pub(crate) const OPERATOR: &str = "web-operator";
const FINALIZER: &str = "example.com/web-operator";

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct Web {
    pub metadata: ObjectMeta,
    #[serde(default)]
    pub spec: Spec,
    pub status: Option<Status>,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(crate) struct Spec {
    pub value: i64,
    /// Becomes a label, a field and a rule of the children.
    #[serde(default)]
    pub extra: bool,
    /// A type that panics for some texts.
    #[serde(default, skip_serializing)]
    pub pause: Option<kube::core::Duration>,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Status {
    #[serde(default)]
    pub value: String,
    #[serde(default)]
    pub observed_generation: i64,
    #[serde(default)]
    pub conditions: Vec<Condition>,
}

impl Resource for Web {
    type DynamicType = ();
    type Scope = NamespaceResourceScope;

    fn kind((): &()) -> Cow<'_, str> {
        "Web".into()
    }
    fn group((): &()) -> Cow<'_, str> {
        "example.com".into()
    }
    fn version((): &()) -> Cow<'_, str> {
        "v1".into()
    }
    fn plural((): &()) -> Cow<'_, str> {
        "webs".into()
    }
    fn meta(&self) -> &ObjectMeta {
        &self.metadata
    }
    fn meta_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

impl HasStatus for Web {
    type Status = Status;

    fn status(&self) -> Option<&Status> {
        self.status.as_ref()
    }
    fn status_mut(&mut self) -> &mut Option<Status> {
        &mut self.status
    }
}

/// The fields of its ConfigMap.
pub(crate) fn data(spec: &Spec) -> BTreeMap<String, String> {
    let mut data = BTreeMap::from([("value".to_owned(), spec.value.to_string())]);
    data.extend(spec.extra.then(|| ("extra".to_owned(), "yes".to_owned())));
    data
}

fn config_map(web: &Web) -> ConfigMap {
    let mut desired = ConfigMap { data: Some(data(&web.spec)), ..Default::default() };
    desired.metadata.name = Some(web.name_any());
    if web.spec.extra {
        desired.labels_mut().insert("tier".into(), "extra".into());
    }
    desired
}

pub(crate) fn rules(spec: &Spec) -> Vec<PolicyRule> {
    let rule = |resource: &str| PolicyRule {
        api_groups: Some(vec![String::new()]),
        resources: Some(vec![resource.into()]),
        verbs: vec!["get".into()],
        ..Default::default()
    };
    let mut rules = vec![rule("pods")];
    rules.extend(spec.extra.then(|| rule("services")));
    rules
}

fn role(web: &Web) -> Role {
    let mut desired = Role { rules: Some(rules(&web.spec)), ..Default::default() };
    desired.metadata.name = Some(web.name_any());
    desired
}

/// A call of the reconciler.
#[derive(Clone, Debug)]
pub(crate) struct Pass {
    pub web: Web,
    /// The versions of the children as they were seen, where both could be applied.
    pub children: Option<[Option<String>; 2]>,
}

/// What the passes of an operator have seen.
#[derive(Default)]
pub(crate) struct Log {
    pub passes: Vec<Pass>,
    pub running: BTreeSet<String>,
    /// What must never happen, and did.
    pub wrong: Vec<String>,
}

/// Removes a pass from those under way, however it ends.
struct Running(Arc<Mutex<Log>>, String);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.lock().running.remove(&self.1);
    }
}

async fn reconcile(web: Arc<Web>, ctx: Arc<Context>, log: Arc<Mutex<Log>>) -> anyhow::Result<Action> {
    let name = web.name_any();
    let number = {
        let mut log = log.lock();
        if !log.running.insert(name.clone()) {
            log.wrong.push(format!("two passes of {name} at a time"));
        }
        let version = |web: &Web| web.resource_version().and_then(|version| version.parse::<u64>().ok());
        let mut before = log.passes.iter().rev().filter(|pass| pass.web.name_any() == name);
        if before.next().is_some_and(|before| version(&before.web) > version(&web)) {
            log.wrong.push(format!("a pass of {name} sees an older version than the one before"));
        }
        if web.metadata.deletion_timestamp.is_some() {
            log.wrong.push(format!("a pass of {name}, which is being deleted"));
        }
        log.passes.push(Pass { web: (*web).clone(), children: None });
        log.passes.len() - 1
    };
    let _running = Running(log.clone(), name);
    let map = ctx.apply(&*web, config_map(&web)).await?;
    let role = ctx.apply(&*web, role(&web)).await?;
    log.lock().passes[number].children = Some([map.resource_version(), role.resource_version()]);
    let mut status = web.status.clone().unwrap_or_default();
    status.value = map.data.unwrap_or_default().remove("value").unwrap_or_default();
    status.observed_generation = web.metadata.generation.unwrap_or_default();
    let ready = conditions::new("Ready", true, "Done", "");
    conditions::set(&mut status.conditions, web.metadata.generation, ready);
    ctx.apply_status(&*web, status).await?;
    Ok(Action::done())
}

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    options: Options,
}

const FLAGS: [&str; 4] = ["operator", "--health-probe-bind-address=0", "--metrics-bind-address=0", "--resync=1000h"];

/// A start of the operator's process.
pub(crate) struct Process {
    pub sender: usize,
    pub stop: CancellationToken,
    pub log: Arc<Mutex<Log>>,
    pub ended: JoinHandle<anyhow::Result<()>>,
}

pub(crate) fn start(world: &Arc<Mutex<World>>, sender: usize, finalizer: bool, elects: bool) -> Process {
    let (stop, log) = (CancellationToken::new(), Arc::<Mutex<Log>>::default());
    let flags = FLAGS.iter().chain(elects.then_some(&"--leader-elect"));
    let options = Flags::parse_from(flags).options;
    let client = World::client(world, sender);
    let mut manager = Manager::with_client(OPERATOR, options, client, stop.clone());
    let seen = log.clone();
    let reconciler = move |web, ctx| reconcile(web, ctx, seen.clone());
    let mut controller = Controller::namespaced("web", reconciler)
        .owns::<ConfigMap>()
        .owns::<Role>()
        .backoff(Duration::from_millis(100), Duration::from_secs(20))
        .conditions(|status: &mut Status| &mut status.conditions);
    if finalizer {
        controller = controller.finalizer(FINALIZER, async |_, _| anyhow::Ok(Action::done()));
    }
    manager.add(controller);
    let ended = tokio::spawn(async move { manager.run().await });
    Process { sender, stop, log, ended }
}
