//! Kubeconfigs that lead nowhere, CRDs that a real API server refuses, objects that cannot be deleted: each gives one
//! clear error with its exit code and a fix.

use crate::support::{Plane, opctl, program, project, temporary, web_servers};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Api, DeleteParams, DynamicObject, Patch, PatchParams};
use kube::core::GroupVersionKind;
use kube::discovery::ApiResource;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const DEFINITION: &str = "config/crd/bases/example.com_webservers.yaml";
const KUSTOMIZATION: &str = "config/crd/kustomization.yaml";

/// Copies the files of a project in `testdata/golden` that `install` reads.
fn copy(to: &Path) -> PathBuf {
    let golden = project("webserver-operator");
    std::fs::create_dir_all(to.join("config/crd/bases")).unwrap();
    for file in ["PROJECT", DEFINITION, KUSTOMIZATION] {
        std::fs::copy(golden.join(file), to.join(file)).unwrap();
    }
    to.to_owned()
}

fn edit(root: &Path, file: &str, from: &str, to: &str) {
    let text = std::fs::read_to_string(root.join(file)).unwrap();
    assert!(text.contains(from), "{from} is not in {file}");
    std::fs::write(root.join(file), text.replacen(from, to, 1)).unwrap();
}

/// Checks that a command fails with this exit code, prints each text, and has one error and a hint.
fn fails(command: &mut Command, code: i32, texts: &[&str]) {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{command:?}\n{said}");
    for text in texts.iter().chain(&["hint: "]) {
        assert!(said.contains(text), "{command:?} does not say `{text}`:\n{said}");
    }
    assert_eq!(said.lines().filter(|line| line.starts_with("error: ")).count(), 1, "{said}");
    assert!(!said.contains("panicked"), "{said}");
}

const USER: &str = "/users/0/user";

/// Returns the entry of a kubeconfig user whose credentials come from the credential plugin `command`.
fn plugin(command: &str) -> Value {
    let version = "client.authentication.k8s.io/v1";
    json!({"exec": {"apiVersion": version, "command": command, "interactiveMode": "Never"}})
}

/// A faulty part of a kubeconfig: its JSON pointer, its value, the exit code of opctl, and a part of the error's text.
type Wrong = (&'static str, Value, i32, &'static str);

fn wrong_parts(good: &Value) -> Vec<Wrong> {
    let cluster = "/clusters/0/cluster";
    let server = good["clusters"][0]["cluster"]["server"].as_str().unwrap();
    let plain = server.replace("https", "http");
    let other =
        json!({"server": server, "certificate-authority-data": good["users"][0]["user"]["client-certificate-data"]});
    vec![
        (cluster, json!({"server": "nonsense"}), 4, "is not the URL of a server"),
        (cluster, json!({"server": plain}), 5, "accepts only `https://` requests"),
        (cluster, json!({"server": server}), 5, "context `envtest` does not trust the certificate of"),
        (cluster, other, 5, "context `envtest` does not trust the certificate of"),
        (cluster, json!({"server": "https://no-such-host.invalid"}), 5, "cannot reach"),
        (cluster, json!({"server": server, "proxy-url": "http://127.0.0.1:9"}), 4, "through a proxy"),
        (USER, json!({"client-certificate": "/none.crt", "client-key": "/none.key"}), 4, "/none.crt"),
        (USER, json!({"client-certificate-data": "%", "client-key-data": "%"}), 4, "cannot use the credentials"),
        (USER, plugin("/no/plugin"), 4, "the credential plugin `/no/plugin` of context `envtest` is not installed"),
        (USER, plugin("false"), 4, "the credential plugin `false` of context `envtest` fails"),
        ("/contexts/0/context/cluster", json!("none"), 4, "none"),
    ]
}

/// Writes a kubeconfig with one part replaced.
fn write_changed(path: &Path, good: &Value, pointer: &str, value: Value) {
    let mut kubeconfig = good.clone();
    *kubeconfig.pointer_mut(pointer).unwrap() = value;
    std::fs::write(path, kubeconfig.to_string()).unwrap();
}

