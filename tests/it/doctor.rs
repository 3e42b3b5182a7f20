//! `opctl doctor`: on a machine that lacks tools, in a project, and with a real API server.

use crate::support::{Place, Plane, lay, link, must, opctl, program, project, temporary, text, tool};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rcgen::{CertificateParams, KeyPair};
use serde_json::{Value, json};
use std::net::TcpListener;
use std::path::Path;
use std::process::Output;
use std::time::{Duration, Instant};
use time::OffsetDateTime;

/// Returns the checks of a report as name, verdict and message.
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

/// Runs `opctl doctor` with the arguments `flags` on a machine that has only these programs and `sleep`. Each of
/// `programs` is a name and the shell script that replaces the program.
fn on(place: &Place, programs: &[(&str, &str)], flags: &[&str]) -> Output {
    let folder = temporary();
    for (name, script) in programs {
        program(folder.path(), name, script);
    }
    link(&["sleep"], folder.path());
    place.command(&[&["doctor"], flags].concat()).env("PATH", folder.path()).output().unwrap()
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

    // A program that hangs is not waited for, and the error begins with the checks that fail.
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
    has(&found, "cargo", "error", "it does not answer");
    has(&found, "rustc", "ok", "rustc 1.10.0");
    has(&found, "kubectl", "warning", "it does not work");
    has(&found, "containers", "warning", "docker: it does not work: no engine");
    let human = on(&place, &bad, &["--timeout", "1"]);
    assert!(text(&human.stderr).contains("error: some checks failed\ncaused by: cargo: "), "{}", text(&human.stderr));
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
    has(&found, "rustc", "error", "rustc 1.10.0, and the project needs 1.");
    has(&found, "kube", "ok", "");
    has(&found, "config", "error", "`policy/v1beta1` of PodDisruptionBudget has not been served since Kubernetes 1.25");
    has(&found, "cluster", "error", "cannot reach `http://127.0.0.1:9` of context `c`");

    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap();
    let text = kubeconfig.to_string().replace("127.0.0.1:9", &address.to_string());
    std::fs::write(place.root().join("kubeconfig"), text).unwrap();
    let begun = Instant::now();
    let output = on(&place, &programs, &["--kubeconfig", "kubeconfig", "--timeout", "1", "-o", "json"]);
    assert!(begun.elapsed() < Duration::from_secs(20));
    has(&checks(&output), "cluster", "error", "the cluster did not answer within 1s");
}

