//! Judges a rollout from one look at a Deployment: done, going on, or failed.
//!
//! The Deployment's own status is of all its templates: `observedGeneration` may be behind, `ProgressDeadlineExceeded`
//! stays from an earlier template until there is progress, and `ReplicaFailure` may be an old `ReplicaSet`'s
//! (`pkg/controller/deployment/{progress,sync}.go` of Kubernetes). So only what belongs to the template of now counts.
//!
//! Nor does the controller always say that there is no progress. Where a `ReplicaSet` is used again, the condition is not
//! set back: it stays `ProgressDeadlineExceeded`, or stays `NewReplicaSetAvailable` when the old pods have gone first.
//! So the same deadline is measured here as well.

use super::observed::Observed;
use super::pod::{Trouble, hopeless, is_ready};
use crate::cluster::condition::condition;
use kube::api::DynamicObject;
use serde_json::Value;
use std::time::Duration;

/// A refusal may pass: the controllers try again, soon at first.
const REFUSED: Duration = Duration::from_secs(10);
/// The controllers keep the first message of a refusal, so that an earlier template's looks like this one's.
const REFUSED_BEFORE: Duration = Duration::from_secs(30);
/// The controller may count time from before the spec was applied; it takes that back as soon as a pod is made.
const EXCEEDED: Duration = Duration::from_secs(5);
/// The controller says it first where it can: it is a second late, and its times have no fractions.
const SLACK: Duration = Duration::from_secs(5);

/// The state of a rollout in one poll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// All pods are there, of this template, and ready.
    Done,
    /// It is on its way.
    Waiting(String),
    /// It gets no further by itself; to be believed when it has been so for the given time.
    Stuck(Cause, Duration),
}

/// Why it gets no further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// It is being deleted.
    Deleted,
    /// It is paused.
    Paused,
    /// Its own deadline has passed, with the controller's message.
    DeadlineExceeded(String),
    /// It has come no further, and the controller does not say that its deadline has passed.
    Stalled(Stall),
    /// The API server refuses its pods or its `ReplicaSet`, with the server's message.
    Refused(String),
    /// A pod cannot run.
    Pod(Trouble),
}

/// A state of the rollout, and the time that it may last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stall {
    pub(super) counts: Counts,
    /// The state that has yet to be reached.
    pub(super) message: String,
    /// Its `progressDeadlineSeconds`.
    pub(super) deadline: Duration,
}

/// The pods that the Deployment counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    /// Of all templates.
    all: usize,
    /// Of this template.
    updated: usize,
    ready: usize,
    available: usize,
}

impl Counts {
    fn of(status: &Value) -> Self {
        let count = |key: &str| usize::try_from(number(&status[key])).unwrap_or(0);
        let [all, updated, ready, available] =
            ["replicas", "updatedReplicas", "readyReplicas", "availableReplicas"].map(count);
        Counts { all, updated, ready, available }
    }
}

