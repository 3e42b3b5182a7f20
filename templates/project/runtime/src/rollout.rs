//! The progress of a workload towards its spec.

use crate::conditions;
use k8s_openapi::api::apps::v1::{DaemonSet, Deployment, StatefulSet};
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::{PersistentVolumeClaim, Pod};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::{Resource, ResourceExt};
use serde::Serialize;
use serde_json::{Value, json};

/// A kind whose progress [`Rollout`] reads.
pub trait Workload: Resource<DynamicType = ()> + Serialize {}

impl Workload for DaemonSet {}
impl Workload for Deployment {}
impl Workload for Job {}
impl Workload for PersistentVolumeClaim {}
impl Workload for StatefulSet {}

/// The progress of a `Deployment`, `StatefulSet`, `DaemonSet`, `Job` or `PersistentVolumeClaim`
/// towards its spec, read from its status. The pods of a `Job` count as ready when they have
/// succeeded. A claim counts as one replica, which is ready when the claim is bound.
///
/// ```
/// use k8s_openapi::api::{apps::v1::Deployment, core::v1::Pod};
/// use runtime::{Rollout, conditions};
///
/// let mut deployment = Deployment::default();
/// deployment.spec.replicas = Some(2);
/// let pods: Vec<Pod> = Vec::new(); // from the cache: `ctx.objects::<Pod>()`
/// let rollout = Rollout::of(&deployment).with_pods(&pods);
/// assert_eq!((rollout.ready_replicas, rollout.desired), (0, 2));
/// assert_eq!(rollout.waiting, None);
///
/// let mut conditions = Vec::new();
/// for condition in [rollout.ready(), rollout.degraded()] {
///     conditions::set(&mut conditions, deployment.metadata.generation, condition);
/// }
/// assert!(!rollout.is_complete && !conditions::is_true(&conditions, "Ready"));
/// assert_eq!((rollout.replicas, rollout.updated_replicas, rollout.failure), (0, 0, None));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Rollout {
    /// The number of pods that the workload should have.
    pub desired: i32,
    /// The number of pods that exist.
    pub replicas: i32,
    /// The number of pods that are ready.
    pub ready_replicas: i32,
    /// The number of pods made from the latest template; equals `desired` for a `Job` and a claim.
    pub updated_replicas: i32,
    /// True if all pods exist, are ready, and were made from the latest template.
    pub is_complete: bool,
    /// The reason why the rollout makes no progress, from the status of the workload.
    pub failure: Option<String>,
    /// The reason why a pod does not start, from the status of the pod.
    pub waiting: Option<String>,
    /// The kind of the workload.
    kind: String,
}

impl Rollout {
    /// Reads the status of a workload. A status that is older than the spec counts neither as complete
    /// nor as failed.
    pub fn of<K: Workload>(workload: &K) -> Self {
        let (kind, object) = (K::kind(&()).into_owned(), json!(workload));
        let (spec, status) = (&object["spec"], &object["status"]);
        let number = |of: &Value| of.as_i64().and_then(|number| i32::try_from(number).ok());
        let count = |field: &str| number(&status[field]).unwrap_or(0);
        let condition = |type_: &str, says: &str| {
            let mut all = status["conditions"].as_array().into_iter().flatten();
            all.find(|one| one["type"] == type_ && one["status"] == says)
        };
        let generation = object["metadata"]["generation"].as_i64();
        let current = status["observedGeneration"].as_i64() >= generation;
        let stuck = condition("ReplicaFailure", "True").or(condition("Progressing", "False"));
        let failed = stuck.filter(|_| current).or(condition("Failed", "True"));
        let mut failure = failed.map(|one| one["message"].as_str().unwrap_or_default().to_owned());
        let counted = |desired, [replicas, ready, updated]: [i32; 3]| {
            let is_complete = current && [replicas, ready, updated] == [desired; 3];
            (desired, [replicas, ready, updated], is_complete)
        };
        let (desired, counts, is_complete) = match &*kind {
            "DaemonSet" => {
                // Without a status, no pod is desired.
                let desired = number(&status["desiredNumberScheduled"]).unwrap_or(1);
                let (ready, updated) = (count("numberReady"), count("updatedNumberScheduled"));
                counted(desired, [count("currentNumberScheduled"), ready, updated])
            }
            "Job" => {
                let desired = number(&spec["completions"]).unwrap_or(1);
                let (ready, active) = (count("succeeded"), count("active"));
                let is_complete = condition("Complete", "True").is_some();
                (desired, [ready + active, ready, desired], is_complete)
            }
            "PersistentVolumeClaim" => {
                let is_bound = status["phase"] == "Bound";
                failure = (status["phase"] == "Lost").then(|| "its volume is lost".to_owned());
                (1, [1, is_bound.into(), 1], is_bound)
            }
            _ => {
                let desired = number(&spec["replicas"]).unwrap_or(1);
                let mut updated = count("updatedReplicas");
                let update = &spec["updateStrategy"]; // of a StatefulSet
                let kept = number(&update["rollingUpdate"]["partition"]).unwrap_or(0);
                if update["type"] == "OnDelete" || kept > 0 && updated >= desired - kept {
                    updated = desired; // the others are to stay as they are
                } else if status["currentRevision"] != status["updateRevision"] {
                    updated = updated.min(desired - 1);
                }
                let (replicas, ready) = (count("replicas"), count("readyReplicas"));
                counted(desired, [replicas, ready, updated])
            }
        };
        let [replicas, ready_replicas, updated_replicas] = counts;
        Self {
            desired,
            replicas,
            ready_replicas,
            updated_replicas,
            is_complete,
            failure,
            waiting: None,
            kind,
        }
    }

