//! Random additions to a project's `config/`, which are the same for the same seed.

use super::objects::further_object;
use super::texts::{random_labels, random_text};
use crate::support::{Place, Random, asked, at_once, lay, opctl, project, tool};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const PROJECTS: [&str; 4] = ["webserver-operator", "platform-operator", "shop-operator", "bare-operator"];
const IMAGES: [&str; 4] = [
    "localhost:5000/web:1.0",
    "registry.example.com/webserver-operator-controller-manager",
    "web@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "web:1e3",
];

/// A project with a random `config/`.
pub(super) struct RandomTree {
    pub(super) place: Place,
    pub(super) project: &'static str,
    pub(super) image: &'static str,
    /// True if the names of all objects begin with a prefix.
    pub(super) has_prefix: bool,
}

/// Makes the project of a seed. Returns `None` if kustomize does not render it.
pub(super) fn random_tree(seed: u64) -> Option<RandomTree> {
    let random = &mut Random::mixed(seed);
    let place = Place::new();
    let name = PROJECTS[random.below(PROJECTS.len())];
    let root = place.root();
    lay(&project(name), &root);
    for part in ["metrics", "prometheus", "network-policy", "cert-manager", "grafana"] {
        let flag = ["--enable", "--disable", ""][random.below(3)];
        if !flag.is_empty() {
            // Some need others.
            let _ = opctl(&["edit", flag, part]).current_dir(&root).output().unwrap();
        }
    }
    fs::create_dir(root.join("config/further")).unwrap();
    fs::write(root.join("config/further/kustomization.yaml"), "resources: [all.yaml]\n").unwrap();
    edit_manager(random, &root.join("config/manager/manager.yaml"), name);
    let has_prefix = edit_kustomization(random, &root.join("config/default/kustomization.yaml"), name);
    let image = IMAGES[random.below(IMAGES.len())];
    let mut kustomize = tool("kubectl");
    kustomize.args(["kustomize", "config/default"]).current_dir(&root);
    // kustomize refuses objects that the project has already.
    let is_rendered = (0..8).any(|_| {
        further_objects(random, &root, name);
        kustomize.output().unwrap().status.success()
    });
    is_rendered.then_some(RandomTree { place, project: name, image, has_prefix })
}

fn further_objects(random: &mut Random, root: &Path, project: &str) {
    let mut seen = BTreeSet::new();
    let mut text = String::new();
    for _ in 0..=random.below(12) {
        let object = further_object(random, project);
        let metadata = &object["metadata"];
        // kustomize moves all objects to one namespace.
        let key = [&object["apiVersion"], &object["kind"], &metadata["name"]].map(Value::to_string);
        if seen.insert(key) {
            text += &document(&object);
        }
    }
    fs::write(root.join("config/further/all.yaml"), text).unwrap();
}