/// Judges `observed`. `earlier` is the condition that the Deployment had when its present spec was applied, if that was
/// another spec than before: what is unchanged since then is of the past.
pub(super) fn judge(observed: &Observed, earlier: Option<&Value>) -> Verdict {
    let deployment = &observed.deployment;
    let status = &deployment.data["status"];
    if deployment.metadata.deletion_timestamp.is_some() {
        return Verdict::Stuck(Cause::Deleted, Duration::ZERO);
    }
    let failing = failing(deployment);
    let is_seen = number(&status["observedGeneration"]) >= deployment.metadata.generation.unwrap_or_default();
    let is_paused = deployment.data["spec"]["paused"] == true;
    // The strategy `Recreate` makes nothing before the old pods have gone, not even its `ReplicaSet`.
    if is_seen && !is_paused && deployment.data["spec"]["strategy"]["type"] == "Recreate" {
        let old_pods = observed.old_pods().count();
        if old_pods > 0 && observed.frees_something() {
            return Verdict::Waiting(old("terminating", old_pods));
        }
        if old_pods > 0 {
            return stalled(deployment, old("running", old_pods));
        }
    }
    let Some(set) = observed.set() else {
        // This one is written without the generation, which is not observed then.
        if let Some(refused) = failing.filter(|condition| condition["reason"] == "ReplicaSetCreateError") {
            let patience = if Some(refused) == earlier { REFUSED_BEFORE } else { REFUSED };
            return Verdict::Stuck(Cause::Refused(message(refused)), patience);
        }
        if is_seen && is_paused {
            return Verdict::Stuck(Cause::Paused, Duration::ZERO);
        }
        return unseen();
    };
    if !is_seen {
        return unseen();
    }
    let Some(message) = lacking(observed) else { return Verdict::Done };
    if let Some((trouble, patience)) = observed.pods().find_map(hopeless) {
        return Verdict::Stuck(Cause::Pod(trouble), patience);
    }
    // What they take, such as a quota, is free in a moment.
    if observed.frees_something() {
        return Verdict::Waiting(message);
    }
    if observed.pods().count() < number_wanted(deployment)
        && let Some(refused) = refused(set)
    {
        return Verdict::Stuck(Cause::Refused(refused), REFUSED);
    }
    let exceeded = failing.filter(|condition| condition["reason"] == "ProgressDeadlineExceeded");
    if let Some(exceeded) = exceeded.filter(|condition| Some(*condition) != earlier && names(condition, set)) {
        return Verdict::Stuck(Cause::DeadlineExceeded(self::message(exceeded)), EXCEEDED);
    }
    if is_paused { Verdict::Waiting(message) } else { stalled(deployment, message) }
}

/// It may stay as it is for its own deadline.
fn stalled(deployment: &DynamicObject, message: String) -> Verdict {
    match deployment.data["spec"]["progressDeadlineSeconds"].as_u64().map(Duration::from_secs) {
        Some(deadline) => {
            let counts = Counts::of(&deployment.data["status"]);
            Verdict::Stuck(Cause::Stalled(Stall { counts, message, deadline }), deadline + SLACK)
        }
        None => Verdict::Waiting(message),
    }
}

/// The condition that says that the rollout does not go on, whichever it is of.
pub(super) fn failing(deployment: &DynamicObject) -> Option<&Value> {
    condition(&deployment.data, "Progressing").filter(|condition| condition["status"] == "False")
}

/// Returns the API server's reason for refusing the pods of a `ReplicaSet`.
pub(super) fn refused(set: &DynamicObject) -> Option<String> {
    condition(&set.data, "ReplicaFailure").filter(|failure| failure["reason"] == "FailedCreate").map(message)
}

fn unseen() -> Verdict {
    Verdict::Waiting("for the Deployment controller".to_owned())
}

/// The missing state by the rules of `kubectl rollout status` (`kubectl/pkg/polymorphichelpers/rollout_status.go`), and of the
/// pods themselves: the counts of a `ReplicaSet` that is used again may be from before it was scaled down.
fn lacking(observed: &Observed) -> Option<String> {
    let Counts { all, updated, available, .. } = Counts::of(&observed.deployment.data["status"]);
    let wanted = number_wanted(&observed.deployment);
    if updated < wanted {
        return Some(format!("{updated} of {wanted} pods are created"));
    }
    let ready = available.min(observed.pods().filter(|pod| is_ready(pod)).count());
    if ready < wanted {
        return Some(format!("{ready} of {wanted} pods are ready"));
    }
    let old_pods = all.saturating_sub(wanted);
    (old_pods > 0).then(|| old("terminating", old_pods))
}

fn old(doing: &str, pods: usize) -> String {
    format!("{pods} old pod{} still {doing}", if pods == 1 { "" } else { "s" })
}

/// True if the message is of this `ReplicaSet`: it is `ReplicaSet "name" has timed out progressing.`
fn names(condition: &Value, set: &DynamicObject) -> bool {
    let message = message(condition);
    !message.starts_with("ReplicaSet \"")
        || message.contains(&format!("\"{}\"", set.metadata.name.as_deref().unwrap_or_default()))
}

fn number_wanted(deployment: &DynamicObject) -> usize {
    deployment.data["spec"]["replicas"].as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or(1)
}

fn number(value: &Value) -> i64 {
    value.as_i64().unwrap_or_default()
}

fn message(condition: &Value) -> String {
    condition["message"].as_str().unwrap_or_default().to_owned()
}
