//! Judges from one observation of a Deployment if its rollout is done, in progress, or stuck.
//!
//! The status of a Deployment covers all its templates: `observedGeneration` may be behind, `ProgressDeadlineExceeded`
//! stays from an earlier template until there is progress, and `ReplicaFailure` may come from an old `ReplicaSet`
//! (`pkg/controller/deployment/{progress,sync}.go` of Kubernetes). So only the conditions of the current template
//! count.
//!
//! The Deployment controller does not report every rollout that has stopped making progress. When a Deployment goes
//! back to an earlier `ReplicaSet`, the controller does not reset the condition `Progressing`: its reason stays
//! `ProgressDeadlineExceeded`, or stays `NewReplicaSetAvailable` if the old pods were deleted first. So opctl measures
//! the progress deadline as well.

use super::observed::Observed;
use super::pod::{NotReady, hopeless, is_ready};
use crate::cluster::request::condition::condition;
use kube::api::DynamicObject;
use serde_json::Value;
use std::time::Duration;

/// The time after which a rollout fails if the API server keeps refusing to create its pods or its `ReplicaSet`. A
/// single refusal is not enough, because the controllers retry, at first after a short time.
const REFUSED: Duration = Duration::from_secs(10);
/// The time after which a rollout fails if the API server keeps refusing with a message that was already reported
/// before the apply. The controllers keep the first message, so a refusal of the current template looks the same as an
/// old refusal of an earlier template.
const REFUSED_BEFORE: Duration = Duration::from_secs(30);
/// The time for which `ProgressDeadlineExceeded` must last before the rollout fails: the controller may count time
/// from before the spec was applied, and removes the condition as soon as the controller creates a pod.
const EXCEEDED: Duration = Duration::from_secs(5);
/// The time added to the progress deadline, so that the controller can report the deadline first: the controller is
/// about a second late, and its times have no fractions of a second.
const SLACK: Duration = Duration::from_secs(5);

/// The state of a rollout in one poll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// All pods of the current template exist and are ready.
    Done,
    /// The rollout is in progress; the text is the progress message.
    Waiting(String),
    /// The rollout makes no progress. It counts as failed if the cause does not change for the given time.
    Stuck(Cause, Duration),
}

/// The reason why a rollout makes no progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// The Deployment is being deleted.
    Deleted,
    /// The Deployment is paused.
    Paused,
    /// The controller reports that `progressDeadlineSeconds` have passed; with the controller's message.
    DeadlineExceeded(String),
    /// The rollout makes no progress, and the controller does not report that the deadline has passed.
    Stalled(Stall),
    /// The API server refuses the pods or the `ReplicaSet`; with the server's message.
    Refused(String),
    /// A pod cannot run.
    Pod(NotReady),
}

/// A state of a rollout, and the time that the rollout may stay in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stall {
    pub(super) counts: Counts,
    /// The progress message of the state, such as `1 of 2 pods are ready`.
    pub(super) message: String,
    /// The Deployment's `progressDeadlineSeconds`.
    pub(super) deadline: Duration,
}

/// The numbers of pods in the status of a Deployment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    /// The number of pods of all revisions.
    all: usize,
    /// The number of pods of the current template.
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

