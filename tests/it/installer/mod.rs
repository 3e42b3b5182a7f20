//! `opctl build-installer`: one file, and a Helm chart with the same objects. helm and an API server check both.

mod values;

use crate::policies::denied;
use crate::support::{Plane, go_program, lay, must, opctl, project, temporary, tool, web_servers};
use kube::api::{DynamicObject, PostParams};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

pub(crate) fn helm() -> Command {
    static HELM: OnceLock<PathBuf> = OnceLock::new();
    let mut helm = tool(HELM.get_or_init(|| go_program("helm", "helm.sh/helm/v3/cmd/helm")));
    // Without the plugins and repositories of the user.
    helm.env_remove("XDG_CACHE_HOME").env_remove("XDG_DATA_HOME");
    helm
}

/// Copies the project `name` from `testdata/golden`, enables the optional `parts` of its `config/`, and builds an
/// installer and a chart in it.
fn made(name: &str, parts: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = temporary();
    let root = folder.path().join(name);
    lay(&project(name), &root);
    must(opctl(&["edit", "--enable", parts]).current_dir(&root));
    must(&mut build(&root, &["--image", "localhost:5000/web:1.0"]));
    (folder, root)
}

fn build(root: &Path, arguments: &[&str]) -> Command {
    let mut command = opctl(&[&["build-installer", "--chart"], arguments].concat());
    command.current_dir(root);
    command
}

fn templated(root: &Path, arguments: &[&str]) -> String {
    let mut helm = helm();
    let release = root.file_name().unwrap().to_str().unwrap();
    let namespace = format!("{release}-system");
    helm.args(["template", release, "dist/chart", "--namespace", &namespace]).args(arguments).current_dir(root);
    String::from_utf8(must(&mut helm).stdout).unwrap()
}

/// Removes the labels and annotations that only a chart or only an installer has.
pub(crate) fn without_marks_of_helm(object: &mut Value) {
    let metadata = object["metadata"].as_object_mut().unwrap();
    for (key, names) in [
        ("labels", &["app.kubernetes.io/managed-by", "app.kubernetes.io/instance", "helm.sh/chart"][..]),
        ("annotations", &["helm.sh/resource-policy"]),
    ] {
        if let Some(entries) = metadata.get_mut(key).and_then(Value::as_object_mut) {
            entries.retain(|name, _| !names.contains(&name.as_str()));
        }
        if metadata.get(key).is_some_and(|entries| entries.as_object().is_none_or(serde_json::Map::is_empty)) {
            metadata.remove(key);
        }
    }
}

/// Returns the objects by kind and name, without the Namespace, and without the labels and annotations that only the
/// chart has.
fn objects(text: &str) -> BTreeMap<String, Value> {
    let all: Vec<Value> = serde_yaml::from_multiple(text).unwrap();
    let all = all.into_iter().filter(|object| !object.is_null() && object["kind"] != "Namespace");
    let named = all.map(|mut object| {
        without_marks_of_helm(&mut object);
        (format!("{}/{}", object["kind"].as_str().unwrap(), object["metadata"]["name"].as_str().unwrap()), object)
    });
    named.collect()
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn the_chart_says_what_the_installer_says() {
    for (name, parts) in [
        ("webserver-operator", "prometheus,network-policy"),
        ("platform-operator", "prometheus,network-policy"),
        ("platform-operator", "cert-manager,network-policy"),
    ] {
        let (_folder, root) = made(name, parts);
        let linted = must(helm().args(["lint", "--strict", "dist/chart"]).current_dir(&root));
        assert!(String::from_utf8_lossy(&linted.stdout).contains("0 chart(s) failed"));
        let installer = std::fs::read_to_string(root.join("dist/install.yaml")).unwrap();
        assert!(installer.contains("image: localhost:5000/web:1.0"), "{installer}");
        let (chart, installer) = (objects(&templated(&root, &[])), objects(&installer));
        assert_eq!(chart.keys().collect::<Vec<_>>(), installer.keys().collect::<Vec<_>>());
        // Helm creates the namespace without labels, so the chart's webhooks exclude it by name.
        let without = |key: &str, value: &str| json!({"key": key, "operator": "NotIn", "values": [value]}).to_string();
        let by_label = without("app.kubernetes.io/name", name);
        let by_name = without("kubernetes.io/metadata.name", &format!("{name}-system"));
        for (object, content) in &installer {
            let expected = content.to_string().replace(&by_label, &by_name);
            assert_eq!(chart[object].to_string(), expected, "{name}: {object}");
        }
    }
}

/// Additional objects in `config`. Some of them have the same name as another object.
const CROWD: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata: {name: cache, namespace: system}
spec:
  selector: {matchLabels: {app: cache}}
  template:
    metadata: {labels: {app: cache}}
    spec: {serviceAccountName: cache, containers: [{name: redis, image: 'redis:7', args: [--save]}]}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: cache, namespace: system}
