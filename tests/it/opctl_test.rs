//! `opctl test`: the server and the rights that a project's tests get, and the exit code from their results.

use crate::support::{edit, keep, lay, must, opctl, project, separate_target_folder, temporary, tool};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The source of tests that a user might write. They check the rights and the cluster that `opctl test` provides.
const TESTS: &str = r#"
use k8s_openapi::api::authorization::v1::{ResourceAttributes, SelfSubjectAccessReview, SelfSubjectAccessReviewSpec};
use k8s_openapi::api::core::v1::{Node, ServiceAccount};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Api, Client, Config};

async fn client(variable: &str) -> Client {
    let kubeconfig = Kubeconfig::read_from(std::env::var_os(variable).unwrap()).unwrap();
    Client::try_from(Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await.unwrap()).unwrap()
}

async fn may(client: &Client, verb: &str, resource: &str, subresource: Option<&str>) -> bool {
    let attributes = ResourceAttributes {
        group: Some("example.com".to_owned()),
        resource: Some(resource.to_owned()),
        subresource: subresource.map(str::to_owned),
        verb: Some(verb.to_owned()),
        ..ResourceAttributes::default()
    };
    let spec = SelfSubjectAccessReviewSpec { resource_attributes: Some(attributes), ..Default::default() };
    let review = SelfSubjectAccessReview { spec, ..Default::default() };
    Api::all(client.clone()).create(&Default::default(), &review).await.unwrap().status.unwrap().allowed
}

#[tokio::test]
#[ignore = "opctl test"]
async fn the_operator_has_the_rights_of_its_role() {
    let (operator, administrator) = (client("OPCTL_TEST_OPERATOR_KUBECONFIG").await, client("OPCTL_TEST_KUBECONFIG").await);
    for (verb, subresource, granted) in
        [("list", None, true), ("watch", None, true), ("patch", Some("status"), true), ("patch", None, false), ("delete", None, false)]
    {
        assert_eq!(may(&operator, verb, "webservers", subresource).await, granted, "{verb} {subresource:?}");
        assert!(may(&administrator, verb, "webservers", subresource).await);
    }
}

#[tokio::test]
#[ignore = "opctl test"]
async fn pods_can_run_here() {
    let administrator = client("OPCTL_TEST_KUBECONFIG").await;
    assert_eq!(Api::<Node>::all(administrator.clone()).list(&Default::default()).await.unwrap().items.len(), 1);
    Api::<ServiceAccount>::default_namespaced(administrator).get("default").await.unwrap();
}

#[tokio::test]
async fn no_other_cluster_is_in_reach() {
    assert!(Config::infer().await.is_err());
}

#[test]
#[ignore = "for another reason"]
fn a_test_ignored_for_another_reason_is_not_run() {
    panic!("nobody asked for this");
}

#[test]
#[ignore = "opctl test"]
fn the_verdict_is_well() {
    assert_eq!(std::env::var("VERDICT").as_deref(), Ok("well"));
}
"#;

/// The source of a test for a namespaced project. The test checks that the operator has rights only in its namespace,
/// and only those that its role grants. The generated tests of the project need each right of the role.
const IN_ONE_NAMESPACE: &str = r#"
use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::api::apps::v1::Deployment;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Api, Client, Config};

#[tokio::test]
#[ignore = "opctl test"]
async fn the_operator_has_rights_in_its_own_namespace_only() {
    let kubeconfig = Kubeconfig::read_from(std::env::var_os("OPCTL_TEST_OPERATOR_KUBECONFIG").unwrap()).unwrap();
    let operator = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await.unwrap();
    assert_eq!(operator.default_namespace, "shop-operator-system");
    let client = Client::try_from(operator).unwrap();
    let all = &Default::default();
    Api::<Deployment>::default_namespaced(client.clone()).list(all).await.unwrap();
    for forbidden in [
        Api::<Deployment>::all(client.clone()).list(all).await.map(drop),
        Api::<Deployment>::namespaced(client.clone(), "default").list(all).await.map(drop),
        Api::<ConfigMap>::default_namespaced(client).list(all).await.map(drop),
    ] {
        assert!(matches!(forbidden, Err(kube::Error::Api(status)) if status.code == 403));
    }
}
"#;

