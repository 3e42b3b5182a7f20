//! Whether what was deployed runs, and why not.

use super::member::Member;
use crate::cluster::{Attempt, Connection, request_error};
use crate::{Error, Result};
use kube::Api;
use kube::api::{ApiResource, DynamicObject, ListParams};
use kube::core::GroupVersionKind;
use serde_json::Value;
use std::time::{Duration, Instant};

/// Reasons of a waiting container that waiting does not cure: the kubelet has tried more than once.
const HOPELESS: &[&str] =
    &["CrashLoopBackOff", "CreateContainerConfigError", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull"];

/// How many lines of a log are shown.
const LINES: usize = 10;

/// Waits until the Deployment `member` runs as it says, at most until `deadline`; `progress` hears what is waited for.
///
/// # Errors
/// One that does not come up: with the reason that its pods give, and their last log lines.
pub(super) async fn wait(
    connection: &Connection,
    member: &Member,
    deadline: Instant,
    mut progress: impl FnMut(&str),
) -> Result<()> {
    let api = member.api(&connection.client);
    let attempt = Attempt { verb: "get", resource: "deployments", name: member.name() };
    let mut last = String::new();
    loop {
        let live = api.get(member.name()).await.map_err(|error| request_error(&error, connection, attempt))?;
        let state = State::of(&live.data, live.metadata.generation.unwrap_or_default());
        match &state {
            State::Done => return Ok(()),
            State::Waiting(message) => {
                if *message != last {
                    progress(message);
                    last.clone_from(message);
                }
            }
            State::Failed(_) => {}
        }
        let pods = pods(connection, &live).await?;
        let hopeless = pods.iter().any(is_hopeless);
        if hopeless || matches!(state, State::Failed(_)) || Instant::now() >= deadline {
            return Err(failure(connection, member, &live.data, &state, &pods).await);
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
}

enum State {
    Done,
    Waiting(String),
    Failed(String),
}

impl State {
    /// The rules of `kubectl rollout status` (`kubectl/pkg/polymorphichelpers/rollout_status.go`).
    fn of(deployment: &Value, generation: i64) -> Self {
        let status = &deployment["status"];
        let number = |value: &Value| value.as_i64().unwrap_or_default();
        if number(&status["observedGeneration"]) < generation {
            return State::Waiting("no controller has seen the Deployment yet".to_owned());
        }
        if let Some(message) = condition(status, "Progressing", "ProgressDeadlineExceeded") {
            return State::Failed(message);
        }
        let wanted = deployment["spec"]["replicas"].as_i64().unwrap_or(1);
        let (replicas, updated) = (number(&status["replicas"]), number(&status["updatedReplicas"]));
        let available = number(&status["availableReplicas"]);
        if updated < wanted {
            return State::Waiting(format!("{updated} of {wanted} pods are made"));
        }
        if replicas > updated {
            return State::Waiting(format!("old pods that have still to go: {}", replicas - updated));
        }
        if available < updated {
            return State::Waiting(format!("{available} of {updated} pods are ready"));
        }
        State::Done
    }
}

/// The message of the condition `kind`, if `reason` is its reason.
fn condition(status: &Value, kind: &str, reason: &str) -> Option<String> {
    let conditions = status["conditions"].as_array()?;
    let found = conditions.iter().find(|condition| condition["type"] == kind && condition["reason"] == reason)?;
    Some(found["message"].as_str().unwrap_or(reason).to_owned())
}

/// The pods that were made of the Deployment as it is now: an older one that fails says nothing about it.
async fn pods(connection: &Connection, deployment: &DynamicObject) -> Result<Vec<DynamicObject>> {
    let labels = deployment.data["spec"]["selector"]["matchLabels"].as_object();
    let labels = labels.into_iter().flatten();
    let selector: Vec<String> =
        labels.filter_map(|(name, value)| Some(format!("{name}={}", value.as_str()?))).collect();
    let namespace = deployment.metadata.namespace.as_deref().unwrap_or_default();
    let selector = selector.join(",");
    let replica_sets = list(connection, namespace, ("apps", "ReplicaSet", "replicasets"), &selector).await?;
    let revision = |object: &DynamicObject| {
        object.metadata.annotations.as_ref().and_then(|all| all.get("deployment.kubernetes.io/revision")).cloned()
    };
    let newest = replica_sets.iter().find(|set| revision(set).is_some() && revision(set) == revision(deployment));
    let hash =
        |object: &DynamicObject| object.metadata.labels.as_ref().and_then(|all| all.get("pod-template-hash")).cloned();
    let Some(newest) = newest else { return Ok(Vec::new()) };
    let pods = list(connection, namespace, ("", "Pod", "pods"), &selector).await?;
    Ok(pods.into_iter().filter(|pod| hash(pod) == hash(newest)).collect())
}

async fn list(
    connection: &Connection,
    namespace: &str,
    (group, kind, plural): (&str, &str, &str),
    selector: &str,
) -> Result<Vec<DynamicObject>> {
    let resource = ApiResource::from_gvk_with_plural(&GroupVersionKind::gvk(group, "v1", kind), plural);
    let api: Api<DynamicObject> = Api::namespaced_with(connection.client.clone(), namespace, &resource);
    let list = api.list(&ListParams::default().labels(selector)).await;
    let attempt = Attempt { verb: "list", resource: plural, name: plural };
    Ok(list.map_err(|error| request_error(&error, connection, attempt))?.items)
}

fn containers(pod: &DynamicObject) -> impl Iterator<Item = &Value> {
    let statuses = |key: &str| pod.data["status"][key].as_array().into_iter().flatten();
    statuses("initContainerStatuses").chain(statuses("containerStatuses"))
}

fn is_hopeless(pod: &DynamicObject) -> bool {
    containers(pod).any(|container| {
        let reason = container["state"]["waiting"]["reason"].as_str();
        reason.is_some_and(|reason| HOPELESS.contains(&reason))
    })
}

async fn failure(
    connection: &Connection,
    member: &Member,
    deployment: &Value,
    state: &State,
    pods: &[DynamicObject],
) -> Error {
    let name = member.name();
    let namespace = member.namespace().unwrap_or_default();
    let mut error = Error::cluster(format!("`{name}` does not run"));
    if let State::Waiting(message) | State::Failed(message) = state {
        error = error.caused_by(message);
    }
    let status = &deployment["status"];
    if let Some(message) = condition(status, "ReplicaFailure", "FailedCreate") {
        return error.caused_by(message).hint("mend `config/manager/manager.yaml`, then run the same command again");
    }
    if status["observedGeneration"].is_null() {
        return error
            .caused_by("nothing in the cluster looks at Deployments: kube-controller-manager does not run")
            .hint("opctl deploy --wait=false    # applies, and does not wait");
    }
    let troubles: Vec<(&DynamicObject, Trouble)> =
        pods.iter().filter_map(|pod| Some((pod, Trouble::of(pod)?))).collect();
    let Some((pod, trouble)) = troubles.first() else {
        return error.hint(format!("kubectl describe deployment {name} --namespace {namespace}"));
    };
    let pod = pod.metadata.name.as_deref().unwrap_or_default();
    error = error.caused_by(format!("pod `{pod}`: {}", trouble.reason));
    if let Some(container) = &trouble.logged {
        for line in last_lines(connection, namespace, pod, container).await {
            error = error.caused_by(format!("{container}: {line}"));
        }
        return error.hint(format!("kubectl logs {pod} --container {container} --namespace {namespace}"));
    }
    error.hint(format!("kubectl describe pod {pod} --namespace {namespace}"))
}

/// Why a pod is not ready.
struct Trouble {
    reason: String,
    /// The container that said something.
    logged: Option<String>,
}

impl Trouble {
    fn of(pod: &DynamicObject) -> Option<Self> {
        for container in containers(pod).filter(|container| container["ready"] != true) {
            let name = container["name"].as_str().unwrap_or_default();
            let text = |state: &Value, key: &str| state[key].as_str().unwrap_or_default().to_owned();
            let (now, before) = (&container["state"], &container["lastState"]["terminated"]);
            let ended = if now["terminated"].is_object() { &now["terminated"] } else { before };
            if ended.is_object() {
                let (reason, code) = (text(ended, "reason"), &ended["exitCode"]);
                let restarts = &container["restartCount"];
                let reason = format!("`{name}` ended with exit code {code} ({reason}), {restarts} restarts");
                return Some(Trouble { reason, logged: Some(name.to_owned()) });
            }
            let waiting = &now["waiting"];
            if waiting.is_object() {
                let reason = format!("`{name}` waits: {} {}", text(waiting, "reason"), text(waiting, "message"));
                return Some(Trouble { reason: reason.trim_end().to_owned(), logged: None });
            }
            if now["running"].is_object() {
                let reason = format!("`{name}` runs and is not ready");
                return Some(Trouble { reason, logged: Some(name.to_owned()) });
            }
        }
        let conditions = pod.data["status"]["conditions"].as_array()?;
        let unscheduled = conditions
            .iter()
            .find(|condition| condition["type"] == "PodScheduled" && condition["status"] == "False")?;
        let message = unscheduled["message"].as_str().unwrap_or_default();
        Some(Trouble { reason: format!("no node takes it: {message}"), logged: None })
    }
}

/// The last lines of the container's log: of the run that ended, where there is one.
async fn last_lines(connection: &Connection, namespace: &str, pod: &str, container: &str) -> Vec<String> {
    for previous in ["&previous=true", ""] {
        let path =
            format!("/api/v1/namespaces/{namespace}/pods/{pod}/log?container={container}&tailLines={LINES}{previous}");
        let Ok(request) = http::Request::get(path).body(Vec::new()) else { continue };
        if let Ok(text) = connection.client.request_text(request).await
            && !text.trim().is_empty()
        {
            return text.lines().map(str::to_owned).collect();
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn state(status: &Value) -> String {
        match State::of(&json!({"spec": {"replicas": 2}, "status": status}), 3) {
            State::Done => "done".to_owned(),
            State::Waiting(message) => message,
            State::Failed(message) => format!("failed: {message}"),
        }
    }

    #[test]
    fn a_rollout_is_judged_as_kubectl_judges_it() {
        let exceeded = json!([{"type": "Progressing", "reason": "ProgressDeadlineExceeded", "message": "late"}]);
        for (status, expected) in [
            (json!({}), "no controller has seen the Deployment yet"),
            (json!({"observedGeneration": 2, "updatedReplicas": 2}), "no controller has seen the Deployment yet"),
            (json!({"observedGeneration": 3, "updatedReplicas": 1}), "1 of 2 pods are made"),
            (
                json!({"observedGeneration": 3, "replicas": 3, "updatedReplicas": 2}),
                "old pods that have still to go: 1",
            ),
            (json!({"observedGeneration": 3, "replicas": 2, "updatedReplicas": 2}), "0 of 2 pods are ready"),
            (json!({"observedGeneration": 3, "conditions": exceeded}), "failed: late"),
            (json!({"observedGeneration": 3, "replicas": 2, "updatedReplicas": 2, "availableReplicas": 2}), "done"),
        ] {
            assert_eq!(state(&status), expected, "{status}");
        }
    }
}
