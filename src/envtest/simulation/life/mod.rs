//! Decides the next step of the simulated node for a pod; sends no requests.
//!
//! Phases and conditions are those of the kubelet (`getPhase` in pkg/kubelet, and pkg/kubelet/status).

use super::containers::{self, Fate, PodContext, ended_status, not_yet};
use super::identity::{NODE, NODE_ADDRESS};
use super::pod::{Address, Condition, ContainerStatus, Phase, Pod, PodStatus, RestartPolicy};
use crate::trouble::Trouble;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use kube::ResourceExt;
use std::time::Duration;

/// The next step of the simulated node for a pod.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    /// Do nothing: the pod is up to date, or another node or scheduler is responsible for the pod.
    Nothing,
    /// Bind the pod to the node once the `PersistentVolumeClaim`s named `claims` are bound.
    Schedule { claims: Vec<String> },
    /// Write this status of the pod.
    Report(Box<PodStatus>),
    /// Delete the pod without a grace period.
    Remove,
}

/// Returns the next step for `pod`, and the time after which to check the pod again. `now` is the current time in whole
/// seconds, and `address` returns an unused IP address.
pub(super) fn next(
    pod: &Pod,
    now: &Time,
    trouble: Option<Trouble>,
    address: impl FnOnce() -> String,
) -> (Step, Option<Duration>) {
    let (spec, before) = (&pod.spec, pod.status.clone().unwrap_or_default());
    let over = matches!(before.phase, Phase::Succeeded | Phase::Failed);
    match spec.node_name.as_deref().filter(|name| !name.is_empty()) {
        None => {
            let scheduler = spec.scheduler_name.as_deref().unwrap_or("default-scheduler");
            let gone = pod.metadata.deletion_timestamp.is_some() || over;
            let waits = gone || !spec.scheduling_gates.is_empty() || scheduler != "default-scheduler";
            let step = match trouble {
                _ if waits => Step::Nothing,
                Some(Trouble::NodeGone) => unschedulable(pod, UNREACHABLE, now).map_or(Step::Nothing, Step::report),
                _ => Step::Schedule { claims: claims(pod) },
            };
            return (step, None);
        }
        Some(name) if name != NODE => return (Step::Nothing, None),
        Some(_) if trouble == Some(Trouble::NodeGone) => return (not_ready_step(pod, &before, now), None),
        Some(_) => {}
    }
    if pod.metadata.deletion_timestamp.is_some() {
        // After the grace period only finalizers keep the pod. Whoever waits to remove a finalizer has to see how the
        // pod ended.
        let step = match (pod.metadata.deletion_grace_period_seconds, pod.finalizers().is_empty() || over) {
            (Some(0), true) => Step::Nothing,
            (_, true) => Step::Remove,
            (_, false) => Step::Report(Box::new(stopped_pod_status(pod, &before, now))),
        };
        return (step, None);
    }
    if over {
        return (Step::Nothing, None);
    }
    let (after, again) = status(pod, &before, now, trouble, address);
    let own = |status: &PodStatus| PodStatus { conditions: own_conditions(status), ..status.clone() };
    let step = if own(&before) == after { Step::Nothing } else { Step::Report(Box::new(after)) };
    (step, again)
}

/// The reason why pods are not scheduled while the simulated node is unreachable.
const UNREACHABLE: &str = "1 node(s) had untolerated taint(s)";

/// Returns the step that marks a pod as not ready because the pod's node does not answer, as Kubernetes' node lifecycle
/// controller does. Returns `Step::Nothing` if the pod is already not ready or is being deleted. A pod that is being
/// deleted stays in the API server, because a node that does not answer cannot confirm the deletion.
fn not_ready_step(pod: &Pod, before: &PodStatus, now: &Time) -> Step {
    let ready = before.conditions.iter().position(|condition| condition.type_ == "Ready" && condition.status == "True");
    let Some(index) = ready.filter(|_| pod.metadata.deletion_timestamp.is_none()) else { return Step::Nothing };
    let mut after = before.clone();
    after.conditions[index] = condition(before, "Ready", Err(("NodeNotReady", "Node is not ready".to_owned())), now);
    Step::report(after)
}

impl Step {
    fn report(status: PodStatus) -> Step {
        Step::Report(Box::new(status))
    }
}

/// Returns the names of the `PersistentVolumeClaim`s that a pod mounts.
pub(super) fn claims(pod: &Pod) -> Vec<String> {
    let named =
        pod.spec.volumes.iter().filter_map(|volume| match (&volume.persistent_volume_claim, &volume.ephemeral) {
            (Some(source), _) => Some(source.claim_name.clone()),
            (None, Some(_)) => Some(format!("{}-{}", pod.name_any(), volume.name)),
            (None, None) => None,
        });
    named.collect()
}

