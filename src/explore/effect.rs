//! What a write changed.

use super::call::Call;
use super::canonical::{Leaves, leaves};
use serde_json::Value;

/// An object as the operator was told of it, or answered about it, at last.
#[derive(Clone, Debug)]
pub(super) struct Known {
    version: String,
    leaves: Leaves,
}

impl Known {
    pub(super) fn of(object: &Value) -> Known {
        let version = object["metadata"]["resourceVersion"].as_str().unwrap_or_default().to_owned();
        Known { version, leaves: leaves(object, &Vec::new()) }
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
    let now = Known::of(body);
    if before.version == now.version {
        return (Vec::new(), false);
    }
    let (before, now) = (before.leaves, now.leaves);
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
