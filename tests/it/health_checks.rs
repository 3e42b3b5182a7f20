//! Checks that the Lua scripts for Argo CD and the CEL expressions for Flux, both printed by `opctl health-checks`,
//! give the same health for an object in every state. This health agrees with the object's status in kstatus, except in
//! states that kstatus does not distinguish.

use crate::support::{Place, must, opctl, text};
use mlua::{Lua, LuaSerdeExt};
use serde_json::{Value, json};
use std::path::Path;

/// Returns the parsed output of `opctl health-checks --for <tool>`.
fn printed(root: &Path, tool: &str) -> Value {
    let output = must(opctl(&["health-checks", "--for", tool]).current_dir(root));
    serde_yaml::from_str(&text(&output.stdout)).unwrap()
}

/// Runs the Argo CD health script for the object's kind, with the object as the Lua global `obj`, as in Argo CD.
/// Returns the health status.
fn argo_cd(root: &Path, object: &Value) -> String {
    let group = object["apiVersion"].as_str().unwrap().split('/').next().unwrap();
    let key = format!("resource.customizations.health.{group}_{}", object["kind"].as_str().unwrap());
    let map = printed(root, "argo-cd");
    assert_eq!(map["metadata"]["name"], "argocd-cm");
    let lua = Lua::new();
    // A field that is null is absent in Kubernetes.
    let options = mlua::serde::ser::Options::new().serialize_none_to_null(false).serialize_unit_to_null(false);
    lua.globals().set("obj", lua.to_value_with(object, options).unwrap()).unwrap();
    let script = map["data"][&key].as_str().unwrap_or_else(|| panic!("no {key} in {map:#}"));
    let said: mlua::Table = lua.load(script).eval().unwrap();
    assert!(said.get::<String>("message").is_ok());
    said.get("status").unwrap()
}

/// Returns the health that Flux would report for an object: compares the generations first, and then evaluates the CEL
/// expressions for the object's kind in the order of Flux.
fn flux(root: &Path, object: &Value) -> &'static str {
    let listed = printed(root, "flux");
    let mut all = listed["healthCheckExprs"].as_array().unwrap().iter();
    let of_kind = all.find(|one| one["kind"] == object["kind"] && one["apiVersion"] == object["apiVersion"]).unwrap();
    let observed = &object["status"]["observedGeneration"];
    if !observed.is_null() && *observed != object["metadata"]["generation"] {
        return "in progress";
    }
    for (rule, means) in [("inProgress", "in progress"), ("failed", "failed"), ("current", "current")] {
        let program = cel::Program::compile(of_kind[rule].as_str().unwrap()).unwrap();
        let mut context = cel::Context::default();
        for name in ["metadata", "status"] {
            context.add_variable(name, object[name].clone()).unwrap();
        }
        match program.execute(&context).unwrap() {
            cel::Value::Bool(true) => return means,
            cel::Value::Bool(false) => {}
            other => panic!("{rule}: {other:?}"),
        }
    }
    "in progress"
}

/// Returns the status of kstatus for a custom resource
/// (<https://github.com/kubernetes-sigs/cli-utils/blob/master/pkg/kstatus/status/generic.go>).
fn kstatus(object: &Value) -> &'static str {
    let status = &object["status"];
    if !object["metadata"]["deletionTimestamp"].is_null() {
        return "terminating";
    }
    if !status["observedGeneration"].is_null() && status["observedGeneration"] != object["metadata"]["generation"] {
        return "in progress";
    }
    let conditions = status["conditions"].as_array().cloned().unwrap_or_default();
    let of = |name: &str| conditions.iter().find(|one| one["type"] == name).map(|one| one["status"].clone());
    match (of("Reconciling"), of("Stalled"), of("Ready")) {
        (Some(reconciling), _, _) if reconciling == "True" => "in progress",
        (_, Some(stalled), _) if stalled == "True" => "failed",
        (_, _, Some(ready)) if ready == "True" => "current",
        (_, _, Some(_)) => "in progress",
        _ => "current",
    }
}

/// Checks that Argo CD and Flux report `health` (`current`, `failed` or `in progress`) for an object.
#[track_caller]
pub(crate) fn says(root: &Path, object: &Value, health: &str) {
    let of_argo_cd = match argo_cd(root, object).as_str() {
        "Healthy" => "current",
        "Degraded" => "failed",
        "Progressing" => "in progress",
        other => panic!("{other} is no health of Argo CD"),
    };
    assert_eq!((of_argo_cd, flux(root, object)), (health, health), "Argo CD and Flux say of {object:#}");
}