/// Checks that opctl names the credential plugin that it waits for, and kills it in time.
fn a_hanging_plugin_is_killed(root: &Path, good: &Value, folder: &Path) {
    let hanging = program(folder, "plugin", "exec sleep 61.5").display().to_string();
    let path = folder.join("hanging");
    write_changed(&path, good, USER, plugin(&hanging));
    let begun = Instant::now();
    let told = [
        &format!("Waiting for the credential plugin `{hanging}` of context `envtest`\nerror: "),
        &format!(
            "error: the credential plugin `{hanging}` of context `envtest` does not exit\n\
             caused by: it was killed after 4s"
        ),
        &format!("run `{hanging}` directly"),
    ];
    let told = told.map(String::as_str);
    fails(opctl(&["install", "--timeout", "4", "--kubeconfig"]).arg(&path).current_dir(root), 4, &told);
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    let left = || opctl::test_api::system::processes_with(&["61.5".to_owned()]);
    // opctl kills the plugin when it exits, and the process ends a moment later.
    while !left().is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(8), "the plugin goes on: {:?}", left());
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn kubeconfigs_that_lead_nowhere() {
    let plane = Plane::start();
    let root = project("webserver-operator");
    let temporary = temporary();
    let good: Value = serde_yaml::from_str(&std::fs::read_to_string(&plane.kubeconfig).unwrap()).unwrap();
    let path = temporary.path().join("kubeconfig");
    for (pointer, value, code, text) in wrong_parts(&good) {
        write_changed(&path, &good, pointer, value);
        fails(opctl(&["install", "--kubeconfig"]).arg(&path).current_dir(&root), code, &[text]);
    }
    a_hanging_plugin_is_killed(&root, &good, temporary.path());
    let home = |kubeconfig: &str| {
        let mut command = opctl(&["install"]);
        command.current_dir(&root).env("HOME", temporary.path()).env("KUBECONFIG", kubeconfig);
        command
    };
    std::fs::write(&path, "a: [").unwrap();
    fails(&mut home(&path.to_string_lossy()), 4, &["cannot use the kubeconfig"]);
    fails(&mut home(""), 4, &["no kubeconfig: `~/.kube/config`", "opctl envtest start"]);
    fails(&mut home("/none:/nothing"), 4, &["no kubeconfig: `/none:/nothing`"]);
    // As with kubectl, files in the list may be missing, and a proxy is not used for this machine.
    let list = format!("/none:{}", plane.kubeconfig.display());
    let output = home(&list).env("HTTPS_PROXY", "http://127.0.0.1:9").args(["--dry-run"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[tokio::test]
async fn definitions_that_cannot_be_installed() {
    let plane = Plane::start();
    let install = |root: &Path| {
        let mut command = opctl(&["install", "--timeout", "20"]);
        command.current_dir(root).env("KUBECONFIG", &plane.kubeconfig);
        command
    };
    let more = "patches:\n- target: {kind: CustomResourceDefinition}\n  path: p.yaml\nresources:";
    let bad = "does not exist";
    for (file, from, to, code, text) in [
        (DEFINITION, "\nspec:\n", "\nspec:\n  strange: 3\n", 5, ".spec.strange: field not declared in schema"),
        (DEFINITION, "maxLength: 100", "pattern: \"[\"", 5, "must be a valid regular expression"),
        (DEFINITION, "apiVersion: ", "apiVersion: a: b", 1, "is not YAML"),
        (DEFINITION, "kind: CustomResourceDefinition", "kind: Other", 1, "`config/crd` has no CRD"),
        (KUSTOMIZATION, "bases/example", "bases/gone", 1, bad),
        (KUSTOMIZATION, "resources:", more, 4, "`kubectl` is not installed"),
    ] {
        let folder = temporary();
        let root = copy(folder.path());
        edit(&root, file, from, to);
        fails(install(&root).env("PATH", "/nonexistent"), code, &[text]);
    }
    let folder = temporary();
    let root = copy(folder.path());
    std::fs::remove_file(root.join(KUSTOMIZATION)).unwrap();
    fails(&mut install(&root), 1, &[bad]);

    // If one of two CRDs is refused, neither is applied.
    let root = copy(&folder.path().join("two"));
    edit(&root, KUSTOMIZATION, "- bases/", "- others.yaml\n- bases/");
    let other = std::fs::read_to_string(root.join(DEFINITION)).unwrap().replace("webserver", "other");
    std::fs::write(root.join("config/crd/others.yaml"), other.replace("WebServer", "Other")).unwrap();
    edit(&root, DEFINITION, "maxLength: 100", "pattern: \"[\"");
    fails(&mut install(&root), 5, &["the API server refuses `webservers.example.com`"]);
    let kind = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    let api: Api<DynamicObject> = Api::all_with(plane.client().await, &ApiResource::from_gvk(&kind));
    assert!(api.get_opt("others.example.com").await.unwrap().is_none());

    // A kind that another CRD has already taken.
    let taker = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "takers.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"kind": "WebServer", "plural": "takers", "listKind": "TakerList"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object"}}}],
        },
    });
    api.patch("takers.example.com", &PatchParams::apply("test"), &Patch::Apply(&taker)).await.unwrap();
    let kubeconfig = plane.kubeconfig.display().to_string();
    let anew = format!("opctl manifests && opctl install --kubeconfig {kubeconfig}");
    fails(
        install(&project("webserver-operator")).args(["--kubeconfig", &kubeconfig]),
        5,
        &["the names of the CRD `webservers.example.com` are already in use", &anew],
    );
}

