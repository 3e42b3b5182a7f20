//! The progress of a workload towards what its spec asks for.

use crate::conditions;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;

/// The progress of a Deployment towards its spec, read from its status.
///
/// ```
/// use k8s_openapi::api::apps::v1::Deployment;
/// use runtime::{Rollout, conditions};
///
/// let mut deployment = Deployment::default();
/// deployment.spec.replicas = Some(2);
/// let rollout = Rollout::of(&deployment);
/// assert_eq!((rollout.ready_replicas, rollout.desired), (0, 2));
///
/// let mut conditions = Vec::new();
/// for condition in [rollout.ready(), rollout.degraded()] {
///     conditions::set(&mut conditions, deployment.metadata.generation, condition);
/// }
/// assert!(!rollout.is_complete && !conditions::is_true(&conditions, "Ready"));
/// assert_eq!((rollout.replicas, rollout.updated_replicas, rollout.failure), (0, 0, None));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rollout {
    /// The number of pods that the Deployment should have.
    pub desired: i32,
    /// The number of pods that exist.
    pub replicas: i32,
    /// The number of pods that are ready.
    pub ready_replicas: i32,
    /// The number of pods that were made from the latest template.
    pub updated_replicas: i32,
    /// True if all pods exist, are ready, and were made from the latest template.
    pub is_complete: bool,
    /// The reason why the rollout makes no progress: the message of the Deployment's condition.
    pub failure: Option<String>,
}

impl Rollout {
    /// Reads the status of a Deployment. A status that is older than the spec counts neither as
    /// complete nor as failed.
    #[must_use]
    pub fn of(deployment: &Deployment) -> Self {
        let spec = deployment.spec.replicas;
        let status = deployment.status.clone().unwrap_or_default();
        let count = |of: Option<i32>| of.unwrap_or(0);
        let (desired, replicas) = (spec.unwrap_or(1), count(status.replicas));
        let ready_replicas = count(status.ready_replicas);
        let updated_replicas = count(status.updated_replicas);
        let current = status.observed_generation >= deployment.metadata.generation;
        let counts = [replicas, ready_replicas, updated_replicas];
        let mut conditions = status.conditions.into_iter().flatten();
        let failed = conditions.find(|one| {
            let says = (one.type_.as_deref(), one.status.as_deref());
            let failed = (Some("ReplicaFailure"), Some("True"));
            [failed, (Some("Progressing"), Some("False"))].contains(&says)
        });
        let failure = failed.filter(|_| current);
        Self {
            desired,
            replicas,
            ready_replicas,
            updated_replicas,
            is_complete: current && counts == [desired; 3],
            failure: failure.map(|one| one.message.unwrap_or_default()),
        }
    }

    /// Returns the condition `Ready`, which is `True` if the rollout is complete.
    #[must_use]
    pub fn ready(&self) -> Condition {
        let desired = self.desired;
        let count = match self.ready_replicas >= desired && self.updated_replicas < desired {
            true => format!("{} of {desired} replicas are updated", self.updated_replicas),
            false => format!("{} of {desired} replicas are ready", self.ready_replicas),
        };
        let reason = match self.is_complete {
            true => "AllReady",
            false => "NotAllReady",
        };
        conditions::new("Ready", self.is_complete, reason, &count)
    }

    /// Returns the condition `Degraded`, which is `True` if the rollout has failed.
    #[must_use]
    pub fn degraded(&self) -> Condition {
        match &self.failure {
            Some(cause) => {
                let reason = conditions::refusal(cause).unwrap_or("DeploymentFailed");
                conditions::new("Degraded", true, reason, cause)
            }
            None => conditions::new("Degraded", false, "AsExpected", ""),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
            let rollout = Rollout::of(&serde_json::from_value(deployment).unwrap());
            let found = (rollout.ready().status, rollout.degraded().status);
            let found = (found.0.as_str(), found.1.as_str());
            assert_eq!(found, expected, "{observed} {ready} {progressing}");
        }
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
            let rollout = Rollout::of(&serde_json::from_value(deployment).unwrap());
            assert_eq!(rollout.ready().message, expected);
        }
    }

    #[test]
    fn a_new_deployment_is_neither_ready_nor_degraded() {
        let rollout = Rollout::of(&Deployment::default());
        assert_eq!((rollout.is_complete, rollout.failure), (false, None));
    }
}
