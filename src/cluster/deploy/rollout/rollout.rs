//! A Deployment that was applied, and the wait until its rollout is complete.

use super::failure::Failure;
use super::observed::Observed;
use super::pod::{before_start, runs_a_program, scheduling_failure};
use super::verdict::{self, Cause, Verdict, judge};
use crate::cluster::Connection;
use crate::cluster::apply::Applied;
use crate::cluster::deploy::member::Member;
use crate::cluster::operator::pod_events;
use crate::{Error, Result};
use kube::api::DynamicObject;
use serde_json::Value;
use std::time::{Duration, Instant};

/// The interval between two polls.
const PAUSE: Duration = Duration::from_millis(300);
/// The least interval between two requests for the events of a pod that does not start.
const EVENTS: Duration = Duration::from_secs(1);

/// A Deployment that was applied, with its state right after the apply.
#[derive(Clone, Debug)]
pub(in crate::cluster::deploy) struct Rollout {
    member: Member,
    uid: Option<String>,
    images: Vec<Value>,
    /// The condition `Progressing` as read right after the apply, if its status was `False` and the apply started a new
    /// rollout: the condition is then about the previous rollout. Otherwise `None`.
    earlier: Option<Value>,
}

impl Rollout {
    pub(in crate::cluster::deploy) fn of(member: &Member, applied: &Applied) -> Self {
        let Applied { before, after } = applied;
        let is_new = before.as_ref().is_none_or(|before| before.metadata.generation != after.metadata.generation);
        Rollout {
            member: member.clone(),
            uid: after.metadata.uid.clone(),
            images: images(after),
            earlier: verdict::failing(after).filter(|_| is_new).cloned(),
        }
    }

    /// Waits until the Deployment is rolled out, at most until `deadline`; passes progress messages to `progress`.
    /// Returns true if a program runs in at least one of the Deployment's pods; the pods of a simulated node, for
    /// example,
    /// run no program.
    ///
    /// # Errors
    /// Fails if the Deployment does not become ready, with the reason and the last log lines of its pods, or if another
    /// user changes or deletes the Deployment during the wait.
    pub(in crate::cluster::deploy) async fn wait(
        &self,
        connection: &Connection,
        deadline: Instant,
        mut progress: impl FnMut(&str),
    ) -> Result<bool> {
        let mut last = String::new();
        let mut stuck: Option<(Cause, Instant)> = None;
        let mut warning = Warning::default();
        loop {
            let Some(observed) = Observed::look(connection, &self.member).await? else {
                return Err(self.deployment_replaced_error("it was deleted"));
            };
            if observed.deployment.metadata.uid != self.uid {
                return Err(self.deployment_replaced_error("it was deleted and created again with the same name"));
            }
            let found = images(&observed.deployment);
            if found != self.images {
                let found: Vec<&str> = found.iter().filter_map(Value::as_str).collect();
                return Err(self.deployment_replaced_error(&format!(
                    "another deployment has set its image to `{}`",
                    found.join("`, `")
                )));
            }
            let warning = warning.of(connection, &observed).await;
            let (message, cause) = match judge(&observed, self.earlier.as_ref()) {
                Verdict::Done => return Ok(observed.pods().any(runs_a_program)),
                Verdict::Waiting(message) => (message, None),
                Verdict::Stuck(cause, patience) => {
                    let same = stuck.take().filter(|(before, _)| *before == cause);
                    let since = same.map_or_else(Instant::now, |(_, since)| since);
                    let failure = Failure { member: &self.member, observed: &observed, cause: Some(&cause), warning };
                    let is_known = !matches!(cause, Cause::Stalled(_));
                    if since.elapsed() >= patience || (is_known && Instant::now() >= deadline) {
                        return Err(failure.error(connection, None).await);
                    }
                    (failure.reason(), Some((cause, since)))
                }
            };
            stuck = cause;
            if Instant::now() >= deadline {
                let failure = Failure { member: &self.member, observed: &observed, cause: None, warning };
                return Err(failure.error(connection, Some(&message)).await);
            }
            let reason = observed.pods().find_map(scheduling_failure).or_else(|| warning.map(str::to_owned));
            let message = reason.map_or(message.clone(), |reason| format!("{message}: {reason}"));
            if message != last {
                progress(&message);
                last = message;
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    fn deployment_replaced_error(&self, cause: &str) -> Error {
        Error::conflict(format!(
            "the Deployment `{}` was replaced while opctl waited for its rollout",
            self.member.name()
        ))
        .caused_by(cause)
        .hint("run the same command again when no other deployment is in progress")
    }
}

/// The newest event of a pod with a container that has not started yet, as text, if the event is a warning; otherwise
/// no text.
#[derive(Default)]
struct Warning {
    /// The time at which the events were last read; `None` if they have not been read yet.
    read: Option<Instant>,
    text: Option<String>,
}

impl Warning {
    /// Returns the warning for the first pod in `observed` that has a container which has not started yet; `None` if
    /// there
    /// is no such pod or no warning. Reads the pod's events at most once in the time [`EVENTS`], and otherwise returns
    /// the
    /// warning that was read last.
    async fn of(&mut self, connection: &Connection, observed: &Observed) -> Option<&str> {
        let Some(pod) = observed.pods().find_map(before_start) else {
            *self = Warning::default();
            return None;
        };
        if self.read.is_none_or(|read| read.elapsed() >= EVENTS) {
            let namespace = observed.deployment.metadata.namespace.as_deref().unwrap_or_default();
            self.text = pod_events::start_warning(connection, namespace, &pod).await;
            self.read = Some(Instant::now());
        }
        self.text.as_deref()
    }
}

fn images(deployment: &DynamicObject) -> Vec<Value> {
    let containers = deployment.data.pointer("/spec/template/spec/containers").and_then(Value::as_array);
    containers.into_iter().flatten().map(|container| container["image"].clone()).collect()
}