    /// Adds the reason why one of these pods does not start to the message of [`Rollout::ready`],
    /// such as `ImagePullBackOff: …` or `Unschedulable: …`. The status of a workload lacks this
    /// reason.
    pub fn with_pods(mut self, pods: &[Pod]) -> Self {
        let made = |pod: &Pod| pod.metadata.creation_timestamp.as_ref().map(|time| time.0);
        let template = |pod: &Pod| pod.labels().get("pod-template-hash").cloned();
        // Those of an earlier template are about to go.
        let latest = pods.iter().max_by_key(|pod| made(pod)).map(template);
        let pods = pods.iter().filter(|pod| latest == Some(template(pod)));
        let statuses = pods.filter_map(|pod| pod.status.as_ref());
        let reasons = statuses.flat_map(|status| {
            let init = status.init_container_statuses.iter();
            let containers = init.chain(&status.container_statuses).flatten();
            let waiting = containers.filter_map(|one| one.state.as_ref()?.waiting.as_ref());
            let waiting = waiting.map(|one| (&one.reason, &one.message));
            let conditions = status.conditions.iter().flatten();
            let scheduled = conditions.filter(|one| one.type_ == "PodScheduled");
            waiting.chain(scheduled.map(|one| (&one.reason, &one.message)))
        });
        // A container that is being created has a reason, and no message.
        let mut told = reasons.filter_map(|(reason, why)| reason.as_ref().zip(why.as_ref()));
        let told = told.next().filter(|_| !self.is_complete);
        self.waiting = told.map(|(reason, message)| format!("{reason}: {message}"));
        self
    }

    /// Returns the condition `Ready`, which is `True` if the rollout is complete.
    #[must_use]
    pub fn ready(&self) -> Condition {
        let (desired, ready, updated) = (self.desired, self.ready_replicas, self.updated_replicas);
        let (count, are) = match ready >= desired && updated < desired {
            true => (updated, "updated"),
            false => (ready, "ready"),
        };
        let reason = ["NotAllReady", "AllReady"][usize::from(self.is_complete)];
        let why = self.waiting.as_ref();
        let why = why.map_or_else(String::new, |why| format!(": {why}"));
        let message = format!("{count} of {desired} replicas are {are}{why}");
        conditions::new("Ready", self.is_complete, reason, &message)
    }

