//! The kinds whose objects take time to get well, and their troubles.

use super::step::Step;
use crate::trouble::{CLAIM, Trouble};

/// A kind whose objects become well by themselves, unless they are in trouble.
struct Workload {
    resource: &'static str,
    /// The kind that the annotation names to cause a trouble.
    pods_of: &'static str,
    /// Each trouble, with the step in which it begins.
    troubles: &'static [(Trouble, Step)],
}

/// The troubles of pods that should keep running. A trouble that begins with a deletion never ends.
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
pub(super) fn resources() -> impl Iterator<Item = &'static str> {
    WORKLOADS.iter().map(|workload| workload.resource)
}

/// Returns the troubles of a resource, each with the step in which it begins.
pub(super) fn troubles(resource: &str) -> &'static [(Trouble, Step)] {
    find(resource).map_or(&[], |workload| workload.troubles)
}

/// Returns true if the objects of a resource can have this trouble.
pub(super) fn has(resource: &str, trouble: Trouble) -> bool {
    troubles(resource).iter().any(|(known, _)| *known == trouble)
}

/// Returns the value of the annotation that causes the trouble.
pub(super) fn annotation(resource: &str, trouble: Trouble) -> String {
    format!("{}={trouble}", find(resource).map_or("", |workload| workload.pods_of))
}

/// Returns the trouble as a phrase for messages, such as "when the pods of deployments.apps crash for a while".
pub(super) fn phrase(resource: &str, trouble: Trouble, step: Step) -> String {
    let lasts = if step.deletes() || trouble == Trouble::Failed { "" } else { " for a while" };
    match trouble {
        Trouble::Evicted => format!("when {} are evicted", subject(resource)),
        Trouble::NodeGone => format!("when the node of {} is gone{lasts}", subject(resource)),
        _ => format!("when {} {}{lasts}", subject(resource), verb(trouble)),
    }
}

/// Returns a sentence for the timeline about the beginning of the trouble.
pub(super) fn begins(resource: &str, trouble: Trouble) -> String {
    match trouble {
        Trouble::Evicted => format!("{} are evicted", subject(resource)),
        Trouble::NodeGone => format!("the node of {} is gone from now on", subject(resource)),
        _ => format!("{} {} from now on", subject(resource), verb(trouble)),
    }
}

/// Returns the name of the objects in trouble: the pods of a resource, or the resource itself.
pub(super) fn subject(resource: &str) -> String {
    match resource {
        "pods" => "pods".to_owned(),
        "jobs.batch" | "persistentvolumeclaims" => resource.to_owned(),
        _ => format!("the pods of {resource}"),
    }
}

fn verb(trouble: Trouble) -> &'static str {
    match trouble {
        Trouble::Crash => "crash",
        Trouble::Unready => "run and are not ready",
        Trouble::Slow => "run and do not end",
        Trouble::Failed => "fail",
        Trouble::Pending => "stay pending",
        Trouble::Evicted => "are evicted",
        Trouble::NodeGone => "lose their node",
    }
}
