//! Checks if workload objects are healthy, and if the status of an object claims that the object is healthy.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The health of the objects that an operator has seen, by resource and name, such as `jobs.batch/a`. Each value is a
/// pair: the resource version of the object, and a flag that is true if the object was unhealthy. The version is needed
/// to ignore old data: a watch may show an older version of an object than an earlier list.
#[derive(Debug, Default)]
pub struct SeenHealth(BTreeMap<String, (u64, bool)>);

impl SeenHealth {
    /// Records an object that the operator sees, by its resource and name, such as `jobs.batch/a`. Ignores an object
    /// with only metadata, which does not show if the object is healthy.
    pub fn see(&mut self, name: &str, object: &Value) {
        if object["kind"] != METADATA {
            self.record(name, object, is_unwell(name.split('/').next().unwrap_or_default(), object));
        }
    }

    /// Records that the operator sees the deletion of an object.
    pub fn lose(&mut self, name: &str, object: &Value) {
        self.record(name, object, false);
    }

    fn record(&mut self, name: &str, object: &Value, is_unwell: bool) {
        // Versions of one resource can be compared (https://kep.k8s.io/5504).
        let version = object["metadata"]["resourceVersion"].as_str().and_then(|version| version.parse().ok());
        let version: u64 = version.unwrap_or_default();
        if self.0.get(name).is_none_or(|(known, _)| *known <= version) {
            self.0.insert(name.to_owned(), (version, is_unwell));
        }
    }

    /// Returns the resources with unhealthy objects, such as `jobs.batch`.
    pub fn unwell(&self) -> BTreeSet<String> {
        let unwell = self.0.iter().filter(|(_, (_, is_unwell))| *is_unwell);
        unwell.filter_map(|(name, _)| name.split('/').next()).map(str::to_owned).collect()
    }
}

/// The kind of an object that contains only metadata (<https://kubernetes.io/docs/reference/using-api/api-concepts>).
pub const METADATA: &str = "PartialObjectMetadata";

/// The types of conditions that claim that an object works.
const CLAIMS: [&str; 3] = ["Ready", "Available", "Healthy"];
const PHASES: [&str; 4] = ["ready", "running", "available", "healthy"];

/// Returns true if an object of a workload's resource is unhealthy: it has too few ready pods, or is a Job that has
/// not completed, or is a volume claim that is not bound.
pub fn is_unwell(resource: &str, object: &Value) -> bool {
    let (spec, status) = (&object["spec"], &object["status"]);
    let number = |value: &Value| value.as_i64().unwrap_or_default();
    let has = |name: &str| {
        let mut conditions = status["conditions"].as_array().into_iter().flatten();
        conditions.any(|condition| condition["type"] == name && condition["status"] == "True")
    };
    match resource {
        "deployments.apps" | "replicasets.apps" | "statefulsets.apps" => {
            number(&status["readyReplicas"]) < spec["replicas"].as_i64().unwrap_or(1)
        }
        "daemonsets.apps" => number(&status["numberReady"]) < number(&status["desiredNumberScheduled"]),
        "jobs.batch" => !has("Complete") && spec["suspend"] != true,
        "pods" => status["phase"] != "Succeeded" && !has("Ready"),
        "persistentvolumeclaims" => status["phase"] != "Bound",
        _ => false,
    }
}

/// Returns true if the status says that the object works. If the status has an observed generation, it must be the
/// current generation of the object.
pub fn claims(object: &Value) -> bool {
    let (status, generation) = (&object["status"], &object["metadata"]["generation"]);
    let conditions = || status["conditions"].as_array().into_iter().flatten();
    let found = CLAIMS.iter().find_map(|name| conditions().find(|condition| condition["type"] == *name));
    if let Some(condition) = found {
        let of = condition.get("observedGeneration").unwrap_or(&status["observedGeneration"]);
        return condition["status"] == "True" && (of.is_null() || of == generation);
    }
    let phase = status["phase"].as_str().or_else(|| status["state"].as_str()).unwrap_or_default();
    let of = &status["observedGeneration"];
    PHASES.contains(&phase.to_ascii_lowercase().as_str()) && (of.is_null() || of == generation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_workload_is_well_when_it_does_its_work() {
        let complete = json!([{"type": "Complete", "status": "True"}]);
        let failed = json!([{"type": "Failed", "status": "True"}]);
        for (resource, spec, status, expected) in [
            ("deployments.apps", json!({"replicas": 2}), json!({"replicas": 2, "readyReplicas": 1}), true),
            ("deployments.apps", json!({"replicas": 2}), json!({"readyReplicas": 2}), false),
            ("deployments.apps", json!({"replicas": 0}), json!({}), false),
            ("statefulsets.apps", json!({}), json!({}), true),
            ("daemonsets.apps", json!({}), json!({"desiredNumberScheduled": 1}), true),
            ("daemonsets.apps", json!({}), json!({"desiredNumberScheduled": 1, "numberReady": 1}), false),
            ("jobs.batch", json!({}), json!({"conditions": complete}), false),
            ("jobs.batch", json!({}), json!({"conditions": failed}), true),
            ("jobs.batch", json!({"suspend": true}), json!({}), false),
            ("pods", json!({}), json!({"phase": "Failed"}), true),
            ("pods", json!({}), json!({"phase": "Succeeded"}), false),
            ("persistentvolumeclaims", json!({}), json!({"phase": "Pending"}), true),
            ("services", json!({}), json!({}), false),
        ] {
            assert_eq!(is_unwell(resource, &json!({"spec": spec, "status": status})), expected, "{resource} {status}");
        }
    }

    #[test]
    fn an_event_of_an_earlier_version_tells_nothing() {
        let job = |version: &str, status: &str| {
            let conditions = json!([{"type": "Complete", "status": status}]);
            json!({"metadata": {"resourceVersion": version}, "status": {"conditions": conditions}})
        };
        let mut seen = SeenHealth::default();
        seen.see("jobs.batch/a", &job("7", "False"));
        assert_eq!(seen.unwell(), BTreeSet::from(["jobs.batch".to_owned()]));
        seen.see("jobs.batch/a", &job("9", "True"));
        seen.see("jobs.batch/a", &job("8", "False"));
        assert!(seen.unwell().is_empty());
        let mut metadata = job("10", "False");
        metadata["kind"] = METADATA.into();
        seen.see("jobs.batch/a", &metadata);
        assert!(seen.unwell().is_empty(), "metadata does not tell whether a Job is well");
        seen.see("jobs.batch/a", &job("10", "False"));
        seen.lose("jobs.batch/a", &job("11", "False"));
        assert!(seen.unwell().is_empty());
    }

    #[test]
    fn a_claim_is_for_the_current_generation() {
        let ready = |status: &str| json!([{"type": "Synced", "status": "True"}, {"type": "Ready", "status": status}]);
        for (status, expected) in [
            (json!({}), false),
            (json!({"conditions": ready("True")}), true),
            (json!({"conditions": ready("False"), "phase": "Running"}), false),
            (json!({"conditions": ready("True"), "observedGeneration": 3}), true),
            (json!({"conditions": ready("True"), "observedGeneration": 2}), false),
            (json!({"phase": "Running"}), true),
            (json!({"phase": "Progressing"}), false),
        ] {
            assert_eq!(claims(&json!({"metadata": {"generation": 3}, "status": status})), expected, "{status}");
        }
    }
}
