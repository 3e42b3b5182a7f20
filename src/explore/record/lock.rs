//! Leader election locks in `ConfigMaps` and Endpoints, which client-go supported in addition to leases until 0.27
//! (<https://github.com/kubernetes/client-go/blob/v0.23.0/tools/leaderelection/resourcelock/interface.go>).

use serde_json::{Value, json};

/// The annotation with the record of the lock's holder, as JSON.
const RECORD: &str = "control-plane.alpha.kubernetes.io/leader";

/// The resources whose objects may be locks of leader election.
pub const RESOURCES: [&str; 2] = ["configmaps", "endpoints"];

/// Returns true if the object is a lock of leader election.
pub fn is_lock(object: &Value) -> bool {
    object["metadata"]["annotations"].get(RECORD).is_some()
}

/// Returns the patch that removes the holder from a lock; `None` if the object is not a lock or has no holder.
pub fn release_patch(object: &Value) -> Option<Value> {
    let record = object["metadata"]["annotations"][RECORD].as_str()?;
    let mut record: Value = serde_json::from_str(record).ok()?;
    record["holderIdentity"].as_str().filter(|holder| !holder.is_empty())?;
    record["holderIdentity"] = "".into();
    Some(json!({"metadata": {"annotations": {RECORD: record.to_string()}}}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_released_once() {
        let lock = |record: &str| json!({"metadata": {"name": "lock", "annotations": {RECORD: record}}});
        let held = lock(r#"{"holderIdentity":"pod-1","leaseDurationSeconds":15,"leaderTransitions":2}"#);
        let patch = release_patch(&held).unwrap();
        let record: Value = serde_json::from_str(patch["metadata"]["annotations"][RECORD].as_str().unwrap()).unwrap();
        assert_eq!(record, json!({"holderIdentity": "", "leaseDurationSeconds": 15, "leaderTransitions": 2}));
        assert!(is_lock(&held) && is_lock(&patch));
        for other in [patch, lock("no JSON"), json!({"metadata": {"annotations": {"a": "b"}}}), json!({})] {
            assert_eq!(release_patch(&other), None);
        }
        assert!(!is_lock(&json!({"metadata": {"annotations": {"a": "b"}}})));
    }
}