/// Returns a lock for the tests that compile a project: the projects share the runtime, which must not be
/// recompiled while the doc tests of another project run.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn command(root: &Path, verdict: &str) -> Command {
    let mut command = opctl(&["test"]);
    command.current_dir(root).env("VERDICT", verdict);
    command.env("CARGO_TARGET_DIR", separate_target_folder("tested"));
    command.env("KUBECONFIG", "/nowhere").stdin(Stdio::null());
    command
}

/// Copies the project `webserver-operator` from `testdata/golden`, with [`TESTS`] instead of the project's tests.
fn with_tests(name: &str) -> PathBuf {
    let fresh = temporary();
    lay(&project("webserver-operator"), fresh.path());
    std::fs::remove_dir_all(fresh.path().join("tests")).unwrap();
    std::fs::create_dir(fresh.path().join("tests")).unwrap();
    std::fs::write(fresh.path().join("tests/rights.rs"), TESTS).unwrap();
    keep(name, fresh.path())
}

fn opctl_test(root: &Path, verdict: &str, arguments: &[&str]) -> Output {
    let state = temporary();
    let output = command(root, verdict).args(arguments).env("XDG_STATE_HOME", state.path()).output().unwrap();
    let left = std::fs::read_dir(state.path().join("opctl/envtest")).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).filter(|name| name != ".locks").collect();
    assert!(left.is_empty(), "{left:?}");
    output
}

#[test]
fn a_projects_tests_get_a_server_and_the_operators_rights() {
    let _turn = turn();
    let root = &with_tests("tested/rights");

    let only = ["--offline", "--test", "rights"];
    let output = opctl_test(root, "well", &[&["-o", "json"], &only[..]].concat());
    let (said, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{said}\n{told}");
    let reports: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let commands: Vec<_> = reports.iter().map(|report| report["command"].as_str().unwrap()).collect();
    assert_eq!(commands, ["manifests", "install", "test"]);
    let data = &reports[2]["data"];
    assert_eq!(data["simulatedNodes"], true);
    assert_eq!(data["operator"], "system:serviceaccount:webserver-operator-system:controller-manager");
    assert!(told.contains("test result: ok. 4 passed; 0 failed; 0 ignored; 0 measured; 1 filtered out"), "{told}");

    // A failed test gives the exit code for a problem of the project (1), whatever cargo's exit code is.
    let output = opctl_test(root, "badly", &[&only[..], &["--", "the_verdict_is_well"]].concat());
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("error: tests failed") && told.contains("hint: opctl test --keep-running"), "{told}");
    assert!(told.contains("$ cargo test --offline --test rights -- --include-ignored the_verdict_is_well"), "{told}");
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn a_field_that_the_server_lacks_is_named_in_the_operators_log() {
    let _turn = turn();
    let fresh = temporary();
    lay(&project("shop-operator"), fresh.path());
    // cargo would take it for another project of its name, in which the field is not set.
    let mut rename = opctl(&["rename", "project", "--to", "newer-operator"]);
    must(rename.current_dir(fresh.path()).stdin(Stdio::null()));
    let root = &keep("tested/newer", fresh.path());
    let newer = "{ let mut newer = deployment(&obj);
        let pod = newer.spec.template.spec.as_mut().unwrap();
        pod.eviction_responders = Some(vec![Default::default()]); newer }";
    let apply = |child: &str| format!("ctx.apply(&*obj, {child})");
    edit(&root.join("src/controller/web_server.rs"), &apply("deployment(&obj)"), &apply(newer));
    let only = ["--kubernetes", "1.36", "--offline", "--test", "it", "--", "children_follow"];
    let output = opctl_test(root, "", &only);
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{said}");
    let unknown = ".spec.template.spec.evictionResponders: field not declared in schema";
    assert!(said.contains(unknown), "Kubernetes has this field from 1.37 on: {said}");
    assert!(said.contains("warning[OP431]: Kubernetes 1.36 lacks the field `eviction_responders`"), "{said}");
}

