//! `opctl doctor`: on a machine that lacks things, in a project, and on a real API server.

use crate::golden::project;
use crate::life::Plane;
use crate::support::{Place, lay, program, text};
use serde_json::{Value, json};
use std::net::TcpListener;
use std::path::Path;
use std::process::Output;
use std::time::{Duration, Instant};

/// The checks of a report, each as name, verdict and message.
fn checks(output: &Output) -> Vec<(String, String, String)> {
    let report: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", text(&output.stderr)));
    let part = |check: &Value, key: &str| check[key].as_str().unwrap().to_owned();
    let all = report["data"]["checks"].as_array().unwrap();
    all.iter().map(|check| (part(check, "name"), part(check, "verdict"), part(check, "message"))).collect()
}

#[track_caller]
fn has(checks: &[(String, String, String)], name: &str, verdict: &str, message: &str) {
    let is_it =
        |(of, found, text): &&(String, String, String)| of == name && found == verdict && text.contains(message);
    assert!(checks.iter().any(|check| is_it(&check)), "{name} {verdict} {message}: {checks:#?}");
}

/// A machine with just these programs.
fn on(place: &Place, programs: &[(&str, &str)], flags: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    for (name, script) in programs {
        program(folder.path(), name, script);
    }
    let mut command = place.command(&[&["doctor"], flags].concat());
    command.env("PATH", format!("{}:/bin:/usr/bin", folder.path().display())).output().unwrap()
}

const GOOD: [(&str, &str); 4] = [
    ("cargo", "echo cargo 1.99.0"),
    ("rustc", "echo rustc 1.99.0"),
    ("kubectl", r#"echo '{"clientVersion": {"gitVersion": "v1.20.0"}}'"#),
    ("docker", "exit 0"),
];

#[test]
fn a_machine_is_checked_outside_of_a_project() {
    let place = Place::new();
    let output = on(&place, &GOOD, &["-o", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    let found = checks(&output);
    has(&found, "cargo", "ok", "cargo 1.99.0");
    has(&found, "kubectl", "ok", "v1.20.0");
    has(&found, "containers", "ok", "docker works");
    has(&found, "control plane", "warning", "it is not set up");
    has(&found, "cluster", "warning", "no kubeconfig");
    assert!(!found.iter().any(|(name, ..)| name == "config"), "there is no project: {found:?}");
    let human = on(&place, &GOOD, &[]);
    assert!(text(&human.stdout).contains("\n    opctl envtest setup\n"), "{}", text(&human.stdout));
    assert!(text(&human.stderr).contains("2 warnings"), "{}", text(&human.stderr));

    // What hangs is not waited for, and what is broken is mended first.
    let begun = Instant::now();
    let bad = [
        ("cargo", "sleep 60"),
        ("rustc", "echo rustc 1.10.0"),
        ("kubectl", "exit 1"),
        ("docker", "echo no engine >&2; exit 1"),
    ];
    let output = on(&place, &bad, &["--timeout", "1", "-o", "json"]);
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert_eq!(output.status.code(), Some(1));
    let found = checks(&output);
    has(&found, "cargo", "mend", "it does not answer");
    has(&found, "rustc", "ok", "rustc 1.10.0");
    has(&found, "kubectl", "warning", "it does not work");
    has(&found, "containers", "warning", "docker: it does not work: no engine");
    let human = on(&place, &bad, &["--timeout", "1"]);
    assert!(
        text(&human.stderr).contains("error: something must be mended\ncaused by: cargo: "),
        "{}",
        text(&human.stderr)
    );
}

#[test]
fn a_project_is_checked_and_a_cluster_that_is_gone_is_said_at_once() {
    let place = Place::with_project();
    std::fs::write(place.root().join("config/old.yaml"), "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\n")
        .unwrap();
    let kubeconfig = json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "c", "users": [{"name": "u", "user": {}}],
        "clusters": [{"name": "c", "cluster": {"server": "http://127.0.0.1:9"}}],
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
    });
    std::fs::write(place.root().join("kubeconfig"), kubeconfig.to_string()).unwrap();
    let mut programs = GOOD;
    programs[1].1 = "echo rustc 1.10.0";
    let begun = Instant::now();
    let output = on(&place, &programs, &["--kubeconfig", "kubeconfig", "-o", "json"]);
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert_eq!(output.status.code(), Some(1));
    let found = checks(&output);
    has(&found, "rustc", "mend", "rustc 1.10.0, and the project needs 1.");
    has(&found, "kube", "ok", "");
    has(&found, "config", "mend", "`policy/v1beta1` of PodDisruptionBudget is not served since Kubernetes 1.25");
    has(&found, "cluster", "mend", "cannot reach `http://127.0.0.1:9` of context `c`");

    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap();
    let text = kubeconfig.to_string().replace("127.0.0.1:9", &address.to_string());
    std::fs::write(place.root().join("kubeconfig"), text).unwrap();
    let begun = Instant::now();
    let output = on(&place, &programs, &["--kubeconfig", "kubeconfig", "--timeout", "1", "-o", "json"]);
    assert!(begun.elapsed() < Duration::from_secs(20));
    has(&checks(&output), "cluster", "mend", "the cluster did not answer within 1s");
}

#[test]
fn a_cluster_is_checked_against_the_project() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("webserver-operator");
    lay(&project("webserver-operator"), &root);
    let plane = Plane::start();
    let bin = folder.path().join("bin");
    std::fs::create_dir(&bin).unwrap();
    for (name, script) in GOOD {
        program(&bin, name, script);
    }
    let doctor = |flags: &[&str]| {
        let mut command = crate::life::opctl(&[&["doctor", "-o", "json"], flags].concat());
        let path = format!("{}:/bin:/usr/bin", bin.display());
        command.current_dir(&root).env("KUBECONFIG", &plane.kubeconfig).env("PATH", path).env("CARGO", "cargo");
        command.output().unwrap()
    };
    let found = checks(&doctor(&[]));
    has(&found, "cluster", "ok", "Kubernetes v1.");
    has(&found, "kubectl", "warning", "v1.20.0 is more than one minor version away");
    has(&found, "rights", "ok", "");
    has(&found, "CRDs", "warning", "`webservers.example.com` is not installed");
    plane.must(&root, &["install"]);
    has(&checks(&doctor(&[])), "CRDs", "ok", "as in `config/crd`");
    edit(&root.join("config/crd/bases/example.com_webservers.yaml"));
    has(&checks(&doctor(&[])), "CRDs", "warning", "`webservers.example.com` differs");

    let mut kubeconfig: Value = serde_yaml::from_str(&std::fs::read_to_string(&plane.kubeconfig).unwrap()).unwrap();
    kubeconfig["users"][0]["user"]["as"] = json!("jane");
    kubeconfig["users"][0]["user"]["as-groups"] = json!(["system:authenticated"]);
    let jane = folder.path().join("jane");
    std::fs::write(&jane, kubeconfig.to_string()).unwrap();
    let found = checks(&doctor(&["--kubeconfig", &jane.display().to_string()]));
    has(&found, "rights", "warning", "you may not patch customresourcedefinitions, which `opctl install` needs");
    has(&found, "rights", "warning", "you may not get pods/log, which `opctl logs` needs");
    has(&found, "CRDs", "warning", "cannot be read: you may not get customresourcedefinitions");
}

fn edit(path: &Path) {
    let text = std::fs::read_to_string(path).unwrap();
    std::fs::write(path, text.replace("maxLength: 100", "maxLength: 101")).unwrap();
}
