//! The kinds whose objects take time to become healthy, and the failures that opctl simulates for these kinds.

use super::step::Step;
use crate::trouble::{CLAIM, Trouble};

/// A kind whose objects become healthy after some time, unless opctl simulates a failure.
struct Workload {
    resource: &'static str,
    /// The kind in the annotation that requests a simulated failure. For a failure of pods, this kind is the kind of
    /// the pods' controller, such as `ReplicaSet` for the pods of Deployments, or `Pod` for pods without a built-in
    /// controller. For a failure of volume claims, this kind is the kind of the claims.
    pods_of: &'static str,
    /// The failures that can be simulated for the kind, each with the step in which it begins.
    troubles: &'static [(Trouble, Step)],
}

/// The failures that can be simulated for pods that should keep running, each with the step in which it begins. A
/// failure that begins in [`Step::Delete`] never ends.
const OF_PODS: &[(Trouble, Step)] = &[
    (Trouble::Crash, Step::Create),
    (Trouble::Unready, Step::Change),
    (Trouble::Crash, Step::Delete),
    (Trouble::Evicted, Step::Create),
    (Trouble::NodeGone, Step::Create),
];

const OF_JOBS: &[(Trouble, Step)] = &[(Trouble::Failed, Step::Create), (Trouble::Slow, Step::Create)];

const WORKLOADS: [Workload; 7] = [
    Workload { resource: "deployments.apps", pods_of: "ReplicaSet", troubles: OF_PODS },
    Workload { resource: "replicasets.apps", pods_of: "ReplicaSet", troubles: OF_PODS },
    Workload { resource: "statefulsets.apps", pods_of: "StatefulSet", troubles: OF_PODS },
    Workload { resource: "daemonsets.apps", pods_of: "DaemonSet", troubles: OF_PODS },
    Workload { resource: "pods", pods_of: "Pod", troubles: OF_PODS },
    Workload { resource: "jobs.batch", pods_of: "Job", troubles: OF_JOBS },
    Workload { resource: "persistentvolumeclaims", pods_of: CLAIM, troubles: &[(Trouble::Pending, Step::Create)] },
];

fn find(resource: &str) -> Option<&'static Workload> {
    WORKLOADS.iter().find(|workload| workload.resource == resource)
}

/// Returns the resources of all workloads.
pub fn resources() -> impl Iterator<Item = &'static str> {
    WORKLOADS.iter().map(|workload| workload.resource)
}

/// Returns the failures that can be simulated for a resource, each with the step in which it begins.
pub fn troubles(resource: &str) -> &'static [(Trouble, Step)] {
    find(resource).map_or(&[], |workload| workload.troubles)
}

/// Returns true if the failure `trouble` can be simulated for the objects of a resource.
pub fn can_simulate(resource: &str, trouble: Trouble) -> bool {
    troubles(resource).iter().any(|(known, _)| *known == trouble)
}

/// Returns the value of the annotation that requests the simulated failure, such as `ReplicaSet=crash`.
pub fn annotation(resource: &str, trouble: Trouble) -> String {
    format!("{}={trouble}", find(resource).map_or("", |workload| workload.pods_of))
}

/// Returns the simulated failure as a phrase, such as "when the pods of deployments.apps crash for a while".
pub fn phrase(resource: &str, trouble: Trouble, step: Step) -> String {
    let lasts = if step.deletes() || trouble == Trouble::Failed { "" } else { " for a while" };
    match trouble {
        Trouble::Evicted => format!("when {} are evicted", subject(resource)),
        Trouble::NodeGone => format!("when the node of {} is gone{lasts}", subject(resource)),
        _ => format!("when {} {}{lasts}", subject(resource), verb(trouble)),
    }
}

/// Returns a sentence that says that the simulated failure begins. The timeline of a finding shows the sentence.
pub fn begins(resource: &str, trouble: Trouble) -> String {
    match trouble {
        Trouble::Evicted => format!("{} are evicted", subject(resource)),
        Trouble::NodeGone => format!("the node of {} is gone from now on", subject(resource)),
        _ => format!("{} {} from now on", subject(resource), verb(trouble)),
    }
}

/// Returns a phrase that names the objects whose failure is simulated, such as "the pods of deployments.apps" or
/// "jobs.batch".
pub fn subject(resource: &str) -> String {
    match resource {
        "pods" => "pods".to_owned(),
        "jobs.batch" | "persistentvolumeclaims" => resource.to_owned(),
        _ => format!("the pods of {resource}"),
    }
}

fn verb(trouble: Trouble) -> &'static str {
    match trouble {
        Trouble::Crash => "crash",
        Trouble::Unready => "run but are not ready",
        Trouble::Slow => "run but do not finish",
        Trouble::Failed => "fail",
        Trouble::Pending => "stay pending",
        Trouble::Evicted => "are evicted",
        Trouble::NodeGone => "lose their node",
    }
}
