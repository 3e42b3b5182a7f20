//! `opctl status` on a real API server, with pods of a simulated node.

use crate::support::{Place, Plane, edit, lay, must, opctl, project, temporary, tool, web_servers};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::{Event, Namespace};
use kube::Client;
use kube::api::{Api, DeleteParams, Patch, PatchParams, PostParams};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Output;

const NAMESPACE: &str = "webserver-operator-system";
const MANAGER: &str = "webserver-operator-controller-manager";
const IMAGE: &str = "registry.example.com/web:1";

struct Stage {
    folder: tempfile::TempDir,
    plane: Plane,
}

impl Stage {
    fn root(&self) -> PathBuf {
        self.folder.path().join("webserver-operator")
    }

    /// Runs `opctl status` without kubectl in PATH.
    fn status(&self, flags: &[&str]) -> Output {
        let mut words = vec!["status"];
        words.extend(flags);
        self.plane.run(&self.root(), &words)
    }

    fn data(&self, flags: &[&str]) -> Value {
        let output = self.status(&[flags, &["-o", "json"]].concat());
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["command"], "status");
        report["data"].clone()
    }

    fn opctl(&self, arguments: &[&str]) {
        must(opctl(arguments).current_dir(self.root()).env("KUBECONFIG", &self.plane.kubeconfig));
    }

    /// Returns a kubeconfig of a user without any rights.
    fn stranger(&self) -> String {
        let text = std::fs::read_to_string(&self.plane.kubeconfig).unwrap();
        let mut kubeconfig: Value = serde_yaml::from_str(&text).unwrap();
        kubeconfig["users"][0]["user"]["as"] = json!("jane");
        let path = self.folder.path().join("jane");
        std::fs::write(&path, kubeconfig.to_string()).unwrap();
        path.display().to_string()
    }
}

/// Returns stdout and stderr of a command.
fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[track_caller]
fn says(output: &Output, code: i32, texts: &[&str]) {
    let said = said(output);
    assert_eq!(output.status.code(), Some(code), "{said}");
    for text in texts {
        assert!(said.contains(text), "it does not say `{text}`:\n{said}");
    }
}

/// Creates three objects: one is ready, one is not, and one has changed since its last status.
async fn objects(client: &Client) {
    let api = web_servers(client);
    for (name, status, seen) in [("good", "True", 1), ("bad", "False", 1), ("old", "True", 0)] {
        let object =
            json!({"apiVersion": "example.com/v1alpha1", "kind": "WebServer", "metadata": {"name": name}, "spec": {}});
        api.patch(name, &PatchParams::apply("test"), &Patch::Apply(&object)).await.unwrap();
        let condition = json!({
            "type": "Ready", "status": status, "reason": "Tested", "message": "no\ndisk", "observedGeneration": seen,
            "lastTransitionTime": "2026-01-01T00:00:00Z",
        });
        let status = json!({"status": {"conditions": [condition]}});
        api.patch_status(name, &PatchParams::default(), &Patch::Merge(&status)).await.unwrap();
    }
    let event = json!({
        "metadata": {"name": "one", "namespace": "default"}, "type": "Warning", "reason": "DiskFull", "message": "no disk",
        "involvedObject": {"apiVersion": "example.com/v1alpha1", "kind": "WebServer", "name": "bad", "namespace": "default"},
        "count": 7, "lastTimestamp": "2026-01-01T00:00:00Z",
    });
    let event: Event = serde_json::from_value(event).unwrap();
    Api::namespaced(client.clone(), "default").create(&PostParams::default(), &event).await.unwrap();
}