/// Returns the status of a pod that cannot be scheduled for `reason`; `None` if the pod already has this status.
pub(super) fn unschedulable(pod: &Pod, reason: &str, now: &Time) -> Option<PodStatus> {
    let before = pod.status.clone().unwrap_or_default();
    let message = format!("0/1 nodes are available: {reason}.");
    let condition = condition(&before, "PodScheduled", Err(("Unschedulable", message)), now);
    let known = before.conditions.contains(&condition);
    (!known).then(|| PodStatus { conditions: vec![condition], ..before })
}

fn status(
    pod: &Pod,
    before: &PodStatus,
    now: &Time,
    trouble: Option<Trouble>,
    address: impl FnOnce() -> String,
) -> (PodStatus, Option<Duration>) {
    let spec = &pod.spec;
    let begun = before.start_time.clone().unwrap_or_else(|| now.clone());
    let name = format!("{}_{}", pod.name_any(), pod.namespace().unwrap_or_default());
    let uid = pod.uid().unwrap_or_default();
    let context = PodContext { uid: &uid, name: &name, restarts: spec.restart_policy, begun: &begun, now };
    let mut times = Vec::new();

    let mut init_statuses: Vec<ContainerStatus> = Vec::new();
    let mut initialized = true;
    for container in &spec.init_containers {
        if !initialized {
            init_statuses.push(not_yet(container));
            continue;
        }
        let known = find(&before.init_container_statuses, &container.name);
        let beside = container.restart_policy == Some(RestartPolicy::Always);
        let restarts = if beside { RestartPolicy::Always } else { context.restarts };
        let fate = Fate::of(&container.image, Fate::Runs);
        let (mut status, again) = containers::next(container, known, fate, PodContext { restarts, ..context });
        if fate == Fate::Runs && !beside {
            // An init container ends at once, because nobody waits to see it run.
            let ready = known.filter(|known| known.state.terminated.is_some()).cloned();
            status = ready.unwrap_or_else(|| ContainerStatus {
                ready: true,
                ..ended_status(status, 0, "Completed", now, context)
            });
        }
        times.extend(again);
        initialized = if beside { status.started == Some(true) } else { fate == Fate::Runs };
        init_statuses.push(status);
    }

    let fate = if context.restarts == RestartPolicy::Always { Fate::Runs } else { Fate::Completes };
    let mut statuses = Vec::new();
    for container in &spec.containers {
        if !initialized {
            statuses.push(not_yet(container));
            continue;
        }
        let known = find(&before.container_statuses, &container.name);
        // The status of a container that has not started is not a previous run.
        let known = known.filter(|known| !is_initializing(known));
        let fate = Fate::in_trouble(trouble).unwrap_or_else(|| Fate::of(&container.image, fate));
        let (status, again) = containers::next(container, known, fate, context);
        times.extend(again);
        statuses.push(status);
    }
    let failed_before = init_statuses.iter().any(|status| exit_code(status).is_some_and(|code| code != 0));
    let phase = match (initialized, failed_before) {
        (false, true) => Phase::Failed,
        (false, false) => Phase::Pending,
        (true, _) => phase(&statuses, context.restarts),
    };
    if matches!(phase, Phase::Succeeded | Phase::Failed) {
        let beside = init_statuses.iter_mut().filter(|status| status.state.running.is_some());
        beside.for_each(|status| *status = ended_status(status.clone(), 0, "Completed", &begun, context));
    }

    let pod_ip =
        before.pod_ip.clone().unwrap_or_else(|| if spec.host_network { NODE_ADDRESS.into() } else { address() });
    let mut after = PodStatus {
        phase,
        reason: before.reason.clone(),
        host_ip: Some(NODE_ADDRESS.to_owned()),
        host_ips: vec![Address { ip: NODE_ADDRESS.to_owned() }],
        pod_ips: vec![Address { ip: pod_ip.clone() }],
        pod_ip: Some(pod_ip),
        start_time: Some(begun.clone()),
        conditions: Vec::new(),
        init_container_statuses: init_statuses,
        container_statuses: statuses,
    };
    after.conditions = conditions(pod, before, &after, initialized, now);
    (after, times.into_iter().min())
}

/// Returns the status of a pod whose containers were stopped because the pod was deleted.
fn stopped_pod_status(pod: &Pod, before: &PodStatus, now: &Time) -> PodStatus {
    let uid = pod.uid().unwrap_or_default();
    let context = PodContext { uid: &uid, name: "", restarts: RestartPolicy::Never, begun: now, now };
    let stop = |statuses: &[ContainerStatus]| -> Vec<ContainerStatus> {
        let end = |status: &ContainerStatus| match &status.state.running {
            Some(running) => ended_status(status.clone(), 137, "Error", &running.started_at, context),
            None => status.clone(),
        };
        statuses.iter().map(end).collect()
    };
    let mut after = PodStatus {
        phase: Phase::Failed,
        init_container_statuses: stop(&before.init_container_statuses),
        container_statuses: stop(&before.container_statuses),
        ..before.clone()
    };
    after.conditions = conditions(pod, before, &after, true, now);
    after
}

