//! Every right of the generated role is needed: without it, the generated tests fail when they run as in `opctl test`.

use crate::support::{Plane, cargo, must, project, temporary, tool};
use kube::Client;
use kube::api::{Api, ApiResource, DynamicObject, ListParams, Patch, PatchParams};
use kube::config::Kubeconfig;
use kube::core::GroupVersionKind;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The project in `testdata/golden` whose operator makes a Deployment and a Service.
const PROJECT: &str = "shop-operator";
/// The number of concurrent test runs, each in separate namespaces. It may exceed the number of processors, because
/// a run whose operator lacks a right mostly waits.
const AT_ONCE: usize = 6;
const LIMIT: Duration = Duration::from_secs(180);

/// One right of the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Right {
    group: String,
    resource: String,
    verb: String,
}

/// Returns the rights of the generated role, one by one.
fn rights(root: &Path) -> Vec<Right> {
    let text = std::fs::read_to_string(root.join("config/rbac/role.yaml")).unwrap();
    let role: Value = serde_yaml::from_str(&text).unwrap();
    assert_eq!(role["kind"], "ClusterRole");
    let texts = |value: &Value| -> Vec<String> {
        value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
    };
    let mut rights = Vec::new();
    for rule in role["rules"].as_array().unwrap() {
        for group in texts(&rule["apiGroups"]) {
            for resource in texts(&rule["resources"]) {
                for verb in texts(&rule["verbs"]) {
                    rights.push(Right { group: group.clone(), resource: resource.clone(), verb });
                }
            }
        }
    }
    rights
}

/// Returns the project's integration test programs.
fn test_programs() -> Vec<PathBuf> {
    let built = must(&mut cargo(PROJECT, &["test", "--no-run", "--locked", "--message-format=json"]));
    let messages = String::from_utf8(built.stdout).unwrap();
    let programs = messages.lines().filter_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        let is_test = message["target"]["kind"].as_array()?.iter().any(|kind| kind == "test");
        message["executable"].as_str().filter(|_| is_test).map(PathBuf::from)
    });
    let programs: Vec<PathBuf> = programs.collect();
    assert!(!programs.is_empty(), "the project has tests");
    programs
}

