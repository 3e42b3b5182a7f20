//! Compares the project's CRDs with those in the cluster.

use crate::Result;
use crate::cluster::crd::crd_api::{RESOURCE, api_resource};
use crate::cluster::request::condition::is_true;
use crate::cluster::request::contains::has_wanted_fields;
use crate::cluster::{Attempt, Connection, Definition, request_error};
use kube::Api;
use kube::api::DynamicObject;
use serde::Serialize;
use serde_json::Value;

/// A CRD that is installed in the cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Installed {
    /// False while the API server does not serve the CRD, for example because another CRD already uses its names.
    pub(super) established: bool,
    pub(super) served: Vec<String>,
    pub(super) storage: String,
    /// The versions that objects may be stored in.
    pub(super) stored: Vec<String>,
    /// True if the live CRD lacks a field of the CRD in `config/crd`, or has another value for such a field.
    pub(super) drifted: bool,
    /// True if the status has a field `conditions`, or may have any field, in the schema of the version in which opctl
    /// reads the objects.
    #[serde(skip)]
    pub(super) has_conditions: bool,
}

/// Reads the live CRD of `definition`; returns `None` if the CRD is not installed.
pub(super) async fn read_installed_definition(
    connection: &Connection,
    definition: &Definition,
) -> Result<Option<Installed>> {
    let api: Api<DynamicObject> = Api::all_with(connection.client.clone(), &api_resource());
    let attempt = Attempt { verb: "get", resource: RESOURCE, name: &definition.name, namespace: None };
    let live = api.get_opt(&definition.name).await.map_err(|error| request_error(&error, connection, attempt))?;
    Ok(live.map(|live| compare_definition(&live.data, &definition.object.data)))
}

fn compare_definition(live: &Value, wanted: &Value) -> Installed {
    let versions = live.pointer("/spec/versions").and_then(Value::as_array).into_iter().flatten();
    let name = |version: &Value| version["name"].as_str().unwrap_or_default().to_owned();
    let mut served: Vec<&Value> = versions.clone().filter(|version| version["served"] == true).collect();
    served.sort_by_key(|version| version["storage"] != true);
    let status = "/schema/openAPIV3Schema/properties/status";
    let has_conditions = served.first().is_some_and(|version| {
        let free = version.pointer(&format!("{status}/x-kubernetes-preserve-unknown-fields"));
        version.pointer(&format!("{status}/properties/conditions")).is_some() || free == Some(&Value::Bool(true))
    });
    let stored = live.pointer("/status/storedVersions").and_then(Value::as_array);
    Installed {
        established: is_true(live, "Established"),
        served: served.iter().map(|version| name(version)).collect(),
        storage: versions.clone().find(|version| version["storage"] == true).map(name).unwrap_or_default(),
        stored: stored.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect(),
        drifted: !has_wanted_fields(&live["spec"], &wanted["spec"]),
        has_conditions,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_crd_lists_the_stored_version_first_and_reports_drift() {
        let version = |name: &str, storage: bool| {
            let conditions = json!({"properties": {"status": {"properties": {"conditions": {"type": "array"}}}}});
            json!({"name": name, "served": true, "storage": storage, "schema": {"openAPIV3Schema": conditions}})
        };
        let wanted = json!({"spec": {"versions": [version("v1alpha1", false), version("v1", true)]}});
        let mut live = wanted.clone();
        live["spec"]["conversion"] = json!({"strategy": "None"});
        live["status"] = json!({"storedVersions": ["v1"], "conditions": [{"type": "Established", "status": "True"}]});
        let found = compare_definition(&live, &wanted);
        assert_eq!(found.served, ["v1", "v1alpha1"]);
        assert!(found.established && found.has_conditions && !found.drifted, "{found:?}");
        live["spec"]["versions"][1]["schema"]["openAPIV3Schema"]["properties"]["status"] = json!({"type": "object"});
        let found = compare_definition(&live, &wanted);
        assert!(found.drifted && !found.has_conditions, "{found:?}");
    }
}
