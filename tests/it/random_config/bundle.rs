//! Compares the bundle with the installer: each object of the installer is in the bundle or is named in a warning, and
//! service accounts have the same rights in both.

use super::normal::{Objects, objects, operator};
use super::tree::{RandomTree, all_trees};
use crate::support::{must, opctl};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn a_bundle_has_or_names_each_object_of_the_installer() {
    all_trees(12, compared);
}

/// The `ClusterServiceVersion`, the other objects and the warnings of a generated bundle.
struct Written {
    version: Value,
    objects: Objects,
    warnings: String,
}

fn compared(tree: &RandomTree) {
    let root = tree.place.root();
    must(opctl(&["build-installer", "--image", tree.image]).current_dir(&root));
    let installer = objects(&fs::read_to_string(root.join("dist/install.yaml")).unwrap());
    let report = must(opctl(&["bundle", "--image", tree.image, "-o", "json"]).current_dir(&root));
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    let written = read(&root.join("bundle/manifests"), report["warnings"].to_string());
    let deployment = operator(&installer);
    let namespace = &deployment["metadata"]["namespace"];
    let lost: Vec<&String> = installer
        .iter()
        .filter(|(_, object)| !has(&written, object, &installer, namespace))
        .map(|(name, _)| name)
        .collect();
    assert!(lost.is_empty(), "lost: {lost:#?}\n{}", written.warnings);
    let own = installer.iter().filter(|(_, object)| {
        object["metadata"]["namespace"].is_null() || object["metadata"]["namespace"] == *namespace
    });
    let own: Objects = own.map(|(name, object)| (name.clone(), object.clone())).collect();
    for account in accounts(&own) {
        let (expected, mut found) = (rights(&own, &account, namespace), rights(&written.objects, &account, namespace));
        let install = &written.version["spec"]["install"]["spec"];
        for (key, kind) in [("clusterPermissions", "ClusterRoleBinding"), ("permissions", "RoleBinding")] {
            let entries = install[key]
                .as_array()
                .into_iter()
                .flatten()
                .filter(|entry| entry["serviceAccountName"] == account.as_str());
            let rules = entries.flat_map(|entry| entry["rules"].as_array().unwrap());
            found.extend(rules.map(|rule| format!("{kind} {rule}")));
        }
        assert_eq!(found, expected, "rights of {account}");
    }
}

fn read(folder: &Path, warnings: String) -> Written {
    let mut texts = String::new();
    let mut version = Value::Null;
    for file in fs::read_dir(folder).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        let value: Value = serde_yaml::from_str(&text).unwrap();
        if value["kind"] == "ClusterServiceVersion" {
            version = value;
        } else {
            texts += &format!("---\n{text}");
        }
    }
    Written { version, objects: objects(&texts), warnings }
}

fn has(written: &Written, object: &Value, installer: &Objects, namespace: &Value) -> bool {
    let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let (kind, name, of) = (text("/kind"), text("/metadata/name"), text("/metadata/namespace"));
    let named = format!("{}/{name}", kind.to_lowercase());
    // The report is JSON.
    let named = Value::from(named).to_string().trim_matches('"').to_owned();
    let is_named = |ends: &[&str]| ends.iter().any(|end| written.warnings.contains(&format!(" {named}{end}")));
    if !of.is_empty() && of != *namespace {
        return is_named(&[&format!(" of the namespace {of}")]);
    }
    if is_named(&[",", "\""]) {
        return true;
    }
    let same = |one: &&Value| {
        ["/apiVersion", "/kind", "/metadata/name"].iter().all(|key| one.pointer(key) == object.pointer(key))
    };
    if let Some(found) = written.objects.values().find(same) {
        let mut expected = object.clone();
        expected["metadata"].as_object_mut().unwrap().remove("namespace");
        let is_changed = ["CustomResourceDefinition", "ServiceMonitor"].contains(&kind);
        assert!(is_changed || *found == expected, "{kind} {name}: {found}\nis not {expected}");
        return true;
    }
    let install = &written.version["spec"]["install"]["spec"];
    let webhooks = written.version["spec"]["webhookdefinitions"].as_array().cloned().unwrap_or_default();
    let of_webhooks =
        |secret: &str| ["webhook-server-cert", "webhook-server-tls"].iter().any(|end| secret.contains(end));
    match kind {
        "Namespace" => object["metadata"]["name"] == *namespace,
        "Deployment" => {
            let mut all = install["deployments"].as_array().unwrap().iter();
            all.any(|one| one["name"] == name && one["spec"]["selector"] == object["spec"]["selector"])
        }
        "ServiceAccount" => ["permissions", "clusterPermissions"].iter().any(|key| {
            install[key]
                .as_array()
                .is_some_and(|entries| entries.iter().any(|entry| entry["serviceAccountName"] == name))
        }),
        // `rights` compares what these grant.
        "Role" | "ClusterRole" | "RoleBinding" | "ClusterRoleBinding" => true,
        "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration" => {
            object["webhooks"].as_array().unwrap().iter().all(|webhook| {
                let name = webhook["name"].as_str().unwrap();
                let is_it = |entry: &Value| {
                    entry["generateName"] == name && entry["webhookPath"] == webhook["clientConfig"]["service"]["path"]
                };
                webhooks.iter().any(is_it)
                    || written.warnings.contains(&format!("the webhook {name}, which no Deployment serves"))
            })
        }
        "Service" => {
            !webhooks.is_empty()
                && installer.values().any(|other| other.to_string().contains(&format!("\"name\":\"{name}\"")))
        }
        "Secret" => of_webhooks(name),
        "Certificate" => text("/apiVersion") == "cert-manager.io/v1" && of_webhooks(text("/spec/secretName")),
        "Issuer" => installer
            .values()
            .filter(|one| one["spec"]["issuerRef"]["name"] == name)
            .all(|one| of_webhooks(one["spec"]["secretName"].as_str().unwrap())),
        _ => false,
    }
}

/// Returns the names of all service accounts to which a binding in `objects` grants a role.
fn accounts(objects: &Objects) -> BTreeSet<String> {
    let subjects = objects.values().flat_map(|object| object["subjects"].as_array().cloned().unwrap_or_default());
    subjects.filter(|one| one["kind"] == "ServiceAccount").map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

/// Returns the rights that the bindings in `objects` grant to the service account `account` in `namespace`: the rules
/// of each bound role, or the role's name if `objects` lacks the rules of the role.
fn rights(objects: &Objects, account: &str, namespace: &Value) -> BTreeSet<String> {
    let mut rights = BTreeSet::new();
    for binding in objects.values().filter(|object| object["kind"].as_str().unwrap().ends_with("RoleBinding")) {
        let is_it = |subject: &Value| {
            subject["kind"] == "ServiceAccount"
                && subject["name"] == account
                && (subject["namespace"].is_null() || subject["namespace"] == *namespace)
        };
        if !binding["subjects"].as_array().is_some_and(|subjects| subjects.iter().any(is_it)) {
            continue;
        }
        let (kind, role) = (binding["kind"].as_str().unwrap(), &binding["roleRef"]);
        let found = objects.values().find(|one| one["kind"] == role["kind"] && one["metadata"]["name"] == role["name"]);
        match found.filter(|role| role["aggregationRule"].is_null()) {
            Some(role) => rights.extend(role["rules"].as_array().unwrap().iter().map(|rule| format!("{kind} {rule}"))),
            None => drop(rights.insert(format!("{kind} of {} {}", role["kind"], role["name"]))),
        }
    }
    rights
}
