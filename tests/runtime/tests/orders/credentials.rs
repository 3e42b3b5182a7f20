//! Credentials from a program that the kubeconfig names, a credential plugin.

use clap::Parser;
use kube::{Client, Config};
use runtime::{CancellationToken, Manager};
use serde_json::json;
use std::fs;

const VERSION: &str = "client.authentication.k8s.io/v1";

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    options: runtime::Options,
}

/// An operator runs its credential plugin as often as one client does, because the plugins of many clouds take a
/// second or more. The operator's servers also have a client, which connects when it is first used.
#[tokio::test]
async fn an_operator_asks_for_its_credentials_as_often_as_one_client() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    let credential = json!({ "apiVersion": VERSION, "kind": "ExecCredential", "status": { "token": "t" } });
    let program = format!("echo run >> '{}'; echo '{credential}'", runs.display());
    let exec = json!({ "command": "sh", "args": ["-c", program], "apiVersion": VERSION, "interactiveMode": "Never" });
    let mut config = Config::new("http://127.0.0.1:1".parse().unwrap());
    config.auth_info.exec = Some(serde_json::from_value(exec).unwrap());
    let asked = || fs::read_to_string(&runs).unwrap().lines().count();
    let _client = Client::try_from(config.clone()).unwrap();
    let (once, options) = (asked(), Flags::parse_from(["operator", "--health-probe-bind-address=0"]).options);
    let _manager = Manager::new("operator", options, config, CancellationToken::new()).unwrap();
    assert_eq!(asked(), 2 * once);
}
