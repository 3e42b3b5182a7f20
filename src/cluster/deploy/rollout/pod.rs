//! Finds the reason why a pod is not ready, and judges if the pod can still become ready.

use crate::cluster::operator::pod_events::is_before_start;
use crate::cluster::request::condition::{condition, is_true};
use crate::report::shortened;
use kube::api::DynamicObject;
use serde_json::Value;
use std::time::Duration;

/// Reasons in a container's `waiting` state that fail the rollout at once, because waiting longer does not help.
const HOPELESS: &[&str] = &["ErrImageNeverPull", "ImagePullBackOff", "InvalidImageName"];

/// Reasons in a container's `waiting` state that disappear once a missing object, such as a Secret, is created.
const LACKING: &[&str] = &["CreateContainerConfigError", "CreateContainerError"];

/// The time within which a missing object may still be created before the pod counts as failed.
const LACK: Duration = Duration::from_secs(15);

/// The time that a repeatedly restarted container may take to become ready.
const UNREADY: Duration = Duration::from_secs(15);

/// The maximum number of characters of a message of the kubelet or of the scheduler.
const MESSAGE: usize = 300;

/// The number of restarts that is normal for a new pod: the network, a certificate or the API server may be late.
const HARMLESS_RESTARTS: i64 = 1;

/// The reason why a pod is not ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NotReady {
    /// The name of the pod that is not ready.
    pub(super) pod: String,
    /// The reason, as text for a person.
    pub(super) reason: String,
    /// The name of the container that is not ready, if it has run and so may have a log; otherwise `None`.
    pub(super) logged: Option<String>,
}

pub(super) fn is_ready(pod: &DynamicObject) -> bool {
    is_true(&pod.data, "Ready")
}

/// Returns true if a program runs in the pod. The pods of a simulated node run no program.
pub(super) fn runs_a_program(pod: &DynamicObject) -> bool {
    let mut ids = containers(pod).filter_map(|container| container["containerID"].as_str());
    ids.any(|id| !id.starts_with("simulated://"))
}

/// Returns the reason why the pod cannot become ready, and how long the reason must last before the rollout fails;
/// `None` if the pod may still become ready.
pub(super) fn hopeless(pod: &DynamicObject) -> Option<(NotReady, Duration)> {
    let patience = |container: &Value| {
        let reason = container["state"]["waiting"]["reason"].as_str()?;
        match reason {
            "CrashLoopBackOff" if container["restartCount"].as_i64() > Some(HARMLESS_RESTARTS) => Some(Duration::ZERO),
            _ if HOPELESS.contains(&reason) => Some(Duration::ZERO),
            _ if LACKING.contains(&reason) => Some(LACK),
            _ => None,
        }
    };
    // The kubelet ends a container whose probes fail, and starts it again without a pause.
    let patience = |container: &Value| {
        let runs_again = container["state"]["running"].is_object()
            && container["ready"] != true
            && container["restartCount"].as_i64() > Some(HARMLESS_RESTARTS);
        patience(container).or(runs_again.then_some(UNREADY))
    };
    containers(pod).find_map(|container| Some((of_container(pod, container)?, patience(container)?)))
}

/// Returns the reason why the pod is not ready now, from the state of a container or from the scheduler; `None` if
/// neither gives a reason.
pub(super) fn trouble(pod: &DynamicObject) -> Option<NotReady> {
    let mut unready = containers(pod).filter(|container| container["ready"] != true);
    if let Some(trouble) = unready.find_map(|container| of_container(pod, container)) {
        return Some(trouble);
    }
    Some(NotReady { pod: name(pod), reason: scheduling_failure(pod)?, logged: None })
}

/// Returns the pod's name if a container of the pod has not started yet; otherwise `None`.
pub(super) fn before_start(pod: &DynamicObject) -> Option<String> {
    let mut waiting = containers(pod).filter_map(|container| container["state"]["waiting"]["reason"].as_str());
    waiting.any(is_before_start).then(|| name(pod))
}

/// Returns the scheduler's reason why no node can run the pod; `None` if the scheduler reports no failure.
pub(super) fn scheduling_failure(pod: &DynamicObject) -> Option<String> {
    let condition = condition(&pod.data, "PodScheduled").filter(|condition| condition["status"] == "False")?;
    let message = condition["message"].as_str().unwrap_or_default();
    Some(format!("no node can run the pod: {}", shortened(message, MESSAGE)))
}

fn of_container(pod: &DynamicObject, container: &Value) -> Option<NotReady> {
    let name_of_it = container["name"].as_str().unwrap_or_default();
    let text = |state: &Value, key: &str| state[key].as_str().unwrap_or_default().to_owned();
    let (now, before) = (&container["state"], &container["lastState"]["terminated"]);
    let ended = if now["terminated"].is_object() { &now["terminated"] } else { before };
    let (reason, logged) = if ended.is_object() {
        let (reason, code, restarts) = (text(ended, "reason"), &ended["exitCode"], &container["restartCount"]);
        let why = shortened(&text(ended, "message"), MESSAGE);
        let why = if why.is_empty() { why } else { format!(": {why}") };
        (format!("container `{name_of_it}` exited with code {code} ({reason}), {restarts} restarts{why}"), true)
    } else if now["waiting"].is_object() {
        let (reason, message) = (text(&now["waiting"], "reason"), text(&now["waiting"], "message"));
        (format!("`{name_of_it}` waits: {reason} {message}").trim_end().to_owned(), false)
    } else if now["running"].is_object() {
        (format!("container `{name_of_it}` is running but not ready"), true)
    } else {
        return None;
    };
    Some(NotReady { pod: name(pod), reason, logged: logged.then(|| name_of_it.to_owned()) })
}

fn containers(pod: &DynamicObject) -> impl Iterator<Item = &Value> {
    let statuses = |key: &str| pod.data["status"][key].as_array().into_iter().flatten();
    statuses("initContainerStatuses").chain(statuses("containerStatuses"))
}

fn name(pod: &DynamicObject) -> String {
    pod.metadata.name.clone().unwrap_or_default()
}
