//! Finds the problems in a status; sends no requests.

use super::count_objects::Objects;
use super::found::{KindStatus, OperatorStatus};
use super::operator::Operator;
use super::status_part::Part;

/// Returns the problems in `found`, each as a sentence.
pub(super) fn problems(found: &OperatorStatus) -> Vec<String> {
    let mut problems = Vec::new();
    let manager = &found.manager;
    match &found.operator {
        Part::Unknown { error } => problems.push(format!("the Deployment cannot be read: {error}")),
        Part::Known(None) => {
            problems.push(format!("the Deployment `{}` is not in namespace `{}`", manager.name, manager.namespace));
        }
        Part::Known(Some(operator)) => of_operator(operator, &mut problems),
    }
    match &found.leader {
        Part::Unknown { error } => problems.push(format!("the lease cannot be read: {error}")),
        Part::Known(Some(leader)) if has_replicas(found) && (leader.expired || leader.holder.is_empty()) => {
            problems.push("no replica leads: the lease has expired".to_owned());
        }
        // A process that cannot reach the lease looks as if it waited for another leader.
        Part::Known(None) if has_replicas(found) && has_leader_election(found) => {
            problems.push("no replica has led yet: there is no lease".to_owned());
        }
        Part::Known(_) => {}
    }
    match &found.kinds {
        Part::Unknown { error } => problems.push(format!("the project's definitions cannot be read: {error}")),
        Part::Known(kinds) => kinds.iter().for_each(|kind| of_kind(kind, &mut problems)),
    }
    problems
}

/// Returns true if the operator's Deployment specifies at least one replica.
fn has_replicas(found: &OperatorStatus) -> bool {
    found.operator.known().and_then(Option::as_ref).is_some_and(|operator| operator.wanted > 0)
}

fn has_leader_election(found: &OperatorStatus) -> bool {
    found.operator.known().and_then(Option::as_ref).is_some_and(|operator| operator.elects)
}

fn of_operator(operator: &Operator, problems: &mut Vec<String>) {
    if !operator.observed {
        problems.push("the Deployment controller has not observed the newest Deployment yet".to_owned());
    } else if operator.wanted == 0 {
        problems.push("the Deployment is scaled to 0 replicas".to_owned());
    } else if operator.ready < operator.wanted {
        problems.push(format!("{} of {} replicas are ready", operator.ready, operator.wanted));
    }
    match &operator.pods {
        Part::Unknown { error } => problems.push(format!("the pods cannot be read: {error}")),
        Part::Known(pods) => {
            for pod in pods.iter().filter(|pod| !pod.ready && pod.state != "Terminating") {
                problems.push(format!("pod `{}` is not ready: {}", pod.name, pod.state));
            }
        }
    }
}

fn of_kind(kind: &KindStatus, problems: &mut Vec<String>) {
    let name = &kind.name;
    match &kind.definition {
        Part::Unknown { error } => problems.push(format!("the CRD `{name}` cannot be read: {error}")),
        Part::Known(None) => problems.push(format!("the CRD `{name}` is not installed")),
        Part::Known(Some(installed)) if !installed.established => {
            problems.push(format!("the CRD `{name}` is not established"));
        }
        Part::Known(Some(installed)) if installed.drifted => {
            problems.push(format!("the CRD `{name}` differs from `config/crd`"));
        }
        Part::Known(Some(_)) => {}
    }
    match &kind.objects {
        Part::Unknown { error } => problems.push(format!("the objects of `{name}` cannot be read: {error}")),
        Part::Known(Some(objects)) if objects.unready_count() > 0 => problems.push(of_objects(&kind.kind, objects)),
        Part::Known(_) => {}
    }
}

fn of_objects(kind: &str, objects: &Objects) -> String {
    let parts = [
        (objects.not_ready, "not ready"),
        (objects.unknown, "unknown"),
        (objects.stale, "stale"),
        (objects.without, "without a report"),
    ];
    let parts = parts.iter().filter(|(number, _)| *number > 0).map(|(number, word)| format!("{number} {word}"));
    let of = if objects.looked_at == 1 { "object" } else { "objects" };
    format!("of {} {of} of {kind}, {}", objects.looked_at, parts.collect::<Vec<_>>().join(", "))
}