fn what_is_missing_before_a_deployment_is_named(stage: &Stage) {
    let kubeconfig = stage.plane.kubeconfig.display().to_string();
    let deploy = format!("opctl deploy --image registry.example.com/my-operator:0.1.0 --kubeconfig {kubeconfig}");
    says(
        &stage.status(&["--kubeconfig", &kubeconfig]),
        0,
        &["Context", MANAGER, "not deployed", "webservers.example.com   no", &deploy],
    );
    let missing = "the CRD `webservers.example.com` is not installed";
    says(&stage.status(&["--check"]), 3, &["error: the operator has problems", missing, "hint: opctl deploy"]);
}

fn a_deployed_operator_is_described(stage: &Stage) {
    let data = stage.data(&["--check"]);
    // The container of a simulated node does not run.
    assert_eq!(data["problems"], json!(["no replica has led yet: there is no lease"]), "{data:#}");
    assert_eq!(data["operator"]["image"], IMAGE);
    assert_eq!((&data["operator"]["wanted"], &data["operator"]["ready"]), (&json!(1), &json!(1)));
    assert_eq!(data["operator"]["pods"][0]["state"], "Running", "{data:#}");
    assert_eq!(data["leader"], Value::Null);
    assert_eq!(data["kinds"][0]["definition"]["drifted"], false, "{data:#}");
    assert_eq!(data["kinds"][0]["definition"]["served"], json!(["v1alpha1"]));
    assert_eq!(data["kinds"][0]["objects"]["total"], 0);
}

/// Creates a lease that its holder has not renewed in time.
async fn expired_lease(client: &Client) {
    let lease = json!({"metadata": {"name": "webserver-operator"}, "spec": {
        "holderIdentity": "somebody", "leaseDurationSeconds": 15, "renewTime": "2026-01-01T00:00:00.000000Z",
    }});
    let lease: Lease = serde_json::from_value(lease).unwrap();
    Api::namespaced(client.clone(), NAMESPACE).create(&PostParams::default(), &lease).await.unwrap();
}

fn objects_are_counted_and_problems_listed(stage: &Stage) {
    let counts = &stage.data(&[])["kinds"][0]["objects"];
    for (name, number) in [("total", 3), ("lookedAt", 3), ("ready", 1), ("notReady", 1), ("stale", 1), ("unknown", 0)] {
        assert_eq!(counts[name], number, "{name}: {counts:#}");
    }
    let lines = [
        "somebody, renewed",
        "expired",
        "differs",
        "Tested   no disk",
        "DiskFull   WebServer default/bad",
        "opctl install",
    ];
    says(&stage.status(&[]), 0, &lines);
    says(
        &stage.status(&["--check"]),
        3,
        &[
            "the CRD `webservers.example.com` differs from `config/crd`",
            "of 3 objects of WebServer, 1 not ready, 1 stale",
            "no replica leads: the lease has expired",
            "hint: opctl install",
        ],
    );
}

fn each_part_that_may_not_be_read_is_named(stage: &Stage, stranger: &str) {
    let output = stage.status(&["--kubeconfig", stranger]);
    says(&output, 0, &["Replicas:", "Leader:"]);
    for resource in
        ["get deployments", "get leases", "get customresourcedefinitions", "list webservers.example.com", "list events"]
    {
        says(&output, 0, &[&format!("cannot be read: you may not {resource} in context")]);
    }
}

/// Gives a user the right to list `WebServer` objects, but no right to read CRDs, and checks that opctl counts the
/// objects for this user.
fn objects_are_counted_without_the_right_to_read_definitions(stage: &Stage, stranger: &str) {
    let role = ["create", "clusterrole", "webs", "--verb=list", "--resource=webservers.example.com"];
    let binding = ["create", "clusterrolebinding", "webs", "--clusterrole=webs", "--user=jane"];
    for words in [role, binding] {
        must(tool("kubectl").env("KUBECONFIG", &stage.plane.kubeconfig).args(words));
    }
    let begun = std::time::Instant::now();
    while stage.data(&["--kubeconfig", stranger])["kinds"][0]["objects"]["total"] != 3 {
        assert!(begun.elapsed().as_secs() < 20, "the right is not heard of");
    }
}