/// Returns `object` as a YAML document in JSON syntax. The document has only ASCII characters and line breaks, because
/// kubectl refuses control characters that are not escaped.
fn document(object: &Value) -> String {
    let mut text = "---\n".to_owned();
    for character in object.to_string().chars() {
        if (' '..='~').contains(&character) {
            text.push(character);
        } else {
            text.extend(character.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    text + "\n"
}

/// Sets fields of the operator's Deployment.
fn edit_manager(random: &mut Random, path: &Path, project: &str) {
    let mut documents: Vec<Value> = serde_yaml::from_multiple(&fs::read_to_string(path).unwrap()).unwrap();
    let deployment = documents.iter_mut().find(|document| document["kind"] == "Deployment").unwrap();
    let text = |random: &mut Random| random_text(random, project);
    match random.below(4) {
        0 => deployment["spec"]["replicas"] = json!(random.below(3)),
        1 => drop(deployment["spec"].as_object_mut().unwrap().remove("replicas")),
        _ => {}
    }
    if random.below(4) == 0 {
        deployment["metadata"]["annotations"] = json!({"a.example.com/b": text(random)});
    }
    let template = &mut deployment["spec"]["template"];
    if random.below(3) == 0 {
        template["metadata"]["annotations"] = json!({"zzzz.example.com/z": text(random), "a": text(random)});
    }
    let pod = &mut template["spec"];
    for (key, value) in [
        ("nodeSelector", json!({"disk": "on", "size": "1e3"})),
        ("nodeSelector", json!({})),
        (
            "tolerations",
            json!([{"operator": "Exists", "tolerationSeconds": 10_000_000}, {"key": "~", "value": "null"}]),
        ),
        ("tolerations", json!([])),
        ("imagePullSecrets", json!([{"name": "key"}, {"name": "1e3"}])),
        (
            "affinity",
            json!({"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [
                {"weight": 1, "preference": {"matchExpressions": [{"key": "a", "operator": "In", "values": ["yes", text(random)]}]}}
            ]}}),
        ),
        ("priorityClassName", json!("on")),
        ("hostNetwork", json!(true)),
        ("securityContext", json!({"runAsUser": 65532, "fsGroup": 4_000_000_000_u64})),
        ("volumes", json!([{"name": "v", "configMap": {"name": "settings"}}, {"name": "e", "emptyDir": {}}])),
        ("serviceAccountName", json!("cache")),
    ] {
        if random.below(4) == 0 {
            pod[key] = value;
        }
    }
    let containers = pod["containers"].as_array_mut().unwrap();
    let manager = containers.iter_mut().find(|container| container["name"] == "manager").unwrap();
    for (key, value) in [
        ("imagePullPolicy", json!("Always")),
        ("resources", json!({})),
        ("resources", json!({"limits": {"memory": "1Gi", "cpu": 2}})),
        ("envFrom", json!([{"configMapRef": {"name": "settings"}}, {"secretRef": {"name": "settings"}}])),
        ("args", json!([])),
        (
            "args",
            json!([
                "--leader-elect",
                text(random),
                "--metrics-odd={{ x }}",
                format!("--metrics-at=x.{project}-system.svc")
            ]),
        ),
        (
            "env",
            json!([{"name": "A", "value": text(random)}, {"name": "METRICS_X", "value": text(random)},
            {"name": "B", "valueFrom": {"fieldRef": {"fieldPath": "metadata.namespace"}}}]),
        ),
        ("command", json!([text(random)])),
        ("volumeMounts", json!([{"name": "v", "mountPath": "/v"}, {"name": "e", "mountPath": "/e"}])),
        ("livenessProbe", json!({"exec": {"command": ["sh", "-c", text(random)]}})),
        ("securityContext", json!({"capabilities": {"drop": ["ALL"]}, "readOnlyRootFilesystem": false})),
    ] {
        if random.below(4) == 0 {
            manager[key] = value;
        }
    }
    let sidecar = json!({"name": "proxy", "image": "proxy:1", "args": [text(random)], "env": [{"name": "METRICS_Y", "value": "1"}]});
    match random.below(4) {
        0 => containers.insert(0, sidecar),
        1 => containers.push(sidecar),
        _ => {}
    }
    if random.below(6) == 0 {
        pod["initContainers"] = json!([{"name": "init", "image": "init:1", "args": [text(random)]}]);
    }
    if random.below(6) == 0 {
        for (key, value) in random_labels(random) {
            deployment["spec"]["template"]["metadata"]["labels"][key] = value.into();
        }
    }
    let texts: Vec<String> = documents.iter().map(document).collect();
    fs::write(path, texts.concat()).unwrap();
}

/// Edits the kustomization at random. Returns true if the edited kustomization has a name prefix that ends in `-`.
fn edit_kustomization(random: &mut Random, path: &Path, project: &str) -> bool {
    let mut text = fs::read_to_string(path).unwrap();
    let place = ["- ../crd\n", "- ../rbac\n", "- ../manager\n"].into_iter().find(|line| text.contains(*line)).unwrap();
    text = text.replacen(place, &format!("- ../further\n{place}"), 1);
    let prefix = format!("namePrefix: {project}-\n");
    let mut has_prefix = true;
    match random.below(8) {
        0 => text = text.replace(&prefix, "namePrefix: web-\n"),
        1 => text = text.replace(&prefix, "nameSuffix: -x\n") + &prefix,
        2 => {
            text = text.replace(&prefix, "");
            has_prefix = false;
        }
        3 => {
            text = text.replace(&prefix, "namePrefix: web\n");
            has_prefix = false;
        }
        _ => {}
    }
    let namespace = format!("namespace: {project}-system\n");
    match random.below(8) {
        0 => text = text.replace(&namespace, ""),
        1 => text = text.replace(&namespace, "namespace: '123'\n"),
        _ => {}
    }
    if random.below(8) == 0 {
        text += &format!(
            "commonAnnotations: {}\n",
            document(&json!({"note": random_text(random, project)})).trim_start_matches("---\n")
        );
    }
    fs::write(path, text).unwrap();
    has_prefix
}

/// Makes projects with random additions to `config/`, and calls `compared` for each project that kustomize renders. The
/// variable `TREES` sets the number of projects; the default is `usual`.
///
/// # Panics
///
/// Panics with all failures of `compared`, or if kustomize renders at most half of the projects.
pub(super) fn all_trees(usual: u64, compared: fn(&RandomTree)) {
    let (first, count) = (asked("TREES_SEED").unwrap_or(1), asked("TREES").unwrap_or(usual));
    let seeds: Vec<u64> = (first..first + count).collect();
    let done = at_once(&seeds, |seed| {
        let tree = random_tree(*seed)?;
        let outcome = std::panic::catch_unwind(|| compared(&tree));
        Some(outcome.map_err(|error| {
            let said = error.downcast_ref::<String>().map(String::as_str);
            let said = said.or_else(|| error.downcast_ref::<&str>().copied());
            format!("seed {seed}: {}", said.unwrap_or_default())
        }))
    });
    let rendered: Vec<_> = done.into_iter().flatten().collect();
    let failed: Vec<&str> = rendered.iter().filter_map(|outcome| outcome.as_ref().err()).map(String::as_str).collect();
    assert!(failed.is_empty(), "{} of {}:\n{}", failed.len(), rendered.len(), failed.join("\n\n"));
    println!("{} of {count} trees rendered", rendered.len());
    assert!(rendered.len() * 2 > seeds.len(), "kustomize renders {} of {count} trees", rendered.len());
}
