//! The operator under test: a kind with two owned children, built on the runtime like a project's own operator.

use crate::mirror;
use crate::page;
use crate::passes::{Log, begin};
use crate::run::Scenario;
use crate::world::World;
use clap::Parser;
use k8s_openapi::NamespaceResourceScope;
use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::api::rbac::v1::{PolicyRule, Role};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, ObjectMeta};
use kube::core::object::HasStatus;
use kube::{Resource, ResourceExt};
use parking_lot::Mutex;
use runtime::{Action, CancellationToken, Context, Controller, Manager, Options, Trigger, Watch, conditions};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;

pub(crate) const OPERATOR: &str = "web-operator";
/// The finalizers, in the order of their cleanups.
pub(crate) const FINALIZERS: [&str; 2] = ["example.com/web-operator", "example.com/web-operator-volumes"];

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
    /// True if the children get an additional label, field and rule.
    #[serde(default)]
    pub extra: bool,
    /// A field whose type panics when it parses some texts.
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
    /// The uid of the object that the pass has seen.
    #[serde(default)]
    pub seen: String,
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

/// Returns the data of the ConfigMap.
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

async fn reconcile(
    web: Arc<Web>,
    ctx: Arc<Context>,
    log: Arc<Mutex<Log>>,
    roles: &'static str,
) -> anyhow::Result<Action> {
    let pass = begin(&log, &*web);
    let map = ctx.apply_exactly(&*web, config_map(&web)).await?;
    let mut role = role(&web);
    role.metadata.namespace = Some(roles.to_owned());
    let role = ctx.apply(&*web, role).await?;
    pass.applied(vec![map.resource_version(), role.resource_version()]);
    finish(&ctx, &*web, map).await?;
    pass.succeeded();
    Ok(Action::done())
}

/// Writes the value of the applied ConfigMap into the status.
pub(crate) async fn finish<K>(ctx: &Context, object: &K, map: ConfigMap) -> anyhow::Result<()>
where
    K: Resource<DynamicType = ()> + HasStatus<Status = Status> + DeserializeOwned,
{
    let mut status = object.status().cloned().unwrap_or_default();
    let generation = object.meta().generation;
    status.value = map.data.unwrap_or_default().remove("value").unwrap_or_default();
    status.seen = object.meta().uid.clone().unwrap_or_default();
    status.observed_generation = generation.unwrap_or_default();
    conditions::set(&mut status.conditions, generation, conditions::new("Ready", true, "Done", ""));
    ctx.apply_status(object, status).await
}

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    options: Options,
}

const FLAGS: [&str; 4] = ["operator", "--health-probe-bind-address=0", "--metrics-bind-address=0", "--resync=1000h"];

/// A process of the operator.
pub(crate) struct Process {
    pub sender: usize,
    pub stop: CancellationToken,
    pub log: Arc<Mutex<Log>>,
    /// The log of the passes of a second controller of the same kind.
    pub mirror: Arc<Mutex<Log>>,
    pub trigger: Trigger,
    pub ended: JoinHandle<anyhow::Result<()>>,
}

/// Makes a manager without controllers.
pub(crate) fn manager(
    world: &Arc<Mutex<World>>,
    sender: usize,
    scenario: Scenario,
    stop: &CancellationToken,
) -> Manager {
    let flags = FLAGS.iter().chain((scenario == Scenario::Election).then_some(&"--leader-elect"));
    let options = Flags::parse_from(flags).options;
    Manager::with_client(OPERATOR, options, World::client(world, sender), stop.clone())
}

pub(crate) fn start(world: &Arc<Mutex<World>>, sender: usize, scenario: Scenario) -> Process {
    let (stop, trigger) = (CancellationToken::new(), Trigger::new());
    let [log, mirror] = [(); 2].map(|()| Arc::<Mutex<Log>>::default());
    let mut manager = manager(world, sender, scenario, &stop);
    let (seen, roles) = (log.clone(), world.lock().roles);
    let reconciler = move |web, ctx| reconcile(web, ctx, seen.clone(), roles);
    let mut controller = Controller::namespaced("web", reconciler).owns::<ConfigMap>();
    controller = match scenario {
        // A predicate hides no role whose owner was deleted.
        Scenario::Across => controller.owns_across_namespaces(Watch::<Role>::new().create_predicate(|_| false)),
        _ => controller.owns::<Role>(),
    };
    let gone = log.clone();
    controller = controller
        .on_gone(move |name| gone.lock().gone.push(name))
        .triggered_by(&trigger)
        .backoff(Duration::from_millis(100), Duration::from_secs(20))
        .conditions(|status: &mut Status| &mut status.conditions);
    if scenario == Scenario::Finalizer {
        for name in FINALIZERS {
            controller = controller.finalizer(name, async |_, _| anyhow::Ok(Action::done()));
        }
    }
    manager.add(controller);
    if scenario == Scenario::Beside {
        manager.add(page::controller(log.clone()));
    }
    if scenario == Scenario::Shared {
        manager.add(mirror::controller(mirror.clone()));
    }
    let ended = tokio::spawn(async move { manager.run().await });
    Process { sender, stop, log, mirror, trigger, ended }
}