/// Returns the verdict on the rollout in `observed`. `earlier` is the condition `Progressing` as read right after an
/// apply that changed the Deployment's spec, if the status of the condition was `False`. As long as the observed
/// condition equals `earlier`, the condition is assumed to concern the previous spec.
pub(super) fn judge(observed: &Observed, earlier: Option<&Value>) -> Verdict {
    let deployment = &observed.deployment;
    let status = &deployment.data["status"];
    if deployment.metadata.deletion_timestamp.is_some() {
        return Verdict::Stuck(Cause::Deleted, Duration::ZERO);
    }
    let failing = failing(deployment);
    let is_seen = number(&status["observedGeneration"]) >= deployment.metadata.generation.unwrap_or_default();
    let is_paused = deployment.data["spec"]["paused"] == true;
    // With the strategy `Recreate`, the controller creates nothing, not even the `ReplicaSet`, before the old pods are
    // gone.
    if is_seen && !is_paused && deployment.data["spec"]["strategy"]["type"] == "Recreate" {
        let old_pods = observed.old_pods().count();
        if old_pods > 0 && observed.frees_something() {
            return Verdict::Waiting(old_pods_message("terminating", old_pods));
        }
        if old_pods > 0 {
            return stalled_verdict(deployment, old_pods_message("running", old_pods));
        }
    }
    let Some(set) = observed.set() else {
        // The controller writes this condition without updating `observedGeneration`.
        if let Some(refused) = failing.filter(|condition| condition["reason"] == "ReplicaSetCreateError") {
            let patience = if Some(refused) == earlier { REFUSED_BEFORE } else { REFUSED };
            return Verdict::Stuck(Cause::Refused(message(refused)), patience);
        }
        if is_seen && is_paused {
            return Verdict::Stuck(Cause::Paused, Duration::ZERO);
        }
        return controller_pending_verdict();
    };
    if !is_seen {
        return controller_pending_verdict();
    }
    let Some(message) = lacking(observed) else { return Verdict::Done };
    if let Some((trouble, patience)) = observed.pods().find_map(hopeless) {
        return Verdict::Stuck(Cause::Pod(trouble), patience);
    }
    // Resources that the terminating pods hold, such as a quota, become free soon.
    if observed.frees_something() {
        return Verdict::Waiting(message);
    }
    if observed.pods().count() < number_wanted(deployment)
        && let Some(refused) = pod_refusal_reason(set)
    {
        return Verdict::Stuck(Cause::Refused(refused), REFUSED);
    }
    let exceeded = failing.filter(|condition| condition["reason"] == "ProgressDeadlineExceeded");
    if let Some(exceeded) = exceeded.filter(|condition| Some(*condition) != earlier && names(condition, set)) {
        return Verdict::Stuck(Cause::DeadlineExceeded(self::message(exceeded)), EXCEEDED);
    }
    if is_paused { Verdict::Waiting(message) } else { stalled_verdict(deployment, message) }
}

/// Returns the verdict on a rollout without visible progress, whose state `message` describes. If the Deployment has a
/// progress deadline, returns `Stuck` with the time after which the rollout fails; otherwise `Waiting`.
fn stalled_verdict(deployment: &DynamicObject, message: String) -> Verdict {
    match deployment.data["spec"]["progressDeadlineSeconds"].as_u64().map(Duration::from_secs) {
        Some(deadline) => {
            let counts = Counts::of(&deployment.data["status"]);
            Verdict::Stuck(Cause::Stalled(Stall { counts, message, deadline }), deadline + SLACK)
        }
        None => Verdict::Waiting(message),
    }
}

/// Returns the condition `Progressing` if its status is `False`; the condition may belong to an earlier template.
pub(super) fn failing(deployment: &DynamicObject) -> Option<&Value> {
    condition(&deployment.data, "Progressing").filter(|condition| condition["status"] == "False")
}

/// Returns the API server's reason for refusing the pods of a `ReplicaSet`; `None` if no refusal is reported.
pub(super) fn pod_refusal_reason(set: &DynamicObject) -> Option<String> {
    condition(&set.data, "ReplicaFailure").filter(|failure| failure["reason"] == "FailedCreate").map(message)
}

fn controller_pending_verdict() -> Verdict {
    Verdict::Waiting("for the Deployment controller".to_owned())
}

/// Returns the progress message of an incomplete rollout; `None` if the rollout is complete. Follows `kubectl rollout
/// status` (`kubectl/pkg/polymorphichelpers/rollout_status.go`), but also counts the ready pods: the Deployment's
/// status is not enough, because the counts of a reused `ReplicaSet` may be from before the `ReplicaSet` was scaled
/// down.
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
    (old_pods > 0).then(|| old_pods_message("terminating", old_pods))
}

fn old_pods_message(doing: &str, pods: usize) -> String {
    format!("{pods} old pod{} still {doing}", if pods == 1 { "" } else { "s" })
}

/// Returns false if the message of `condition` names a `ReplicaSet` other than `set`; otherwise true. For example, the
/// message `ReplicaSet "a" has timed out progressing.` names the `ReplicaSet` `a`.
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
