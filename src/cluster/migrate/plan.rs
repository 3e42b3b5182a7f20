//! Decides the steps of a storage version migration, based on objects that the caller has read; sends no requests.

use crate::cluster::request::condition::{condition, is_true};
use kube::api::DynamicObject;
use serde_json::Value;
use std::time::Duration;

/// The time after which a change of a CRD has reached every API server of a cluster. In a cluster with several API
/// servers, Kubernetes waits for the same time before it marks a CRD as established.
const SETTLED: Duration = Duration::from_secs(5);

/// The time that opctl waits for a controller of the cluster to start a `StorageVersionMigration`. If none has started
/// it by then, opctl assumes that the cluster has no such controller.
const PATIENCE: Duration = Duration::from_secs(5);

/// The versions of a CRD in the cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Versions {
    /// The version in which the server stores objects that are written now.
    pub(super) storage: String,
    /// The versions that objects may be stored in.
    pub(super) stored: Vec<String>,
    /// The version to request objects in: the storage version if it is served, otherwise the first served version.
    pub(super) served: Option<String>,
}

impl Versions {
    /// Reads the versions of a CRD; returns `None` if the CRD has no storage version, which cannot be true of a CRD
    /// that an API server has accepted.
    pub(super) fn of(definition: &DynamicObject) -> Option<Self> {
        let versions = definition.data.pointer("/spec/versions")?.as_array()?;
        let name = |version: &Value| version["name"].as_str().map(str::to_owned);
        let storage = versions.iter().find(|version| version["storage"] == true)?;
        let served = std::iter::once(storage).chain(versions).find(|version| version["served"] == true);
        let stored = definition.data.pointer("/status/storedVersions").and_then(Value::as_array);
        Some(Versions {
            storage: name(storage)?,
            stored: stored.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect(),
            served: served.and_then(name),
        })
    }

    /// Returns true if no object can be stored in a version other than the storage version.
    pub(super) fn are_moved(&self) -> bool {
        self.stored.iter().all(|version| *version == self.storage)
    }

    /// Returns true if a migration that began with the versions `begun` is complete for the current versions `self`:
    /// the
    /// storage version must be the same, and objects may now be stored only in versions that are also in
    /// `begun.stored`.
    pub(super) fn hold_since(&self, begun: &Versions) -> bool {
        self.storage == begun.storage && self.stored.iter().all(|version| begun.stored.contains(version))
    }

    /// Returns the versions that objects may be stored in, as a list for messages.
    pub(super) fn stored_version_list(&self) -> String {
        self.stored.iter().map(|version| format!("`{version}`")).collect::<Vec<_>>().join(", ")
    }
}

/// Returns the remaining time until all API servers know the CRD; `now` is in seconds since 1970. An API server that
/// does not know the new storage version would leave objects in their old version.
pub(super) fn remaining_settle_time(definition: &DynamicObject, now: i64) -> Duration {
    let entries = definition.metadata.managed_fields.iter().flatten();
    let written = entries.filter(|entry| entry.subresource.is_none());
    let newest = written.filter_map(|entry| Some(entry.time.as_ref()?.0.as_second())).max();
    let age = newest.map_or(i64::MAX, |newest| now.saturating_sub(newest));
    // If the clocks differ, the wait is wrong, but never longer than [`SETTLED`].
    SETTLED.saturating_sub(Duration::from_secs(u64::try_from(age).unwrap_or_default()))
}

/// The progress of a `StorageVersionMigration`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// The cluster rewrites the objects.
    Running,
    /// The cluster has rewritten all objects.
    Succeeded,
    /// The migration failed, for this reason.
    Failed(String),
    /// No controller has started the migration yet.
    Waiting,
    /// No controller works on the migration: the cluster serves the API, but nothing implements it.
    Ignored,
}

/// Reads the progress from the conditions of a `StorageVersionMigration`; `waited` is the time that opctl has waited.
pub(super) fn progress(migration: &Value, waited: Duration) -> Progress {
    if let Some(failed) = condition(migration, "Failed").filter(|failed| failed["status"] == "True") {
        return Progress::Failed(failed["message"].as_str().unwrap_or_default().to_owned());
    }
    match () {
        () if is_true(migration, "Succeeded") => Progress::Succeeded,
        () if is_true(migration, "Running") => Progress::Running,
        () if waited < PATIENCE => Progress::Waiting,
        () => Progress::Ignored,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn definition(versions: &Value, stored: &Value) -> DynamicObject {
        let object = json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "disks.example.com", "managedFields": [
                {"manager": "opctl", "operation": "Apply", "time": "1970-01-01T00:01:40Z"},
                {"manager": "server", "operation": "Update", "time": "1970-01-01T00:03:20Z", "subresource": "status"},
            ]},
            "spec": {"versions": versions}, "status": {"storedVersions": stored},
        });
        serde_json::from_value(object).unwrap()
    }

    #[test]
    fn versions_are_read_from_spec_and_status() {
        let version =
            |name: &str, served: bool, storage: bool| json!({"name": name, "served": served, "storage": storage});
        let of = |versions: Value, stored: Value| Versions::of(&definition(&versions, &stored));
        let both = || json!([version("v1alpha1", true, false), version("v1", true, true)]);
        let begun = of(both(), json!(["v1alpha1", "v1"])).unwrap();
        assert_eq!((begun.storage.as_str(), begun.served.as_deref(), begun.are_moved()), ("v1", Some("v1"), false));
        assert_eq!(begun.stored_version_list(), "`v1alpha1`, `v1`");
        let moved = of(both(), json!(["v1"])).unwrap();
        assert!(moved.are_moved() && moved.hold_since(&begun) && !begun.hold_since(&moved));
        // The storage version need not be served.
        let hidden = json!([version("v1alpha1", true, false), version("v1", false, true)]);
        assert_eq!(of(hidden, json!(["v1"])).unwrap().served.as_deref(), Some("v1alpha1"));
        let back = json!([version("v1alpha1", true, true), version("v1", true, false)]);
        assert!(!of(back, json!(["v1alpha1", "v1"])).unwrap().hold_since(&begun));
        assert_eq!(of(json!([]), json!([])), None);
    }

    #[test]
    fn a_definition_settles_some_seconds_after_its_last_write() {
        let definition = definition(&json!([]), &json!([]));
        for (now, left) in [(100, 5), (102, 3), (105, 0), (5000, 0), (0, 5)] {
            assert_eq!(remaining_settle_time(&definition, now), Duration::from_secs(left), "{now}");
        }
    }

    #[test]
    fn the_cluster_has_some_seconds_to_begin() {
        let with = |conditions: Value, waited: u64| {
            progress(&json!({"status": {"conditions": conditions}}), Duration::from_secs(waited))
        };
        let running = json!({"type": "Running", "status": "True"});
        let over = json!({"type": "Running", "status": "False"});
        assert_eq!(progress(&json!({}), Duration::ZERO), Progress::Waiting);
        assert_eq!(progress(&json!({}), Duration::from_secs(5)), Progress::Ignored);
        assert_eq!(with(json!([running]), 500), Progress::Running);
        assert_eq!(with(json!([over, {"type": "Succeeded", "status": "True"}]), 1), Progress::Succeeded);
        let failed = json!({"type": "Failed", "status": "True", "message": "no"});
        assert_eq!(with(json!([over, failed]), 1), Progress::Failed("no".to_owned()));
    }
}
