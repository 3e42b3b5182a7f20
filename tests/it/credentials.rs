//! Credential plugins of the kubeconfig run only once per command: a plugin may ask for a code or a fingerprint.

use crate::support::{Plane, lay, must, opctl, program, project, temporary, tool};
use serde_json::{Value, json};

#[test]
fn a_plugin_runs_once_and_again_after_its_credential_has_ended() {
    let plane = Plane::start();
    let folder = temporary();
    let root = folder.path().join("webserver-operator");
    lay(&project("webserver-operator"), &root);
    let kubectl = |arguments: &[&str]| {
        let mut kubectl = tool("kubectl");
        let output = must(kubectl.args(arguments).env("KUBECONFIG", &plane.kubeconfig));
        String::from_utf8(output.stdout).unwrap()
    };
    kubectl(&["create", "serviceaccount", "jane"]);
    kubectl(&["create", "clusterrolebinding", "jane", "--clusterrole=cluster-admin", "--serviceaccount=default:jane"]);
    let token = kubectl(&["create", "token", "jane"]);
    let kubeconfig: Value = serde_yaml::from_str(&std::fs::read_to_string(&plane.kubeconfig).unwrap()).unwrap();
    let pem = |field: &str| {
        use base64::Engine;
        let data = kubeconfig["users"][0]["user"][field].as_str().unwrap();
        String::from_utf8(base64::engine::general_purpose::STANDARD.decode(data).unwrap()).unwrap()
    };
    let (answer, count) = (folder.path().join("answer"), folder.path().join("count"));
    let script = format!("echo . >> '{}'\ncat '{}'", count.display(), answer.display());
    let plugin = program(folder.path(), "plugin", &script);
    let mut with_plugin = kubeconfig.clone();
    with_plugin["users"][0]["user"] = json!({"exec": {
        "apiVersion": "client.authentication.k8s.io/v1", "command": plugin, "interactiveMode": "Never",
    }});
    let path = folder.path().join("kubeconfig");
    std::fs::write(&path, with_plugin.to_string()).unwrap();
    let runs = |status: &Value, arguments: &[&str]| {
        let credential =
            json!({"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": status});
        std::fs::write(&answer, credential.to_string()).unwrap();
        let _ = std::fs::remove_file(&count);
        must(opctl(arguments).current_dir(&root).env("KUBECONFIG", &path));
        std::fs::read_to_string(&count).unwrap().lines().count()
    };
    let certificate = json!({
        "clientCertificateData": pem("client-certificate-data"), "clientKeyData": pem("client-key-data"),
    });
    let token = |end: &str| json!({"token": token.trim_end(), "expirationTimestamp": end});
    for arguments in [
        &["install"][..],
        &["deploy", "--image", "registry.example.com/web:1", "--wait=false"],
        &["status"],
        &["undeploy", "--dry-run"],
    ] {
        for status in [&certificate, &json!({"token": token("")["token"]}), &token("2999-01-01T00:00:00Z")] {
            assert_eq!(runs(status, arguments), 1, "{arguments:?}");
        }
    }
    let again = runs(&token("2001-01-01T00:00:00Z"), &["install"]);
    assert!(again > 1, "what has ended is not used");
}