fn object(status: &Value) -> Value {
    let metadata = json!({"name": "web", "generation": 2});
    json!({"apiVersion": "example.com/v1alpha1", "kind": "WebServer", "metadata": metadata, "spec": {}, "status": status})
}

/// Returns a status with these conditions. Its observed generation is 2, the generation of the objects in tests.
fn status(conditions: &[(&str, &str)]) -> Value {
    let condition = |(name, status): &(&str, &str)| json!({"type": name, "status": status, "reason": "Reason", "message": "A message", "observedGeneration": 2});
    let conditions: Vec<Value> = conditions.iter().map(condition).collect();
    json!({"observedGeneration": 2, "conditions": conditions})
}

#[test]
fn both_tools_say_what_the_topic_says() {
    let place = Place::with_project();
    assert!(text(&place.run(&["health-checks", "--for", "flux"]).stderr).contains("hint: opctl create api"));
    place.ok(&["create", "api", "--kind", "WebServer"]);
    let root = place.root();
    let stale = json!({"observedGeneration": 1, "conditions": [{"type": "Ready", "status": "True", "message": ""}]});
    for (state, health, of_kstatus) in [
        (json!({}), "in progress", "current"),
        (json!({"conditions": []}), "in progress", "current"),
        (json!({"observedGeneration": 2}), "current", "current"),
        (stale, "in progress", "in progress"),
        (status(&[("Ready", "True")]), "current", "current"),
        (status(&[("Ready", "False")]), "in progress", "in progress"),
        (status(&[("Ready", "Unknown")]), "in progress", "in progress"),
        (status(&[("Ready", "False"), ("Stalled", "True")]), "failed", "failed"),
        (status(&[("Degraded", "True"), ("Ready", "False")]), "failed", "in progress"),
        (status(&[("Ready", "True"), ("Degraded", "False"), ("Available", "False")]), "current", "current"),
        (status(&[("Available", "True"), ("Ready", "False")]), "in progress", "in progress"),
        (status(&[("Complete", "True")]), "current", "current"),
        (status(&[("Complete", "False")]), "in progress", "current"),
        (status(&[("Complete", "False"), ("Failed", "True")]), "failed", "current"),
        (status(&[("CleanedUp", "False")]), "current", "current"),
    ] {
        let object = object(&state);
        says(&root, &object, health);
        // What the tools say is never better than what kstatus says.
        assert_eq!(kstatus(&object), of_kstatus, "{object:#}");
    }
    let mut deleted = object(&status(&[("Ready", "True")]));
    deleted["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
    says(&root, &deleted, "in progress");
    assert_eq!(kstatus(&deleted), "terminating");
}

/// Checks that kstatus, which needs no health check of the project, gives the object the expected status.
#[track_caller]
pub(crate) fn conforms(object: &Value, expected: &str) {
    assert_eq!(kstatus(object), expected, "kstatus says of {object:#}");
}

#[test]
fn each_kind_is_checked_once_by_its_stored_version() {
    let place = Place::with_project();
    place.ok(&["create", "api", "--group", "apps", "--kind", "Site"]);
    place.ok(&["create", "api", "--group", "apps", "--kind", "Site", "--version", "v1", "--storage-version"]);
    place.ok(&["create", "api", "--kind", "Shop", "--controller=false"]);
    place.ok(&["create", "api", "--group", "apps", "--kind", "Deployment", "--version", "v1", "--resource=false"]);
    let listed = printed(&place.root(), "flux");
    let kinds = listed["healthCheckExprs"].as_array().unwrap().iter();
    let kinds: Vec<_> = kinds.map(|one| format!("{} {}", one["apiVersion"], one["kind"]).replace('"', "")).collect();
    assert_eq!(kinds, ["example.com/v1alpha1 Shop", "apps.example.com/v1 Site"]);
    let data = printed(&place.root(), "argo-cd")["data"].as_object().unwrap().clone();
    assert_eq!(data.keys().map(|key| key.rsplit('.').next().unwrap()).collect::<Vec<_>>(), ["com_Site", "com_Shop"]);
}