/// Creates an account with exactly these rights. Returns the path of its kubeconfig.
async fn account(client: &Client, plane: &Plane, name: &str, rights: &[Right], folder: &Path) -> PathBuf {
    let rbac = "rbac.authorization.k8s.io";
    let rules: Vec<_> = rights
        .iter()
        .map(|right| json!({"apiGroups": [right.group], "resources": [right.resource], "verbs": [right.verb]}))
        .collect();
    for (group, kind, mut object) in [
        ("", "ServiceAccount", json!({"apiVersion": "v1"})),
        (rbac, "ClusterRole", json!({"apiVersion": format!("{rbac}/v1"), "rules": rules})),
        (
            rbac,
            "ClusterRoleBinding",
            json!({
                "apiVersion": format!("{rbac}/v1"),
                "roleRef": {"apiGroup": rbac, "kind": "ClusterRole", "name": name},
                "subjects": [{"kind": "ServiceAccount", "name": name, "namespace": "default"}],
            }),
        ),
    ] {
        object["kind"] = kind.into();
        object["metadata"] = json!({"name": name});
        let resource = ApiResource::from_gvk(&GroupVersionKind::gvk(group, "v1", kind));
        let api: Api<DynamicObject> = match group {
            "" => Api::default_namespaced_with(client.clone(), &resource),
            _ => Api::all_with(client.clone(), &resource),
        };
        api.patch(name, &PatchParams::apply("test"), &Patch::Apply(&object)).await.unwrap();
    }
    let body = json!({"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}).to_string();
    let request = http::Request::post(format!("/api/v1/namespaces/default/serviceaccounts/{name}/token"));
    let request = request.header("Content-Type", "application/json").body(body.into_bytes()).unwrap();
    let token: Value = client.request(request).await.unwrap();
    let mut kubeconfig = Kubeconfig::read_from(&plane.kubeconfig).unwrap();
    let user = json!({"token": token["status"]["token"]});
    kubeconfig.auth_infos[0].auth_info = Some(serde_json::from_value(user).unwrap());
    let path = folder.join(name);
    std::fs::write(&path, serde_json::to_vec(&kubeconfig).unwrap()).unwrap();
    path
}

/// Runs all tests with the operator's kubeconfig. Returns true if all pass, and their output.
fn passes(programs: &[PathBuf], administrator: &Path, operator: &Path) -> (bool, String) {
    let mut all = String::new();
    let passed = programs.iter().all(|program| {
        let log = operator.with_extension("log");
        let output = std::fs::File::create(&log).unwrap();
        let child = tool(program)
            .arg("--include-ignored")
            .current_dir(project(PROJECT))
            .env("OPCTL_TEST_KUBECONFIG", administrator)
            .env("OPCTL_TEST_OPERATOR_KUBECONFIG", operator)
            .env("KUBECONFIG", "/dev/null")
            .stdin(Stdio::null())
            .stdout(output.try_clone().unwrap())
            .stderr(output)
            .spawn()
            .unwrap();
        let passed = ended(child);
        all.push_str(&std::fs::read_to_string(&log).unwrap());
        passed
    });
    (passed, all)
}

/// Returns the messages of the Ready conditions that are False for the reason `Forbidden`.
async fn forbidden(plane: &Plane) -> Vec<String> {
    let resource = ApiResource::from_gvk(&GroupVersionKind::gvk("example.com", "v1alpha1", "WebServer"));
    let objects: Api<DynamicObject> = Api::all_with(plane.client().await, &resource);
    let objects = objects.list(&ListParams::default()).await.unwrap();
    let conditions = objects.iter().filter_map(|object| object.data["status"]["conditions"].as_array()).flatten();
    let forbidden = conditions.filter(|condition| {
        condition["type"] == "Ready" && condition["status"] == "False" && condition["reason"] == "Forbidden"
    });
    forbidden.map(|condition| condition["message"].as_str().unwrap_or_default().to_owned()).collect()
}

/// Waits until the process exits, for at most [`LIMIT`]. Kills a process that is still running then. Returns true if
/// the process succeeded in time.
fn ended(mut child: Child) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < LIMIT {
        if let Some(status) = child.try_wait().unwrap() {
            return status.success();
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    false
}

#[test]
fn without_any_one_right_the_generated_tests_fail() {
    let root = project(PROJECT);
    let programs = test_programs();
    let plane = Plane::simulated();
    plane.must(&root, &["install"]);
    let folder = temporary();
    let all = rights(&root);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (whole, mutants) = runtime.block_on(async {
        let client = plane.client().await;
        let whole = account(&client, &plane, "whole", &all, folder.path()).await;
        let mut mutants = Vec::new();
        for (number, missing) in all.iter().enumerate() {
            let others: Vec<_> = all.iter().filter(|right| *right != missing).cloned().collect();
            let operator = account(&client, &plane, &format!("without-{number}"), &others, folder.path()).await;
            mutants.push((missing, operator));
        }
        (whole, mutants)
    });
    let (passed, said) = passes(&programs, &plane.kubeconfig, &whole);
    assert!(passed, "with the whole role: {said}");

    let (left, needless) = (Mutex::new(mutants), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some((missing, operator)) = { left.lock().unwrap().pop() } {
                    let begun = Instant::now();
                    if passes(&programs, &plane.kubeconfig, &operator).0 {
                        needless.lock().unwrap().push(missing.clone());
                    }
                    println!("without {missing:?}: {:.1} s", begun.elapsed().as_secs_f64());
                }
            });
        }
    });
    assert_eq!(needless.into_inner().unwrap(), [], "the tests pass without these rights");

    // The condition of the object tells a user why it does not become ready.
    let forbidden = runtime.block_on(forbidden(&plane));
    for (verb, resource) in [("create", "services"), ("create", "deployments")] {
        let words = format!("cannot {verb} resource \"{resource}\"");
        assert!(forbidden.iter().any(|message| message.contains(&words)), "{words}: {forbidden:#?}");
    }
}