/// Replaces the port in a kubeconfig with a port at which no server answers, and checks that `opctl status` then fails.
fn a_server_that_does_not_answer_is_an_error(stage: &Stage, kubeconfig: &str) {
    let text = std::fs::read_to_string(kubeconfig).unwrap();
    std::fs::write(kubeconfig, text.replace("https://127.0.0.1:", "https://127.0.0.1:1")).unwrap();
    assert!(!stage.status(&["--kubeconfig", kubeconfig, "--timeout", "20"]).status.success());
}

#[tokio::test]
async fn the_status_is_what_the_cluster_has() {
    let folder = temporary();
    lay(&project("webserver-operator"), &folder.path().join("webserver-operator"));
    let stage = Stage { folder, plane: Plane::simulated() };
    let client = stage.plane.client().await;
    what_is_missing_before_a_deployment_is_named(&stage);
    stage.opctl(&["deploy", "--image", IMAGE]);
    a_deployed_operator_is_described(&stage);
    objects(&client).await;
    expired_lease(&client).await;
    edit(&stage.root().join("config/crd/bases/example.com_webservers.yaml"), "maxLength: 100", "maxLength: 101");
    objects_are_counted_and_problems_listed(&stage);
    let stranger = stage.stranger();
    each_part_that_may_not_be_read_is_named(&stage, &stranger);
    objects_are_counted_without_the_right_to_read_definitions(&stage, &stranger);
    installed_elsewhere(&stage, &client).await;
    a_server_that_does_not_answer_is_an_error(&stage, &stranger);
}

/// Checks that `opctl status` finds an operator whose Deployment has another name, as if a chart or another
/// kustomization had installed it.
async fn installed_elsewhere(stage: &Stage, client: &Client) {
    let deployments = |namespace: &str| Api::<Deployment>::namespaced(client.clone(), namespace);
    let deployed = deployments(NAMESPACE).get(MANAGER).await.unwrap();
    deployments(NAMESPACE).delete(MANAGER, &DeleteParams::default()).await.unwrap();
    for namespace in ["blue", "green"] {
        let object: Namespace = serde_json::from_value(json!({"metadata": {"name": namespace}})).unwrap();
        Api::all(client.clone()).create(&PostParams::default(), &object).await.unwrap();
        let metadata = json!({"name": "web-operator", "labels": deployed.metadata.labels});
        let copy = json!({"metadata": metadata, "spec": deployed.spec});
        let copy: Deployment = serde_json::from_value(copy).unwrap();
        deployments(namespace).create(&PostParams::default(), &copy).await.unwrap();
        let data = stage.data(&["--namespace", namespace]);
        assert_eq!(data["manager"], json!({"namespace": namespace, "name": "web-operator"}));
        assert_eq!(data["operator"]["image"], IMAGE);
        if namespace == "blue" {
            assert_eq!(stage.data(&[])["manager"]["namespace"], "blue");
        }
    }
    let both = [
        "error: the operator is deployed several times in context",
        "Deployment `web-operator` in namespace `blue`",
        "Deployment `web-operator` in namespace `green`",
        "hint: opctl status --namespace blue",
    ];
    says(&stage.status(&[]), 1, &both);
    says(&stage.status(&["-n", "none"]), 0, &["none", "not deployed"]);
    let logs = stage.plane.run(&stage.root(), &["logs", "-n", "green"]);
    says(&logs, 5, &["hint: kubectl describe deployment web-operator --namespace green"]);
}

#[test]
fn the_deployment_is_looked_for_where_the_files_say() {
    let place = Place::with_project();
    std::fs::remove_file(place.root().join("config/default/kustomization.yaml")).unwrap();
    let output = place.run(&["status"]);
    says(&output, 4, &["config/default/kustomization.yaml", "hint: git checkout config/default config/manager"]);
    let output = Place::new().run(&["status"]);
    says(&output, 1, &["error: ", "hint: "]);
}