    /// Returns the condition `Degraded`, which is `True` if the rollout has failed.
    #[must_use]
    pub fn degraded(&self) -> Condition {
        match &self.failure {
            Some(cause) => {
                let failed = format!("{}Failed", self.kind);
                let reason = conditions::refusal(cause).unwrap_or(&failed);
                conditions::new("Degraded", true, reason, cause)
            }
            None => conditions::new("Degraded", false, "AsExpected", ""),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::de::DeserializeOwned;

    #[test]
    fn only_a_status_of_the_latest_spec_counts() {
        let progress = |status: &str| json!([{ "type": "Progressing", "status": status }]);
        for (observed, ready, progressing, expected) in [
            (3, 2, "True", ("True", "False")),
            (2, 2, "True", ("False", "False")),
            (3, 1, "True", ("False", "False")),
            (3, 1, "False", ("False", "True")),
            (2, 1, "False", ("False", "False")),
        ] {
            let deployment = json!({
                "metadata": { "generation": 3 },
                "spec": { "replicas": 2, "selector": {}, "template": {} },
                "status": {
                    "observedGeneration": observed, "replicas": 2, "updatedReplicas": 2,
                    "readyReplicas": ready, "conditions": progress(progressing),
                },
            });
            let deployment: Deployment = serde_json::from_value(deployment).unwrap();
            let rollout = Rollout::of(&deployment);
            let found = (rollout.ready().status, rollout.degraded().status);
            let found = (found.0.as_str(), found.1.as_str());
            assert_eq!(found, expected, "{observed} {ready} {progressing}");
        }
    }

    /// Checks that each workload status in `all` leads to the given `Ready` and `Degraded`.
    fn check<K: Workload + DeserializeOwned>(spec: &Value, all: &[(Value, [&str; 2])]) {
        for (status, expected) in all {
            let metadata = json!({ "generation": 2 });
            let object = json!({ "metadata": metadata, "spec": spec, "status": status });
            let rollout = Rollout::of(&serde_json::from_value::<K>(object).unwrap());
            let found = [rollout.ready(), rollout.degraded()];
            let found = found.map(|condition| condition.status);
            assert_eq!(found, *expected, "{} {status}", rollout.kind);
        }
    }

    const DONE: [&str; 2] = ["True", "False"];
    const NOT_YET: [&str; 2] = ["False", "False"];
    const FAILED: [&str; 2] = ["False", "True"];

    #[test]
    fn other_workloads_are_complete_when_kubectl_says_so() {
        let spec = json!({ "replicas": 3, "serviceName": "", "selector": {}, "template": {} });
        let set = |observed, ready, updated, current: &str| {
            json!({
                "observedGeneration": observed, "replicas": 3, "readyReplicas": ready,
                "updatedReplicas": updated, "currentRevision": current, "updateRevision": "b",
            })
        };
        check::<StatefulSet>(
            &spec,
            &[
                (set(2, 3, 3, "b"), DONE),
                (set(1, 3, 3, "b"), NOT_YET),
                (set(2, 2, 3, "b"), NOT_YET),
                (set(2, 3, 1, "a"), NOT_YET),
                (Value::Null, NOT_YET),
            ],
        );
        let mut held = spec.clone();
        held["updateStrategy"] =
            json!({ "type": "RollingUpdate", "rollingUpdate": { "partition": 2 } });
        let on = [(set(2, 3, 1, "a"), DONE), (set(2, 3, 0, "a"), NOT_YET)];
        check::<StatefulSet>(&held, &on);
        held["updateStrategy"] = json!({ "type": "OnDelete" });
        check::<StatefulSet>(&held, &[(set(2, 3, 0, "a"), DONE)]);

        let on = |observed, ready, updated| {
            json!({
                "observedGeneration": observed, "desiredNumberScheduled": 2, "numberMisscheduled": 0,
                "currentNumberScheduled": 2, "numberReady": ready, "updatedNumberScheduled": updated,
            })
        };
        check::<DaemonSet>(
            &json!({ "selector": {}, "template": {} }),
            &[
                (on(2, 2, 2), DONE),
                (on(1, 2, 2), NOT_YET),
                (on(2, 1, 2), NOT_YET),
                (on(2, 2, 1), NOT_YET),
                (Value::Null, NOT_YET),
            ],
        );
    }

    #[test]
    fn jobs_and_claims_end_or_fail() {
        let is = |type_: &str, status: &str| json!([{ "type": type_, "status": status, "message": "m" }]);
        check::<Job>(
            &json!({ "completions": 2, "template": {} }),
            &[
                (
                    json!({ "succeeded": 2, "conditions": is("Complete", "True") }),
                    DONE,
                ),
                (json!({ "succeeded": 1, "active": 1 }), NOT_YET),
                (json!({ "conditions": is("Complete", "Unknown") }), NOT_YET),
                (
                    json!({ "failed": 3, "conditions": is("Failed", "True") }),
                    FAILED,
                ),
                (json!({ "conditions": is("Failed", "False") }), NOT_YET),
                (Value::Null, NOT_YET),
            ],
        );
        check::<PersistentVolumeClaim>(
            &json!({}),
            &[
                (json!({ "phase": "Bound" }), DONE),
                (json!({ "phase": "Pending" }), NOT_YET),
                (json!({ "phase": "Lost" }), FAILED),
                (Value::Null, NOT_YET),
            ],
        );
        let lost = json!({ "status": { "phase": "Lost" } });
        let lost = Rollout::of(&serde_json::from_value::<PersistentVolumeClaim>(lost).unwrap());
        assert_eq!(lost.degraded().reason, "PersistentVolumeClaimFailed");
    }

    #[test]
    fn the_message_says_what_is_missing() {
        for (ready, updated, expected) in [
            (1, 1, "1 of 2 replicas are ready"),
            (2, 0, "0 of 2 replicas are updated"),
            (2, 2, "2 of 2 replicas are ready"),
        ] {
            let deployment = json!({
                "metadata": {},
                "spec": { "replicas": 2, "selector": {}, "template": {} },
                "status": { "replicas": 2, "updatedReplicas": updated, "readyReplicas": ready },
            });
            let rollout = Rollout::of(&serde_json::from_value::<Deployment>(deployment).unwrap());
            assert_eq!(rollout.ready().message, expected);
        }
    }

    #[test]
    fn the_message_says_why_a_pod_does_not_start() {
        let pod = |state: Value| {
            let statuses = json!({ "containerStatuses": [{ "name": "main", "state": state }] });
            serde_json::from_value::<Pod>(json!({ "metadata": {}, "status": statuses })).unwrap()
        };
        let created = json!({ "waiting": { "reason": "ContainerCreating" } });
        let pulled = json!({ "waiting": { "reason": "ErrImagePull", "message": "none" } });
        let pods = [Pod::default(), pod(json!({ "running": {} })), pod(created)];
        let rollout = Rollout::of(&Deployment::default());
        let started = rollout.clone().with_pods(&pods).ready().message;
        assert_eq!(started, "0 of 1 replicas are ready");
        let pods = [&pods[..], &[pod(pulled)]].concat();
        let mut waiting = rollout.with_pods(&pods);
        let said = "0 of 1 replicas are ready: ErrImagePull: none";
        assert_eq!(waiting.ready().message, said);
        // A pod of an earlier template.
        let mut later = Pod::default();
        later.metadata.creation_timestamp =
            serde_json::from_value(json!("2026-01-01T00:00:00Z")).ok();
        later.metadata.labels = Some([("pod-template-hash".to_owned(), "b".to_owned())].into());
        let replaced = waiting.clone().with_pods(&[&pods[..], &[later]].concat());
        assert_eq!(replaced.waiting, None);
        waiting.is_complete = true;
        assert_eq!(waiting.with_pods(&pods).waiting, None);
    }

    #[test]
    fn init_containers_and_the_scheduler_are_heard_too() {
        let waiting = json!({ "reason": "CrashLoopBackOff", "message": "back-off 10s" });
        let init = json!([{ "name": "init", "state": { "waiting": waiting } }]);
        let no_node = json!([{
            "type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/1",
        }]);
        let init = json!({ "initContainerStatuses": init });
        let no_node = json!({ "conditions": no_node });
        let crashes = "CrashLoopBackOff: back-off 10s";
        for (status, expected) in [(init, crashes), (no_node, "Unschedulable: 0/1")] {
            let pod = json!({ "metadata": {}, "status": status });
            let rollout = Rollout::of(&Deployment::default());
            let rollout = rollout.with_pods(&[serde_json::from_value(pod).unwrap()]);
            assert_eq!(rollout.waiting.as_deref(), Some(expected));
        }
    }

    #[test]
    fn a_new_deployment_is_neither_ready_nor_degraded() {
        let rollout = Rollout::of(&Deployment::default());
        assert_eq!((rollout.is_complete, rollout.failure), (false, None));
    }
}