fn phase(statuses: &[ContainerStatus], restarts: RestartPolicy) -> Phase {
    let has_run = |status: &ContainerStatus| status.state.waiting.is_none() || status.last_state.terminated.is_some();
    if !statuses.iter().all(has_run) {
        return Phase::Pending;
    }
    let over = statuses.iter().all(|status| status.state.terminated.is_some());
    if !over || restarts == RestartPolicy::Always {
        return Phase::Running;
    }
    let well = statuses.iter().all(|status| exit_code(status) == Some(0));
    if well { Phase::Succeeded } else { Phase::Failed }
}

const OWN_CONDITIONS: [&str; 4] = ["PodReadyToStartContainers", "Initialized", "ContainersReady", "Ready"];

fn own_conditions(status: &PodStatus) -> Vec<Condition> {
    let found = |type_: &&str| status.conditions.iter().find(|condition| condition.type_ == **type_).cloned();
    OWN_CONDITIONS.iter().filter_map(found).collect()
}

type Verdict = Result<(), (&'static str, String)>;

fn conditions(pod: &Pod, before: &PodStatus, after: &PodStatus, initialized: bool, now: &Time) -> Vec<Condition> {
    let names = |unready: Vec<&ContainerStatus>| {
        unready.into_iter().map(|status| status.name.as_str()).collect::<Vec<_>>().join(" ")
    };
    let over = match after.phase {
        Phase::Succeeded => Some("PodCompleted"),
        Phase::Failed => Some("PodFailed"),
        _ => None,
    };
    let init_verdict: Verdict = if initialized {
        Ok(())
    } else {
        let late = after.init_container_statuses.iter().filter(|status| exit_code(status) != Some(0)).collect();
        Err(("ContainersNotInitialized", format!("containers with incomplete status: [{}]", names(late))))
    };
    let unready: Vec<_> = after.container_statuses.iter().filter(|status| !status.ready).collect();
    let containers: Verdict = match over {
        Some(reason) => Err((reason, String::new())),
        None if unready.is_empty() => Ok(()),
        None => Err(("ContainersNotReady", format!("containers with unready status: [{}]", names(unready)))),
    };
    let gated =
        |type_: &str| !before.conditions.iter().any(|condition| condition.type_ == type_ && condition.status == "True");
    let gate = pod.spec.readiness_gates.iter().find(|gate| gated(&gate.condition_type));
    let ready = match gate {
        Some(gate) if containers.is_ok() => {
            let message = format!("the status of pod readiness gate \"{}\" is not \"True\"", gate.condition_type);
            Err(("ReadinessGatesNotReady", message))
        }
        _ => containers.clone(),
    };
    let started: Verdict = if over.is_some() { Err(("", String::new())) } else { Ok(()) };
    let verdicts = [started, init_verdict, containers, ready];
    OWN_CONDITIONS.into_iter().zip(verdicts).map(|(type_, verdict)| condition(before, type_, verdict, now)).collect()
}

/// Returns a condition of type `type_`: with status `True` if `verdict` is `Ok`, and otherwise with status `False` and
/// the reason and message in `verdict`. Keeps the transition time if `before` has the condition with the same status.
fn condition(before: &PodStatus, type_: &str, verdict: Verdict, now: &Time) -> Condition {
    let status = if verdict.is_ok() { "True" } else { "False" };
    let known = before.conditions.iter().find(|known| known.type_ == type_ && known.status == status);
    let (reason, message) = verdict.err().unwrap_or_default();
    Condition {
        type_: type_.to_owned(),
        status: status.to_owned(),
        last_transition_time: known.and_then(|known| known.last_transition_time.clone()).or_else(|| Some(now.clone())),
        reason: Some(reason.to_owned()).filter(|reason| !reason.is_empty()),
        message: Some(message).filter(|message| !message.is_empty()),
    }
}

fn find<'a>(statuses: &'a [ContainerStatus], name: &str) -> Option<&'a ContainerStatus> {
    statuses.iter().find(|status| status.name == name)
}

fn is_initializing(status: &ContainerStatus) -> bool {
    status.state.waiting.as_ref().is_some_and(|waiting| waiting.reason == "PodInitializing")
}

fn exit_code(status: &ContainerStatus) -> Option<i32> {
    status.state.terminated.as_ref().map(|terminated| terminated.exit_code)
}

#[cfg(test)]
mod tests;
