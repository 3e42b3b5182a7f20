//! The error for a Deployment that does not become ready, with its cause and the command line to run next.

use super::super::member::Member;
use super::observed::Observed;
use super::pod::{NotReady, trouble};
use super::verdict::{Cause, Stall, pod_refusal_reason};
use crate::Error;
use crate::cluster::operator::pod_events;
use crate::cluster::{Connection, RefusedBy};
use crate::error::{Hint, hint};
use crate::report::shortened;
use serde_json::Value;

/// The maximum number of log lines in the error.
const LINES: usize = 10;
/// The maximum number of messages about probes in the error.
const PROBES: usize = 2;
/// The maximum number of characters of a message about a probe.
const WIDTH: usize = 200;

/// A Deployment whose rollout has failed or timed out.
pub(super) struct Failure<'a> {
    pub(super) member: &'a Member,
    pub(super) observed: &'a Observed,
    /// The reason why the rollout makes no progress; `None` if the time limit passed without a known reason.
    pub(super) cause: Option<&'a Cause>,
    /// The newest event of the first pod with a container that has not started yet, as text, if the event is a warning;
    /// otherwise `None`.
    pub(super) warning: Option<&'a str>,
}

impl Failure<'_> {
    /// Returns the cause as one line of text; an empty text if the cause is not known.
    pub(super) fn reason(&self) -> String {
        match self.cause {
            Some(Cause::Deleted) => "it is being deleted".to_owned(),
            Some(Cause::Paused) => "it is paused: its pods are not updated".to_owned(),
            Some(
                Cause::DeadlineExceeded(message) | Cause::Refused(message) | Cause::Stalled(Stall { message, .. }),
            ) => message.clone(),
            Some(Cause::Pod(trouble)) => format!("pod `{}`: {}", trouble.pod, trouble.reason),
            None => String::new(),
        }
    }

    /// Returns the error for the rollout. `waited` is the last progress message if the rollout failed because the time
    /// limit passed; otherwise `None`.
    pub(super) async fn error(&self, connection: &Connection, waited: Option<&str>) -> Error {
        let (name, namespace) = (self.member.name(), self.member.namespace().unwrap_or_default());
        let error = Error::cluster(format!("`{name}` does not run"));
        let status = &self.observed.deployment.data["status"];
        if self.cause.is_none() && status["observedGeneration"].is_null() {
            return error
                .caused_by("no controller in the cluster handles Deployments: kube-controller-manager is not running")
                .hint(connection.target.opctl(hint!(
                    "deploy{} --wait=false    # applies the objects without waiting until the \
                                      operator runs",
                    self.image()
                )));
        }
        let no_progress = match self.cause {
            Some(Cause::DeadlineExceeded(message)) => Some(message.clone()),
            Some(Cause::Stalled(Stall { message, deadline, .. })) => {
                let seconds = deadline.as_secs();
                Some(format!("{message}, and no progress in {seconds} s (`progressDeadlineSeconds`)"))
            }
            _ => None,
        };
        let cause = self.cause.filter(|_| no_progress.is_none()).cloned();
        let error = waited.map(str::to_owned).into_iter().chain(no_progress).fold(error, Error::caused_by);
        match cause.or_else(|| self.guess()) {
            Some(Cause::Refused(message)) => {
                let refusal = RefusedBy::of(&message);
                let error = error.caused_by(format!("{} refuses its pods", refusal.authority())).caused_by(message);
                error.hint(refusal.hint(connection, Some(namespace)))
            }
            Some(Cause::Pod(trouble)) => {
                let error = error.caused_by(format!("pod `{}`: {}", trouble.pod, trouble.reason));
                let error = self.warning.into_iter().map(str::to_owned).fold(error, Error::caused_by);
                add_container_details(error, connection, namespace, &trouble).await
            }
            Some(Cause::Paused) => error.caused_by(self.reason()).hint(connection.kubectl(hint!(
                "rollout resume deployment {name} --namespace {namespace}",
                name,
                namespace
            ))),
            Some(_) => error.caused_by(self.reason()).hint(connection.kubectl(hint!(
                "wait --for=delete deployment/{name} --namespace {namespace}    # then run the same command again",
                name,
                namespace
            ))),
            None => error.hint(connection.kubectl(hint!(
                "describe deployment {name} --namespace {namespace}",
                name,
                namespace
            ))),
        }
    }

    /// Returns the flag `--image` with the current image, for a command line that runs `deploy` again.
    fn image(&self) -> Hint {
        let containers = self.member.object.data.pointer("/spec/template/spec/containers").and_then(Value::as_array);
        let manager = containers.and_then(|all| all.iter().find(|container| container["name"] == "manager"));
        let image = manager.and_then(|container| container["image"].as_str());
        image.map(|image| hint!(" --image {image}", image)).unwrap_or_default()
    }

    /// Returns the likeliest cause of a rollout that has timed out without a known cause; `None` if neither a refusal
    /// of
    /// the API server nor the state of a pod shows a cause.
    fn guess(&self) -> Option<Cause> {
        let refused = self.observed.set().and_then(pod_refusal_reason).map(Cause::Refused);
        refused.or_else(|| self.observed.pods().find_map(trouble).map(Cause::Pod))
    }
}

/// Adds to `error` the failed probes and the last log lines of the container that `trouble` names, and a hint with a
/// kubectl command line. If `trouble` names no container, adds only the hint.
async fn add_container_details(
    mut error: Error,
    connection: &Connection,
    namespace: &str,
    trouble: &NotReady,
) -> Error {
    let NotReady { pod, logged, .. } = trouble;
    let Some(container) = logged else {
        return error.hint(connection.kubectl(hint!("describe pod {pod} --namespace {namespace}", pod, namespace)));
    };
    for failed in failed_probes(connection, namespace, pod).await {
        error = error.caused_by(failed);
    }
    for line in last_lines(connection, namespace, pod, container).await {
        error = error.caused_by(format!("{container}: {line}"));
    }
    error.hint(connection.kubectl(hint!(
        "logs {pod} --container {container} --namespace {namespace}",
        pod,
        container,
        namespace
    )))
}

/// Returns the kubelet's messages about failed probes of the pod, the most frequent message first.
async fn failed_probes(connection: &Connection, namespace: &str, pod: &str) -> Vec<String> {
    // Whoever may not read events gets the other causes.
    let events = pod_events::read(connection, namespace, pod).await;
    let mut said: Vec<(String, i32)> = Vec::new();
    for event in events.into_iter().filter(|event| event.reason.as_deref() == Some("Unhealthy")) {
        let (message, count) = (shortened(&event.message.unwrap_or_default(), WIDTH), event.count.unwrap_or(1));
        match said.iter_mut().find(|(known, _)| *known == message) {
            Some((_, known)) => *known += count,
            None => said.push((message, count)),
        }
    }
    said.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let line = |(message, count): (String, i32)| match count {
        1 => message,
        _ => format!("{message} ({count} times)"),
    };
    said.into_iter().take(PROBES).map(line).collect()
}

/// Returns the last log lines of the container's previous run, or else of its current run.
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
