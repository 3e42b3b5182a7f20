//! An operator with a dependency that enables another crypto provider of rustls than the runtime does, as reqwest
//! does: rustls then chooses neither provider, and panics.

use axum::http::{Request, Response};
use clap::Parser;
use k8s_openapi::ByteString;
use kube::client::Body;
use kube::{Client, Config};
use runtime::{CancellationToken, Manager, testing};
use serde_json::json;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::time::Duration;

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    options: runtime::Options,
}

fn options(flags: &[&str]) -> runtime::Options {
    Flags::parse_from(["operator", "--health-probe-bind-address=0"].iter().chain(flags)).options
}

fn authority() -> rcgen::Certificate {
    rcgen::generate_simple_self_signed(["localhost".into()]).unwrap().cert
}

async fn a_client_of_the_api_server() {
    let mut config = Config::new("https://127.0.0.1:1".parse().unwrap());
    config.root_cert = Some(vec![authority().der().to_vec()]);
    Manager::new("operator", options(&[]), config, CancellationToken::new()).unwrap();
}

async fn a_server_of_metrics() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let service = tower::service_fn(async |_: Request<Body>| {
        Ok::<_, std::io::Error>(Response::builder().status(503).body(Body::empty()).unwrap())
    });
    let (client, stop) = (Client::new(service, "default"), CancellationToken::new());
    let options = options(&[&format!("--metrics-bind-address=127.0.0.1:{port}")]);
    let mut manager = Manager::with_client("operator", options, client, stop.clone());
    let running = tokio::spawn(async move { manager.run().await });
    let answers_in_tls = || {
        let mut socket = TcpStream::connect(("127.0.0.1", port))?;
        socket.set_read_timeout(Some(Duration::from_secs(5)))?;
        socket.write_all(b"GET / HTTP/1.1\r\n\r\n")?;
        let mut first = [0];
        socket.read_exact(&mut first)?;
        Ok::<_, std::io::Error>(first == [21]) // an alert
    };
    while !answers_in_tls().unwrap_or(false) {
        assert!(!running.is_finished(), "{:?}", running.await);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    stop.cancel();
    running.await.unwrap().unwrap();
}

/// Checks that a client of `runtime::testing` fails only because the API server does not answer.
async fn a_client_of_tests() {
    let cluster = json!({
        "server": "https://127.0.0.1:1",
        "certificate-authority-data": ByteString(authority().pem().into_bytes()),
    });
    let kubeconfig = json!({
        "clusters": [{ "name": "c", "cluster": cluster }],
        "contexts": [{ "name": "c", "context": { "cluster": "c", "user": "c" } }],
        "users": [{ "name": "c", "user": {} }],
        "current-context": "c",
    });
    std::fs::write(std::env::var("OPCTL_TEST_KUBECONFIG").unwrap(), kubeconfig.to_string()).unwrap();
    let failed = tokio::spawn(testing::namespace()).await.err().unwrap().into_panic();
    let message = failed.downcast::<String>().unwrap();
    assert!(message.contains("ConnectError"), "{message}");
}

/// Uses TLS in the client, in the metrics server or in tests. A process chooses a crypto provider only once, so
/// each use needs its own process.
async fn perform(way: &str) {
    let undecided = std::panic::catch_unwind(rustls::ClientConfig::builder);
    assert!(undecided.is_err(), "rustls has chosen by itself");
    match way {
        "client" => a_client_of_the_api_server().await,
        "metrics" => a_server_of_metrics().await,
        "tests" => a_client_of_tests().await,
        _ => panic!("{way}"),
    }
}

#[test]
fn the_runtime_chooses_its_cryptography() {
    if let Ok(way) = std::env::var("WAY") {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        return runtime.block_on(perform(&way));
    }
    let folder = tempfile::tempdir().unwrap();
    for way in ["client", "metrics", "tests"] {
        let mut alone = Command::new(std::env::current_exe().unwrap());
        alone.args(["--exact", "the_runtime_chooses_its_cryptography", "--nocapture"]);
        alone.env("WAY", way).env("OPCTL_TEST_KUBECONFIG", folder.path().join("kubeconfig"));
        let ended = alone.output().unwrap();
        assert!(ended.status.success(), "{way}: {}", String::from_utf8_lossy(&ended.stderr));
    }
}
