//! The object in the cluster equals the manifest that a GitOps tool has applied. Argo CD compares each field: where
//! the API server changes a field, Argo CD shows a difference or applies the manifest again and again.
//! <https://argo-cd.readthedocs.io/en/stable/user-guide/diff-strategies/>

use crate::support::{Plane, must, project, temporary, text, tool};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// Adds to `found` the paths at which the object `live` lacks a value of `manifest`. Lists are compared item by
/// item, as Argo CD compares lists of kinds that it does not know.
fn differences(manifest: &Value, live: &Value, place: &str, found: &mut Vec<String>) {
    match (manifest, live) {
        (Value::Object(fields), Value::Object(others)) => {
            for (name, value) in fields {
                differences(value, others.get(name).unwrap_or(&Value::Null), &format!("{place}.{name}"), found);
            }
        }
        (Value::Array(items), Value::Array(others)) if items.len() == others.len() => {
            for (index, (item, other)) in items.iter().zip(others).enumerate() {
                differences(item, other, &format!("{place}[{index}]"), found);
            }
        }
        _ if manifest == live => {}
        _ => found.push(format!("{place}: {manifest} is {live}")),
    }
}

fn documents(text: &str) -> Vec<Value> {
    let documents: Vec<Value> = serde_yaml::from_multiple(text).unwrap();
    documents.into_iter().filter(|one| !one.is_null()).collect()
}

/// Applies manifests twice as Argo CD does. Returns the differences between the manifests and the objects, and the
/// objects that the second apply has changed.
fn applied(kubectl: &dyn Fn(&[&str]) -> Command, rendered: &Path) -> Vec<String> {
    let file = rendered.to_str().unwrap();
    let live = || {
        must(&mut kubectl(&["apply", "--server-side", "--field-manager=argocd-controller", "-f", file]));
        let list: Value =
            serde_json::from_slice(&must(&mut kubectl(&["get", "-f", file, "-o", "json"])).stdout).unwrap();
        list["items"].as_array().unwrap().clone()
    };
    let (first, second) = (live(), live());
    let manifests = documents(&std::fs::read_to_string(rendered).unwrap());
    assert!(manifests.len() == first.len() && first.len() == second.len(), "{} objects", first.len());
    let mut found = Vec::new();
    for ((mut manifest, live), later) in manifests.into_iter().zip(first).zip(second) {
        let (metadata, kind) = (live["metadata"].clone(), live["kind"].clone());
        // Argo CD takes the namespace from objects outside of namespaces, which kustomize gives to kinds that it does not know.
        if metadata["namespace"].is_null() {
            manifest["metadata"].as_object_mut().unwrap().remove("namespace");
        }
        let place = format!("{}/{}", kind.as_str().unwrap(), metadata["name"].as_str().unwrap());
        differences(&manifest, &live, &place, &mut found);
        // The status of a CRD comes after it.
        let generation = |of: &Value| of["metadata"]["generation"].clone();
        if generation(&live) != generation(&later) {
            found.push(format!("{place} is changed by the second time"));
        }
    }
    found
}

#[test]
fn applied_objects_equal_their_rendered_manifests() {
    let plane = Plane::start();
    let folder = temporary();
    let file = folder.path().join("rendered.yaml");
    // The samples of the others need webhooks, and so an operator that runs.
    for (name, folders, objects) in [
        ("kinds-operator", &["config/default", "config/samples"][..], 25),
        ("platform-operator", &["config/default"], 40),
        ("shop-operator", &["config/default"], 15),
    ] {
        let root = project(name);
        let kubectl = |arguments: &[&str]| {
            let mut kubectl = tool("kubectl");
            kubectl.args(arguments).current_dir(&root).env("KUBECONFIG", &plane.kubeconfig);
            kubectl
        };
        let mut count = 0;
        for folder in folders {
            let rendered = text(&must(&mut kubectl(&["kustomize", folder])).stdout);
            count += documents(&rendered).len();
            std::fs::write(&file, rendered).unwrap();
            let found = applied(&kubectl, &file);
            assert!(found.is_empty(), "{name} {folder}:\n{}", found.join("\n"));
            must(&mut kubectl(&["wait", "--for=condition=Established", "crd", "--all", "--timeout=30s"]));
        }
        assert!(count >= objects, "{count} objects of {name}");
    }
}

#[test]
fn fields_that_the_server_changes_are_differences_and_defaults_are_not() {
    let manifest = json!({ "limits": { "cpu": "1000m" }, "ports": [{ "port": 80 }] });
    for (live, expected) in [
        (json!({ "limits": { "cpu": "1" }, "ports": [{ "port": 80 }] }), "a.limits.cpu: \"1000m\" is \"1\""),
        (json!({ "limits": { "cpu": "1000m" } }), "a.ports: [{\"port\":80}] is null"),
        (json!({ "limits": { "cpu": "1000m" }, "ports": [{ "port": 80, "protocol": "TCP" }] }), ""),
    ] {
        let mut found = Vec::new();
        differences(&manifest, &live, "a", &mut found);
        assert_eq!(found.join("\n"), expected);
    }
}