#[tokio::test]
async fn an_object_that_does_not_go_is_named() {
    let plane = Plane::start();
    let root = project("webserver-operator");
    // Generated projects are installed without kubectl.
    let kubeconfig = plane.kubeconfig.display().to_string();
    let here = ["--kubeconfig", &kubeconfig];
    let output = opctl(&["install"]).args(here).current_dir(&root).env("PATH", "").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let next = format!("next:\n    kubectl apply -k config/samples/ {0}\n    opctl run {0}\n", here.join(" "));
    assert!(said.contains(&next), "{said}");
    let stuck = json!({
        "apiVersion": "example.com/v1alpha1",
        "kind": "WebServer",
        "metadata": {"name": "stuck", "finalizers": ["example.com/busy"]},
        "spec": {},
    });
    let api = web_servers(&plane.client().await);
    api.patch("stuck", &PatchParams::apply("test"), &Patch::Apply(&stuck)).await.unwrap();
    let command = |arguments: &[&str]| {
        let mut command = opctl(arguments);
        command.current_dir(&root).env("KUBECONFIG", &plane.kubeconfig);
        command
    };
    let held = "`stuck` in namespace `default` has the finalizer `example.com/busy`";
    let delete = "kubectl delete webservers.example.com --all --all-namespaces && opctl uninstall\n";
    fails(&mut command(&["uninstall"]), 3, &["still has 1 object", held, "cargo run\n", delete]);
    let refused = ["has objects with finalizers", held, "cargo run\n", delete, "kubectl patch"];
    fails(&mut command(&["uninstall", "--force"]), 3, &refused);
    fails(&mut command(&["uninstall", "--force", "--dry-run"]), 3, &refused);

    // Somebody else has deleted the CRD, so that there is nothing left but to wait.
    let definitions: Api<CustomResourceDefinition> = Api::all(plane.client().await);
    definitions.delete("webservers.example.com", &DeleteParams::default()).await.unwrap();
    let begun = Instant::now();
    fails(
        command(&["uninstall", "--force", "--timeout", "4"]).args(here),
        5,
        &[
            // The rest of the four seconds is for finding the cause.
            "` still exists after 3s",
            "`stuck` in namespace default waits for the finalizer `example.com/busy`",
            &format!("KUBECONFIG={kubeconfig} cargo run\n"),
            "kubectl patch",
        ],
    );
    let elapsed = begun.elapsed().as_secs_f32();
    assert!((3.0..6.0).contains(&elapsed), "{elapsed}s");
    fails(&mut command(&["install"]), 3, &["`webservers.example.com` is being deleted"]);
    let freed = json!({"metadata": {"finalizers": null}});
    api.patch("stuck", &PatchParams::default(), &Patch::Merge(&freed)).await.unwrap();
    plane.must(&root, &["uninstall", "--force"]);
}

#[test]
fn scaffolding_needs_no_home() {
    let folder = temporary();
    for arguments in
        [&["init", "--domain", "example.com"][..], &["create", "api", "--kind", "Web"], &["list"], &["version"]]
    {
        let mut command = opctl(arguments);
        command.current_dir(&folder).env_remove("HOME").env_remove("XDG_STATE_HOME").env("PATH", "");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
