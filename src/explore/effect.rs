//! What a write changed.

use super::call::Call;
use super::canonical::{Leaves, leaves};
use serde_json::Value;

/// An object as the operator was told of it, or answered about it, at last.
#[derive(Clone, Debug)]
pub(super) struct Known {
    version: String,
    leaves: Leaves,
    /// False if only its metadata were told.
    is_whole: bool,
}

impl Known {
    /// What is known after the operator saw `object`: a watch may tell of metadata alone (`PartialObjectMetadata`).
    pub(super) fn after(before: Option<&Known>, object: &Value) -> Known {
        let version = object["metadata"]["resourceVersion"].as_str().unwrap_or_default().to_owned();
        let told = leaves(object, &Vec::new());
        if object["kind"] != "PartialObjectMetadata" {
            return Known { version, leaves: told, is_whole: true };
        }
        let is_metadata = |(path, _): &(&String, &Value)| path.starts_with(".metadata.");
        let rest = before.into_iter().flat_map(|before| &before.leaves).filter(|leaf| !is_metadata(leaf));
        let leaves = told.iter().filter(is_metadata).chain(rest).map(|(path, leaf)| (path.clone(), leaf.clone()));
        Known { version, leaves: leaves.collect(), is_whole: before.is_some_and(|before| before.is_whole) }
    }
}

/// The fields that a write changed, and whether it changed anything. `known` is its object as it was known when the request was made.
pub(super) fn effect(call: &Call, known: Option<Known>, status: u16, body: &Value) -> (Vec<String>, bool) {
    if !(200..300).contains(&status) {
        return (Vec::new(), false);
    }
    let Some(before) = known.filter(|_| status != 201 && !call.verb.starts_with("delete")) else {
        return (Vec::new(), true);
    };
    let now = Known::after(None, body);
    if before.version == now.version {
        return (Vec::new(), false);
    }
    if !before.is_whole {
        return (Vec::new(), true);
    }
    let (mut before, mut now) = (before.leaves, now.leaves);
    if call.subresource.is_none() && is_built_in(&call.group) {
        // A controller of Kubernetes wrote it meanwhile.
        for leaves in [&mut before, &mut now] {
            leaves.retain(|path, _| !path.starts_with(".status."));
        }
    }
    let mut changes = Vec::new();
    for path in now.keys().chain(before.keys().filter(|path| !now.contains_key(*path))) {
        match (before.get(path), now.get(path)) {
            (before, after) if before == after => {}
            (_, Some(after)) => changes.push(format!("{}: {after}", path.trim_start_matches('.'))),
            (_, None) => changes.push(format!("without {}", path.trim_start_matches('.'))),
        }
    }
    let effective = !changes.is_empty();
    (changes, effective)
}

/// True for the groups whose kinds all have their status as a subresource, if they have one.
fn is_built_in(group: &str) -> bool {
    !group.contains('.') || group.ends_with(".k8s.io")
}