/// Makes a folder of installed servers that contains one installation under two version numbers.
fn store_with_two_names(folder: &Path) {
    let found = must(&mut opctl(&["envtest", "list", "-o", "json"]));
    let found: Value = serde_json::from_slice(&found.stdout).unwrap();
    let newest = &found["data"]["installed"][0];
    let (version, directory) = (newest["version"].as_str().unwrap(), newest["directory"].as_str().unwrap());
    let name = Path::new(directory).file_name().unwrap().to_str().unwrap();
    let versions = folder.join("kubebuilder-envtest/k8s");
    std::fs::create_dir_all(&versions).unwrap();
    for named in ["1.35.9", "1.36.9"] {
        std::os::unix::fs::symlink(directory, versions.join(name.replacen(version, named, 1))).unwrap();
    }
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn the_tests_run_on_each_version_that_is_named() {
    let _turn = turn();
    let (root, data) = (&with_tests("tested/versions"), temporary());
    store_with_two_names(data.path());
    let run = |verdict: &str, more: &[&str]| {
        let only = ["--kubernetes", "1.35,1.36.9,<1.36", "--offline", "--test", "rights"];
        let mut command = command(root, verdict);
        command.args(more).args(only).env("XDG_DATA_HOME", data.path()).output().unwrap()
    };
    let output = run("well", &["-o", "json"]);
    let (said, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{said}\n{told}");
    let reports: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let commands: Vec<_> = reports.iter().map(|report| report["command"].as_str().unwrap()).collect();
    assert_eq!(commands, ["manifests", "install", "install", "test"]);
    let versions = reports[3]["data"]["versions"].as_array().unwrap();
    let names: Vec<_> = versions.iter().map(|version| version["kubernetes"].as_str().unwrap()).collect();
    assert_eq!(names, ["1.35.9", "1.36.9"]);
    assert!(versions.iter().all(|version| version["error"].is_null() && version["simulatedNodes"] == true));

    // A version with failed tests does not keep the other one from being tested.
    let output = run("badly", &[]);
    let (said, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{told}");
    let rows: Vec<&str> = said.lines().skip_while(|line| !line.starts_with("KUBERNETES")).collect();
    assert!(rows[1].starts_with("1.35.9 ") && rows[2].starts_with("1.36.9 "), "{said}");
    assert!(rows[1..].iter().all(|row| row.ends_with("tests failed")), "{said}");
    assert!(told.contains("error: the tests failed on Kubernetes 1.35.9, 1.36.9"), "{told}");
    assert!(told.contains("hint: opctl test --kubernetes 1.35.9 --keep-running"), "{told}");

    for (versions, message) in [
        (
            "1.35,1.36",
            "`--keep-running` can keep only one API server running, but `--kubernetes` names several versions",
        ),
        ("newest", "`newest` is not a Kubernetes version"),
    ] {
        let output = command(root, "well").args(["--keep-running", "--kubernetes", versions]).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains(&format!("error: {message}")), "{told}");
    }
}

#[test]
fn a_namespaced_projects_tests_get_the_rights_of_its_role_in_their_namespaces() {
    let _turn = turn();
    let fresh = temporary();
    lay(&project("shop-operator"), fresh.path());
    let mut edit = opctl(&["edit", "--namespaced"]);
    must(edit.current_dir(fresh.path()).stdin(Stdio::null()));
    std::fs::write(fresh.path().join("tests/rights.rs"), IN_ONE_NAMESPACE).unwrap();
    let root = &keep("tested/namespaced", fresh.path());

    let output = opctl_test(root, "well", &["--offline"]);
    let (said, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{said}\n{told}");
    let role = std::fs::read_to_string(root.join("config/rbac/role.yaml")).unwrap();
    assert!(role.contains("kind: Role\n") && !role.contains("kind: ClusterRole\n"), "{role}");
    let rendered = must(tool("kubectl").args(["kustomize", "config/default"]).current_dir(root));
    let rendered = String::from_utf8_lossy(&rendered.stdout).into_owned();
    let patched = "        env:\n        - name: WATCH_NAMESPACE\n          valueFrom:\n            fieldRef:\n              fieldPath: metadata.namespace\n";
    assert!(rendered.contains(patched), "{rendered}");
}
