//! Compares the chart, as helm renders it, with the installer.

use super::normal::{Objects, normal, objects, operator, with_excluded_namespace};
use super::tree::{RandomTree, all_trees};
use crate::installer::helm;
use crate::support::{must, opctl};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Renders the chart as helm would install it for the release `release` in the namespace `namespace`.
fn templated(root: &Path, release: &str, namespace: &str) -> Objects {
    let mut helm = helm();
    helm.args(["template", release, "dist/chart", "--namespace", namespace]).current_dir(root);
    objects(&String::from_utf8(must(&mut helm).stdout).unwrap())
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn a_chart_says_what_the_installer_says_whatever_is_in_config() {
    all_trees(24, compared);
}

fn compared(tree: &RandomTree) {
    let root = tree.place.root();
    let report = must(opctl(&["build-installer", "--chart", "--image", tree.image, "-o", "json"]).current_dir(&root));
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    let next = report["next"].as_array().unwrap().last().unwrap().to_string();
    let release = next.split("helm install ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    let installer = objects(&fs::read_to_string(root.join("dist/install.yaml")).unwrap());
    let deployment = operator(&installer);
    let namespace = deployment["metadata"]["namespace"].as_str().unwrap_or("default");
    for object in installer.values().filter(|object| object["kind"] == "Deployment" && *object != deployment) {
        assert_eq!(object["spec"]["template"]["spec"]["containers"][0]["image"], "redis:7");
    }
    let chart = templated(&root, release, namespace);
    let is_its_namespace = |object: &Value| object["kind"] == "Namespace" && object["metadata"]["name"] == namespace;
    let expected = installer.iter().filter(|(_, object)| !is_its_namespace(object));
    let names: BTreeSet<&String> = expected.clone().map(|(name, _)| name).collect();
    assert_eq!(chart.keys().collect::<BTreeSet<_>>(), names, "objects");
    let mut differences = Vec::new();
    for (name, object) in expected {
        let expected = with_excluded_namespace(&normal(object, object == deployment), tree.project, namespace);
        let found = normal(&chart[name], object == deployment);
        if found != expected {
            differences.push(format!("{name}\n  installer {expected}\n  chart     {found}"));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    others(tree, &root, namespace, &chart);
}

/// Renders the chart for other releases, and compares them with the release `first`. Two releases must not share a
/// cluster-scoped object, except CRDs and namespaces. In each release, the same number of references must lead to an
/// existing object.
fn others(tree: &RandomTree, root: &Path, namespace: &str, first: &Objects) {
    let long = "a-release-with-a-name-of-as-many-letters-as-helm-take";
    for (release, space) in [("zq7", "zq9"), (long, "zq9")] {
        let second = templated(root, release, space);
        assert_eq!(second.len(), first.len(), "{release}");
        let shared: Vec<&String> = second
            .iter()
            .filter(|(name, object)| {
                let is_shared = ["CustomResourceDefinition", "Namespace"].iter().any(|kind| object["kind"] == *kind);
                object["metadata"]["namespace"].is_null() && !is_shared && first.contains_key(*name)
            })
            .map(|(name, _)| name)
            .collect();
        assert!(shared.is_empty() || !tree.has_prefix || namespace == "default", "{release}: {shared:?}");
        assert_eq!(led_to(first), led_to(&second), "{release}");
    }
}

/// Returns the number of references that lead to an existing object, for each kind of reference, such as to roles.
fn led_to(objects: &Objects) -> Vec<(&'static str, usize)> {
    let has = |kind: &str, name: &Value| {
        objects.values().any(|object| object["kind"] == kind && object["metadata"]["name"] == *name)
    };
    let mut found = Vec::new();
    let all =
        |pointer: &str| objects.values().filter_map(|object| object.pointer(pointer).cloned()).collect::<Vec<_>>();
    let roles = all("/roleRef");
    found.push(("roles", roles.iter().filter(|role| has(role["kind"].as_str().unwrap(), &role["name"])).count()));
    let subjects: Vec<Value> = all("/subjects").iter().filter_map(Value::as_array).flatten().cloned().collect();
    found.push((
        "subjects",
        subjects.iter().filter(|one| one["kind"] == "ServiceAccount" && has("ServiceAccount", &one["name"])).count(),
    ));
    let accounts = all("/spec/template/spec/serviceAccountName");
    found.push(("accounts", accounts.iter().filter(|name| has("ServiceAccount", name)).count()));
    let webhooks: Vec<Value> = all("/webhooks").iter().filter_map(Value::as_array).flatten().cloned().collect();
    let services = webhooks.iter().map(|webhook| &webhook["clientConfig"]["service"]["name"]);
    found.push(("services", services.filter(|name| has("Service", name)).count()));
    let conversions = all("/spec/conversion/webhook/clientConfig/service/name");
    found.push(("conversions", conversions.iter().filter(|name| has("Service", name)).count()));
    let pods: Vec<Value> = all("/spec/template/spec");
    let variables = pods
        .iter()
        .flat_map(|pod| pod["containers"].as_array().unwrap())
        .flat_map(|container| container["env"].as_array().cloned().unwrap_or_default());
    let named = variables.filter(|variable| {
        let name = variable["name"].as_str().unwrap();
        ["WEBHOOK_", "MUTATING_", "VALIDATING_"].iter().any(|start| name.starts_with(start))
            && objects.values().any(|object| object["metadata"]["name"] == variable["value"])
    });
    found.push(("variables", named.count()));
    found
}