#[test]
fn a_cluster_is_checked_against_the_project() {
    let folder = temporary();
    let root = folder.path().join("webserver-operator");
    lay(&project("webserver-operator"), &root);
    let plane = Plane::start();
    let bin = folder.path().join("bin");
    std::fs::create_dir(&bin).unwrap();
    for (name, script) in GOOD {
        program(&bin, name, script);
    }
    let doctor = |flags: &[&str]| {
        let mut command = opctl(&[&["doctor", "-o", "json"], flags].concat());
        command.current_dir(&root).env("KUBECONFIG", &plane.kubeconfig).env("PATH", &bin).output().unwrap()
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
    has(
        &found,
        "rights",
        "warning",
        "you lack the permission to patch customresourcedefinitions, which `opctl install` needs",
    );
    has(&found, "rights", "warning", "you lack the permission to get pods/log, which `opctl logs` needs");
    has(&found, "CRDs", "warning", "cannot be read: you may not get customresourcedefinitions");
}

#[test]
fn doctor_compares_the_deployed_operator_with_the_project() {
    let folder = temporary();
    let root = folder.path().join("platform-operator");
    lay(&project("platform-operator"), &root);
    let plane = Plane::start();
    let doctor = || {
        let mut command = opctl(&["doctor", "-o", "json"]);
        checks(&command.current_dir(&root).env("KUBECONFIG", &plane.kubeconfig).output().unwrap())
    };
    has(&doctor(), "operator", "ok", "not deployed in the namespace `platform-operator-system`");

    let mut deploy = opctl(&["deploy", "--wait=false", "--image", "registry.example.com/platform:1"]);
    must(deploy.current_dir(&root).env("KUBECONFIG", &plane.kubeconfig));
    let found = doctor();
    has(&found, "operator", "ok", "runs `registry.example.com/platform:1`");
    has(&found, "roles", "ok", "the roles in the cluster match `config/rbac`");
    has(&found, "certificates", "ok", "the first to expire is the client certificate of context `");

    // Differences between the cluster and the files are reported, each with its cause.
    change_roles(&plane);
    name_another_image(&root);
    trust_an_authority_that_has_ended(&plane);
    mount_a_certificate_that_has_ended(&plane, folder.path());
    let found = doctor();
    has(
        &found,
        "operator",
        "warning",
        "runs `registry.example.com/platform:1`, and `config/default` has `registry.example.com/platform:latest`",
    );
    has(
        &found,
        "roles",
        "warning",
        "`clusterrolebinding/platform-operator-manager-rolebinding` is missing in the cluster",
    );
    has(&found, "roles", "warning", "`clusterrole/platform-operator-manager-role` differs from `config/rbac`");
    has(
        &found,
        "certificates",
        "error",
        &format!("the authority in `validatingwebhookconfiguration/{CONFIGURATION}` ended on 1970-01-02"),
    );
    has(&found, "certificates", "error", "`tls.crt` of the Secret `certificate` ended on 1970-01-02");
}

const CONFIGURATION: &str = "platform-operator-validating-webhook-configuration";

fn kubectl(plane: &Plane, arguments: &[&str]) {
    must(tool("kubectl").arg("--kubeconfig").arg(&plane.kubeconfig).args(arguments));
}

/// Deletes a binding in the cluster, and changes the rules of a role.
fn change_roles(plane: &Plane) {
    kubectl(plane, &["delete", "clusterrolebinding", "platform-operator-manager-rolebinding"]);
    let rules = json!({"rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]}).to_string();
    kubectl(plane, &["patch", "clusterrole", "platform-operator-manager-role", "--type=merge", "--patch", &rules]);
}

/// Changes the name of the operator's image in the project's `config/manager/kustomization.yaml`.
fn name_another_image(root: &Path) {
    let kustomization = root.join("config/manager/kustomization.yaml");
    let text = std::fs::read_to_string(&kustomization).unwrap();
    std::fs::write(&kustomization, text.replace("newName: controller", "newName: registry.example.com/platform"))
        .unwrap();
}

fn trust_an_authority_that_has_ended(plane: &Plane) {
    let bundle = STANDARD.encode(ended());
    let patch = json!([{"op": "add", "path": "/webhooks/0/clientConfig/caBundle", "value": bundle}]).to_string();
    kubectl(plane, &["patch", "validatingwebhookconfiguration", CONFIGURATION, "--type=json", "--patch", &patch]);
}

fn mount_a_certificate_that_has_ended(plane: &Plane, folder: &Path) {
    let secret = folder.join("secret.json");
    let data = json!({"tls.crt": STANDARD.encode(ended()), "tls.key": ""});
    let metadata = json!({"name": "certificate", "namespace": "platform-operator-system"});
    let object =
        json!({"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "type": "kubernetes.io/tls", "data": data});
    std::fs::write(&secret, object.to_string()).unwrap();
    kubectl(plane, &["create", "--filename", &secret.display().to_string()]);
    let volumes =
        json!({"spec": {"template": {"spec": {"volumes": [{"name": "c", "secret": {"secretName": "certificate"}}]}}}});
    let manager = ["deployment", "platform-operator-controller-manager", "--namespace", "platform-operator-system"];
    kubectl(plane, &[&["patch", "--patch", &volumes.to_string()], &manager[..]].concat());
}

#[test]
fn a_client_certificate_that_has_ended_is_named_though_the_server_says_nothing() {
    let place = Place::new();
    let user = json!({"client-certificate-data": STANDARD.encode(ended()), "client-key-data": ""});
    let kubeconfig = json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "c", "users": [{"name": "u", "user": user}],
        "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:9"}}],
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
    });
    std::fs::write(place.root().join("kubeconfig"), kubeconfig.to_string()).unwrap();
    let found = checks(&on(&place, &GOOD, &["--kubeconfig", "kubeconfig", "-o", "json"]));
    has(&found, "cluster", "error", "");
    has(&found, "certificates", "error", "the client certificate of context `c` ended on 1970-01-02 00:00 UTC");
}

#[test]
fn newer_releases_are_asked_for_on_demand_alone() {
    let place = Place::with_project();
    let mut programs = GOOD;
    programs[0].1 = r#"if [ "$1" != info ]; then echo cargo 1.99.0; elif [ "$4" = kube ]; then echo "version: 5.0.0 (latest 99.0.0)"; else echo no network >&2; exit 1; fi"#;
    let offline = checks(&on(&place, &programs, &["-o", "json"]));
    assert!(!offline.iter().any(|(.., message)| message.contains("99.0.0 is released")), "{offline:?}");
    let found = checks(&on(&place, &programs, &["--online", "-o", "json"]));
    has(&found, "kube", "warning", ", and 99.0.0 is released");
    has(&found, "k8s-openapi", "warning", "its newest release is unknown: no network");
    assert_eq!(found.iter().filter(|(name, ..)| name == "kube").count(), 1, "{found:?}");
}

/// Returns a certificate that was valid on the first day of 1970 only.
fn ended() -> String {
    let mut params = CertificateParams::new(vec!["a.example.com".to_owned()]).unwrap();
    let day = |day: i64| OffsetDateTime::from_unix_timestamp(day * 24 * 60 * 60).unwrap();
    (params.not_before, params.not_after) = (day(0), day(1));
    params.self_signed(&KeyPair::generate().unwrap()).unwrap().pem()
}

fn edit(path: &Path) {
    let text = std::fs::read_to_string(path).unwrap();
    std::fs::write(path, text.replace("maxLength: 100", "maxLength: 101")).unwrap();
}
