//! An operator that serves the webhooks of the tests on 127.0.0.1.

use crate::client::{self, Answer, Connection};
use clap::Parser;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::{Client, client::Body};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use runtime::webhook::{self, Findings, Review};
use runtime::{CancellationToken, Manager};
use serde_json::Value;
use std::net::TcpListener;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    options: runtime::Options,
}

pub fn default(obj: &mut ConfigMap, _: &webhook::Request) {
    let data = obj.data.get_or_insert_default();
    match data.get("do").map(String::as_str) {
        Some("panic") => panic!("told to panic"),
        Some("rename") => obj.metadata.name = Some("b".into()),
        Some("hang") => thread::sleep(Duration::from_secs(3)),
        _ => drop(data.entry("size".into()).or_insert("1".into())),
    }
}

pub async fn validate(review: Review<ConfigMap>) -> anyhow::Result<Findings> {
    let mut found = Findings::default();
    let data = review.object.and_then(|object| object.data).unwrap_or_default();
    match data.get("do").map(String::as_str) {
        Some("panic") => panic!("told to panic"),
        Some("hang") => std::future::pending().await,
        Some("fail") => anyhow::bail!("there is no zone"),
        Some("warn") => drop(found.warn("mind the size")),
        Some("wait") => tokio::time::sleep(Duration::from_secs(1)).await,
        _ => {}
    }
    if data.get("size").is_none_or(|size| size.is_empty()) {
        found.required("data.size", "nothing can be made without");
    }
    Ok(found)
}

pub struct Authority {
    pub certificate: rcgen::Certificate,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    pub fn new() -> Self {
        let mut parameters = CertificateParams::new([]).unwrap();
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let certificate = parameters.self_signed(&key).unwrap();
        Self { certificate, issuer: Issuer::new(parameters, key) }
    }

    pub fn sign(&self) -> (rcgen::Certificate, KeyPair) {
        let parameters = CertificateParams::new(["localhost".into()]).unwrap();
        let key = KeyPair::generate().unwrap();
        (parameters.signed_by(&key, &self.issuer).unwrap(), key)
    }

    /// Writes a new certificate, and replaces each file atomically.
    pub fn issue(&self, directory: &Path) {
        let (certificate, key) = self.sign();
        for (name, text) in [("tls.key", key.serialize_pem()), ("tls.crt", certificate.pem())] {
            std::fs::write(directory.join("new"), text).unwrap();
            std::fs::rename(directory.join("new"), directory.join(name)).unwrap();
        }
    }
}

pub struct Served {
    pub port: u16,
    pub probes: u16,
    pub authority: Authority,
    pub directory: tempfile::TempDir,
    pub stop: CancellationToken,
    pub thread: JoinHandle<anyhow::Result<()>>,
}

pub fn free_port() -> u16 {
    // Below the ports that the system gives to clients, which are many in these tests.
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let mut ports = std::iter::repeat_with(|| {
        let number = NEXT.fetch_add(1, Ordering::Relaxed) + std::process::id() % 10_000 * 97;
        u16::try_from(20_000 + number % 12_000).unwrap()
    });
    ports.find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok()).unwrap()
}

/// Returns a client whose requests all fail.
pub fn no_cluster() -> Client {
    let refuse =
        async |_: axum::http::Request<Body>| Err::<axum::http::Response<Body>, _>(std::io::Error::other("no cluster"));
    Client::new(tower::service_fn(refuse), "default")
}

/// Starts an operator with these flags and `setup` on a separate thread, in a tokio runtime with two workers.
pub fn operator(
    flags: &[String],
    client: impl FnOnce() -> Client + Send + 'static,
    stop: &CancellationToken,
    setup: impl FnOnce(&mut Manager) + Send + 'static,
) -> JoinHandle<anyhow::Result<()>> {
    let options = Flags::parse_from(["operator".to_owned()].iter().chain(flags)).options;
    let stop = stop.clone();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let run = async {
            let mut manager = Manager::with_client("operator", options, client(), stop);
            setup(&mut manager);
            manager.run().await
        };
        // At the end, tokio waits for its threads, as in the program of an operator.
        runtime.block_on(run)
    })
}

impl Served {
    pub fn start() -> Self {
        let served = Self::start_without_certificate();
        served.authority.issue(served.directory.path());
        served.wait();
        served
    }

    pub fn start_without_certificate() -> Self {
        Self::start_with(&[])
    }

    pub fn start_with(flags: &[String]) -> Self {
        let (directory, authority) = (tempfile::tempdir().unwrap(), Authority::new());
        let (port, probes, stop) = (free_port(), free_port(), CancellationToken::new());
        let own = [
            format!("--webhook-bind-address=127.0.0.1:{port}"),
            format!("--webhook-cert-path={}", directory.path().display()),
            format!("--health-probe-bind-address=127.0.0.1:{probes}"),
            "--webhooks-only".into(),
        ];
        let flags = [&own[..], flags].concat();
        let thread = operator(&flags, no_cluster, &stop, |manager| {
            manager.webhook(webhook::defaulting(default));
            manager.webhook(webhook::validating_async(validate));
            manager.webhook(crate::conversion::sites());
        });
        Self { port, probes, authority, directory, stop, thread }
    }

    pub fn wait(&self) {
        let begun = Instant::now();
        while self.try_connect().is_err() {
            assert!(begun.elapsed() < Duration::from_secs(20), "not served");
            thread::sleep(Duration::from_millis(20));
        }
    }

    pub fn try_connect(&self) -> std::io::Result<Connection> {
        client::connect(self.port, &self.authority.certificate)
    }

    pub fn connect(&self) -> Connection {
        self.try_connect().unwrap()
    }

    pub fn ask(&self, path: &str, body: &[u8]) -> Answer {
        client::ask(&mut self.connect(), path, body).unwrap()
    }

    /// Sends an admission review, and checks that the answer is an admission review. Returns its response.
    pub fn asked(&self, path: &str, review: &Value) -> Value {
        let (code, text) = self.ask(path, review.to_string().as_bytes());
        assert_eq!(code, 200, "{text}");
        let mut review: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(review["apiVersion"], "admission.k8s.io/v1");
        assert_eq!(review["response"]["uid"], "7");
        review["response"].take()
    }

    pub fn stop(self) {
        self.stop.cancel();
        self.thread.join().unwrap().unwrap();
    }
}
