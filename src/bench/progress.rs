//! Determines from the status of an object if the operator is done with the object.

use crate::explore::claims;
use serde::Serialize;
use serde_json::Value;

/// The number of objects by status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// The number of objects with a status that reports the object as ready.
    pub ready: u32,
    /// The number of objects to which the operator has written an up-to-date status that does not report the object as
    /// ready.
    pub reported: u32,
    /// The number of objects without a status for their current generation.
    pub silent: u32,
}

impl Progress {
    /// Counts an object by its status.
    pub(super) fn count(&mut self, object: &Value) {
        if claims(object) {
            self.ready += 1;
        } else if is_reported(object) {
            self.reported += 1;
        } else {
            self.silent += 1;
        }
    }

    /// Returns true if each object has a status or, with `needs_ready`, if each object is ready.
    pub(super) fn is_done(self, needs_ready: bool) -> bool {
        self.silent == 0 && (!needs_ready || self.reported == 0)
    }

    /// Returns true if no object has a status.
    pub(super) fn says_nothing(self) -> bool {
        self.ready == 0 && self.reported == 0
    }

    /// Returns the number of objects without a status or, with `needs_ready`, the number of objects that are not ready.
    pub(super) fn unfinished_objects(self, needs_ready: bool) -> u32 {
        if needs_ready { self.silent + self.reported } else { self.silent }
    }
}

/// Returns true if the object has a status that is not outdated: the status and its conditions have no
/// `observedGeneration`, or at least one `observedGeneration` among them equals the object's current generation.
fn is_reported(object: &Value) -> bool {
    let (status, generation) = (&object["status"], &object["metadata"]["generation"]);
    let Some(fields) = status.as_object().filter(|fields| !fields.is_empty()) else { return false };
    let conditions = || fields.get("conditions").and_then(Value::as_array).into_iter().flatten();
    let observed = fields.get("observedGeneration").into_iter();
    let mut observed =
        observed.chain(conditions().filter_map(|condition| condition.get("observedGeneration"))).peekable();
    observed.peek().is_none() || observed.any(|observed| observed == generation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(status: &Value) -> (u32, u32, u32) {
        let mut progress = Progress::default();
        progress.count(&json!({"metadata": {"generation": 2}, "status": status}));
        (progress.ready, progress.reported, progress.silent)
    }

    #[test]
    fn a_status_is_for_the_current_generation() {
        let condition = |status: &str, of: i32| json!([{"type": "Ready", "status": status, "observedGeneration": of}]);
        for (status, expected) in [
            (json!(null), (0, 0, 1)),
            (json!({}), (0, 0, 1)),
            (json!({"observedGeneration": 1}), (0, 0, 1)),
            (json!({"observedGeneration": 2}), (0, 1, 0)),
            (json!({"phase": "Progressing"}), (0, 1, 0)),
            (json!({"phase": "Running"}), (1, 0, 0)),
            (json!({"conditions": condition("False", 2)}), (0, 1, 0)),
            (json!({"conditions": condition("False", 1)}), (0, 0, 1)),
            (json!({"conditions": condition("True", 1)}), (0, 0, 1)),
            (json!({"conditions": condition("True", 2)}), (1, 0, 0)),
        ] {
            assert_eq!(of(&status), expected, "{status}");
        }
    }

    #[test]
    fn with_nodes_a_report_is_not_enough() {
        let progress = |ready, reported, silent| Progress { ready, reported, silent };
        assert!(progress(3, 2, 0).is_done(false) && !progress(3, 2, 0).is_done(true));
        assert!(progress(5, 0, 0).is_done(true) && !progress(4, 0, 1).is_done(false));
        assert_eq!((progress(1, 2, 4).unfinished_objects(false), progress(1, 2, 4).unfinished_objects(true)), (4, 6));
        assert!(progress(0, 0, 9).says_nothing() && !progress(0, 1, 8).says_nothing());
    }
}
