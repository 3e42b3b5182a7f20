//! Determines the effect of a write, such as the fields that it changed.

use super::call::Call;
use super::normalize::{Leaves, leaves};
use super::wellness::METADATA;
use serde_json::Value;

/// An object as a watch event or a response last showed it to the operator.
#[derive(Clone, Debug)]
pub struct KnownObject {
    version: String,
    leaves: Leaves,
    /// False if the operator has seen only the metadata of the object.
    is_whole: bool,
}

impl KnownObject {
    /// Returns the operator's knowledge of an object after a response or watch event has shown `object` to the
    /// operator. If `object` has only metadata, the other fields come from the earlier knowledge `before`.
    pub fn after(before: Option<&KnownObject>, object: &Value) -> KnownObject {
        let version = object["metadata"]["resourceVersion"].as_str().unwrap_or_default().to_owned();
        let told = leaves(object, &Vec::new());
        if object["kind"] != METADATA {
            return KnownObject { version, leaves: told, is_whole: true };
        }
        let is_metadata = |(path, _): &(&String, &Value)| path.starts_with(".metadata.");
        let rest = before.into_iter().flat_map(|before| &before.leaves).filter(|leaf| !is_metadata(leaf));
        let leaves = told.iter().filter(is_metadata).chain(rest).map(|(path, leaf)| (path.clone(), leaf.clone()));
        KnownObject { version, leaves: leaves.collect(), is_whole: before.is_some_and(|before| before.is_whole) }
    }
}

/// The effect of a write on its object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// The fields that the write changed, such as `spec.replicas: 2`, or `without spec.replicas` for a removed field.
    pub changes: Vec<String>,
    /// True if the write changed a field that opctl compares between runs, or if the changed fields are unknown.
    pub effective: bool,
    /// True if the resource version of the object differs from the resource version that the operator knew, even if
    /// only fields that are not compared have changed.
    pub moved: bool,
}

/// Returns the effect of the request `call`. `known` is the object of the request as the operator knew it when it sent
/// the request; `status` and `body` are the HTTP status and the body of the response. A read and a refused write have
/// no effect.
pub fn effect(call: &Call, known: Option<KnownObject>, status: u16, body: &Value) -> Effect {
    if !(200..300).contains(&status) || !call.writes() {
        return Effect::default();
    }
    let unknown = Effect { changes: Vec::new(), effective: true, moved: true };
    let Some(before) = known.filter(|_| status != 201 && !call.verb.starts_with("delete")) else { return unknown };
    let now = KnownObject::after(None, body);
    if before.version == now.version {
        // The API server answers the removal of the last finalizer, which ends the object, with the object in its last
        // version.
        let is_finalizer = |path: &&String| path.starts_with(".metadata.finalizers[");
        let gone = before.leaves.keys().filter(is_finalizer).filter(|path| !now.leaves.contains_key(*path));
        return Effect { changes: gone.map(|path| removed_field_text(path)).collect(), ..Effect::default() };
    }
    if !before.is_whole {
        return unknown;
    }
    let (mut before, mut now) = (before.leaves, now.leaves);
    if call.subresource.is_none() && is_built_in(&call.group) {
        // A controller of Kubernetes wrote the status meanwhile.
        for leaves in [&mut before, &mut now] {
            leaves.retain(|path, _| !path.starts_with(".status."));
        }
    }
    let mut changes = Vec::new();
    for path in now.keys().chain(before.keys().filter(|path| !now.contains_key(*path))) {
        match (before.get(path), now.get(path)) {
            (before, after) if before == after => {}
            (_, Some(after)) => changes.push(format!("{}: {after}", path.trim_start_matches('.'))),
            (_, None) => changes.push(removed_field_text(path)),
        }
    }
    let effective = !changes.is_empty();
    Effect { changes, effective, moved: true }
}

fn removed_field_text(path: &str) -> String {
    format!("without {}", path.trim_start_matches('.'))
}

/// Returns true if the group has built-in kinds, whose status, if any, is always a subresource.
fn is_built_in(group: &str) -> bool {
    !group.contains('.') || group.ends_with(".k8s.io")
}