---
apiVersion: v1
kind: Service
metadata: {name: cache, namespace: system}
spec: {ports: [{port: 6379}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: cache, namespace: system}
spec: {maxUnavailable: 2, selector: {matchLabels: {app: cache}}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: manager-role, namespace: system}
rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: cache, namespace: system}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: manager-role}
subjects: [{kind: ServiceAccount, name: cache, namespace: system}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: system}
data: {text: '{{ .Values.none }}'}
---
apiVersion: v1
kind: Secret
metadata: {name: settings, namespace: system}
stringData: {key: value}
";

/// Makes a project with many objects in `config`, and its installer and chart.
fn crowded() -> (tempfile::TempDir, PathBuf) {
    let (folder, root) = made("webserver-operator", "prometheus,network-policy");
    let write = |path: &str, text: &str| std::fs::write(root.join(path), text).unwrap();
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
    std::fs::create_dir(root.join("config/cache")).unwrap();
    write("config/cache/all.yaml", CROWD);
    write("config/cache/kustomization.yaml", "resources: [all.yaml]\n");
    let list = read("config/default/kustomization.yaml");
    // The first Deployment is not the operator's.
    write("config/default/kustomization.yaml", &list.replacen("- ../crd\n", "- ../cache\n- ../crd\n", 1));
    let settings = "      tolerations: [{operator: Exists}]\n      nodeSelector: {disk: ssd}\n      \
                    imagePullSecrets: [{name: key}]\n      priorityClassName: high\n      \
                    affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: []}}\n      containers:\n";
    let manager = read("config/manager/manager.yaml").replacen("      containers:\n", settings, 1);
    let manager = manager.replacen(
        "        image: controller:latest\n",
        "        image: controller:latest\n        imagePullPolicy: Always\n",
        1,
    );
    write("config/manager/manager.yaml", &manager);
    must(&mut build(&root, &["--image", "localhost:5000/web:1.0"]));
    (folder, root)
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn only_the_objects_of_the_operator_have_values() {
    let (_folder, root) = crowded();
    let installer = objects(&std::fs::read_to_string(root.join("dist/install.yaml")).unwrap());
    let chart = objects(&templated(&root, &[]));
    assert_eq!(chart.keys().collect::<Vec<_>>(), installer.keys().collect::<Vec<_>>());
    for (object, content) in &installer {
        assert_eq!(chart[object], *content, "{object}");
    }
    let manager = "Deployment/webserver-operator-controller-manager";
    assert!(installer[manager].to_string().contains("\"disk\":\"ssd\""), "{}", installer[manager]);
    let values = "replicas=3,image.repository=other,image.pullPolicy=Never,nodeSelector.disk=hdd,args[0]=--more,\
                  serviceAccount.name=other,podDisruptionBudget.enabled=false,networkPolicy.enabled=false,rbac.create=false";
    let changed = objects(&templated(&root, &["--set", values]));
    let of_cache = installer.iter().filter(|(name, _)| name.ends_with("-cache"));
    let others = ["Role/webserver-operator-manager-role", "ConfigMap/webserver-operator-settings"];
    let others = others.into_iter().map(|name| (name, &installer[name]));
    let mut count = 0;
    for (name, object) in of_cache.map(|(name, object)| (name.as_str(), object)).chain(others) {
        assert_eq!(changed.get(name), Some(object), "{name}");
        count += 1;
    }
    assert_eq!(count, 7);
    let manager = changed[manager].to_string();
    for text in ["\"disk\":\"hdd\"", "Never", "--more", "\"other:1.0\"", "\"replicas\":3"] {
        assert!(manager.contains(text), "{text}: {manager}");
    }
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn both_are_accepted_and_edits_are_kept() {
    let (_folder, root) = made("webserver-operator", "prometheus,network-policy");
    let plane = Plane::start();
    let kubectl = |arguments: &[&str]| {
        must(tool("kubectl").args(arguments).current_dir(&root).env("KUBECONFIG", &plane.kubeconfig));
    };
    std::fs::write(root.join("monitors.yaml"), crate::config::SERVICE_MONITORS).unwrap();
    std::fs::write(root.join("chart.yaml"), templated(&root, &[])).unwrap();
    let apply = ["apply", "--server-side", "--validate=strict", "--force-conflicts", "-f"];
    for file in ["monitors.yaml", "dist/install.yaml", "chart.yaml"] {
        kubectl(&[&apply[..], &[file]].concat());
    }

    let said = |command: &mut Command| String::from_utf8(must(command).stderr).unwrap();
    assert!(said(&mut build(&root, &["--image", "localhost:5000/web:1.0"])).contains("nothing to do"));
    // A value that a user has set stays. A template that a user has edited is not overwritten.
    let edit = |path: &str, from: &str, to: &str| {
        let text = std::fs::read_to_string(root.join(path)).unwrap();
        assert!(text.contains(from), "{text}");
        std::fs::write(root.join(path), text.replace(from, to)).unwrap();
    };
    edit("dist/chart/values.yaml", "replicas: 1", "replicas: 2");
    let text = said(&mut build(&root, &["--image", "localhost:5000/web:1.1"]));
    assert!(text.contains("skip dist/chart/values.yaml") && text.contains("update dist/install.yaml"), "{text}");
    assert!(text.contains("update dist/chart/Chart.yaml"), "{text}");
    must(opctl(&["edit", "--disable", "prometheus"]).current_dir(&root));
    let text = said(&mut build(&root, &["--image", "localhost:5000/web:1.1"]));
    assert!(text.contains("remove dist/chart/templates/prometheus/"), "{text}");
    edit("dist/chart/templates/manager/controller-manager.yaml", "replicas: ", "replicas:  ");
    let output = build(&root, &["--image", "localhost:5000/web:1.1"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("controller-manager.yaml` is in the way") && text.contains("--chart --force"), "{text}");
    must(&mut build(&root, &["--image", "localhost:5000/web:1.1", "--force"]));
}

#[tokio::test]
#[ignore = "it takes minutes: .ci/long"]
async fn policies_hold_by_the_installer_and_by_the_chart() {
    const CREATED_BY: &str = "example.com/created-by";
    let folder = temporary();
    let root = folder.path().join("webserver-operator");
    lay(&project("webserver-operator"), &root);
    for flags in [&[][..], &["--mutating"]] {
        must(opctl(&[&["create", "policy", "--kind", "WebServer"], flags].concat()).current_dir(&root));
    }
    must(&mut build(&root, &["--image", "localhost:5000/web:1.0"]));
    std::fs::write(root.join("chart.yaml"), templated(&root, &[])).unwrap();
    let object = json!({
        "apiVersion": "example.com/v1alpha1", "kind": "WebServer", "spec": {},
        "metadata": {"name": "sample", "annotations": {CREATED_BY: ""}},
    });
    let object: DynamicObject = serde_json::from_value(object).unwrap();
    for file in ["dist/install.yaml", "chart.yaml"] {
        let plane = Plane::start();
        let apply = ["apply", "--server-side", "--validate=strict", "-f", file];
        // As `helm install --create-namespace` does.
        for arguments in [&["create", "namespace", "webserver-operator-system"][..], &apply] {
            let mut kubectl = tool("kubectl");
            must(kubectl.args(arguments).current_dir(&root).env("KUBECONFIG", &plane.kubeconfig));
        }
        let servers = web_servers(&plane.client().await);
        // It takes some moments until the kind is served and the policies are enforced.
        let begun = Instant::now();
        let is_filled_in =
            |object: &DynamicObject| object.metadata.annotations.iter().any(|all| !all[CREATED_BY].is_empty());
        let dry_run = PostParams { dry_run: true, ..PostParams::default() };
        while !servers.create(&dry_run, &object).await.is_ok_and(|made| is_filled_in(&made)) {
            assert!(begun.elapsed().as_secs() < 20, "{file}: nobody fills in the annotation");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        assert!(is_filled_in(&servers.create(&PostParams::default(), &object).await.unwrap()), "{file}");
        let refused = denied(&servers, CREATED_BY).await;
        assert!(refused.message.contains("the creator stays"), "{file}: {refused:?}");
    }
}
