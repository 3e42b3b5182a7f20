//! Finds pods that an upgrade restarts although the user's spec is unchanged, by comparing workloads before and after
//! the upgrade.

use super::Evidence;
use crate::explore::record::normalize::{Leaves, leaves};
use crate::explore::record::state::Difference;
use crate::explore::upgrade::code::Code;
use crate::explore::upgrade::found::UpgradeFinding;
use crate::explore::upgrade::play::Play;
use crate::explore::upgrade::run_version::Part;
use serde_json::Value;
use std::collections::BTreeSet;

/// Fields of a workload, in addition to its pod template, that affect pods or their volumes.
const OTHERS: [&str; 3] = [".spec.volumeClaimTemplates", ".spec.serviceName", ".spec.replicas"];

/// Compares the objects of a namespace before and after the upgrade. Returns findings about workloads whose pods
/// restart, and about objects that were deleted and created again.
pub(super) fn find_problems(play: Play, before: &Part, after: &Part, evidence: &Evidence) -> Vec<UpgradeFinding> {
    // A field that the user changes is meant to reach the pods.
    if play == Play::Change {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (object, old) in &before.picture.raw {
        let Some(new) = after.picture.raw.get(object) else { continue };
        if evidence.samples.contains(object) {
            continue;
        }
        if old["metadata"]["uid"] != new["metadata"]["uid"] {
            found.extend(made_again(play, object, old));
        } else if is_workload(old) {
            let differences = differences(object, old, new, evidence);
            let Some(first) = differences.first() else { continue };
            let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "not set".to_owned());
            let text = format!(
                "{} the pods of {object} are restarted, though the spec is unchanged: {} is {} instead of {}",
                play.phrase(),
                first.path,
                value(&first.found),
                value(&first.expected)
            );
            found.push(UpgradeFinding::new(Code::Restarts, play, object.clone(), text).with(differences));
        }
    }
    found
}

/// Returns the finding for an object that was deleted and created again.
fn made_again(play: Play, object: &str, old: &Value) -> Option<UpgradeFinding> {
    let resource = object.split('/').next().unwrap_or_default();
    let text = |what: &str| format!("{} {object} is deleted and made again{what}", play.phrase());
    if is_workload(old) || old["spec"]["containers"].is_array() {
        return Some(UpgradeFinding::new(Code::Restarts, play, object, text(", with its pods")));
    }
    if ["persistentvolumeclaims", "secrets"].contains(&resource) {
        return Some(UpgradeFinding::new(Code::Lost, play, object, text(": its data is lost")));
    }
    (resource != "pods").then(|| UpgradeFinding::new(Code::Changes, play, object, text("")))
}

fn is_workload(object: &Value) -> bool {
    object["spec"]["template"]["spec"]["containers"].is_array()
}

fn differences(object: &str, old: &Value, new: &Value, evidence: &Evidence) -> Vec<Difference> {
    let of_pods = |object: &Value| -> Leaves {
        let is_of_pods =
            |path: &str| path.starts_with(".spec.template.") || OTHERS.iter().any(|other| path.starts_with(other));
        leaves(object, &Vec::new()).into_iter().filter(|(path, _)| is_of_pods(path)).collect()
    };
    let (old, new) = (of_pods(old), of_pods(new));
    let paths: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let differ = paths.into_iter().filter(|path| old.get(*path) != new.get(*path));
    let differ = differ.filter(|path| !evidence.changes_by_a_restart(object, path));
    let text = |leaves: &Leaves, path: &String| leaves.get(path).map(ToString::to_string);
    let difference = |path: &String| Difference {
        object: object.to_owned(),
        name: None,
        path: path.clone(),
        expected: text(&old, path),
        found: text(&new, path),
    };
    differ.map(difference).collect()
}
