//! The operator's own certificate authority: replicas that share a Secret, and rights that are missing.

use crate::client::{Connection, ask, connect_as, map, review};
use crate::cluster::{Cluster, SECRETS, configuration, secret};
use crate::served::{self, default, free_port};
use crate::server::probe;
use crate::{MUTATE, VALIDATE};
use axum::http::Method;
use runtime::CancellationToken;
use runtime::webhook::{self, Findings};
use rustls::pki_types::{CertificateDer, pem::PemObject};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write;
use std::sync::{Mutex, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

const HOST: &str = "web.shop.svc";

struct Replica {
    port: u16,
    probes: u16,
    stop: CancellationToken,
    thread: JoinHandle<anyhow::Result<()>>,
}

impl Replica {
    fn start(cluster: &Cluster, name: &str) -> Self {
        let (port, probes, stop) = (free_port(), free_port(), CancellationToken::new());
        let flags = [
            format!("--webhook-bind-address=127.0.0.1:{port}"),
            format!("--health-probe-bind-address=127.0.0.1:{probes}"),
            "--webhook-service-name=web".into(),
            format!("--webhook-secret-name={name}"),
            format!("--mutating-webhook-configuration={name}"),
            format!("--validating-webhook-configuration={name}"),
            "--webhooks-only".into(),
        ];
        let cluster = cluster.clone();
        let thread = served::operator(
            &flags,
            move || cluster.client(),
            &stop,
            |manager| {
                manager.webhook(webhook::defaulting(default));
                manager.webhook(webhook::validating(
                    |_: &k8s_openapi::api::core::v1::ConfigMap, _, _: &webhook::Request| Findings::default(),
                ));
            },
        );
        Self { port, probes, stop, thread }
    }

    fn connect(&self, bundle: &Value) -> std::io::Result<Connection> {
        let bundle: k8s_openapi::ByteString = serde_json::from_value(bundle.clone()).unwrap_or_default();
        let trusted = CertificateDer::pem_slice_iter(&bundle.0).map(Result::unwrap);
        connect_as(HOST, self.port, trusted.collect::<Vec<_>>())
    }

    fn stop(self) {
        self.stop.cancel();
        self.thread.join().unwrap().unwrap();
    }
}

fn cluster(name: &str) -> Cluster {
    let cluster = Cluster::default();
    cluster.put(&secret(name), json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}}));
    for (kind, path) in [("mutating", MUTATE), ("validating", VALIDATE)] {
        put_configuration(&cluster, kind, path, name);
    }
    cluster
}

fn put_configuration(cluster: &Cluster, kind: &str, path: &str, name: &str) {
    let service = json!({"name": "web", "namespace": "shop", "path": path, "port": 443});
    let other = json!({"name": "a.other", "clientConfig": {"service": {"name": "other", "namespace": "shop"}}});
    let webhooks = json!([other, {"name": "a.example.com", "clientConfig": {"service": service}}]);
    cluster.put(&configuration(kind, name), json!({"metadata": {"name": name}, "webhooks": webhooks}));
}

fn bundle(cluster: &Cluster, kind: &str, name: &str) -> Value {
    let webhooks = &cluster.get(&configuration(kind, name))["webhooks"];
    assert_eq!(webhooks[0]["clientConfig"]["caBundle"], Value::Null, "it is another's");
    webhooks[1]["clientConfig"]["caBundle"].clone()
}

fn until(what: &str, mut is: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is() {
        assert!(begun.elapsed() < Duration::from_secs(30), "timed out while waiting for: {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Returns what the operators have logged.
fn logged() -> String {
    static LOG: OnceLock<&'static Mutex<Vec<u8>>> = OnceLock::new();
    struct Log(&'static Mutex<Vec<u8>>);
    impl Write for Log {
        fn write(&mut self, text: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend(text);
            Ok(text.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let log = LOG.get_or_init(|| {
        let log: &'static Mutex<Vec<u8>> = Box::leak(Box::default());
        tracing_subscriber::fmt().with_ansi(false).with_writer(move || Log(log)).init();
        log
    });
    String::from_utf8(log.lock().unwrap().clone()).unwrap()
}

#[test]
fn two_replicas_that_start_at_once_serve_the_same_certificate() {
    logged();
    for _ in 0..50 {
        let cluster = cluster("together");
        let replicas = [(); 2].map(|()| Replica::start(&cluster, "together"));
        for replica in &replicas {
            until("ready", || probe(replica.probes) == "200 ok");
        }
        let stored = cluster.get(&secret("together"))["data"].clone();
        let served = replicas.each_ref().map(|replica| {
            for kind in ["mutating", "validating"] {
                assert_eq!(bundle(&cluster, kind, "together"), stored["ca.crt"]);
            }
            let connection = replica.connect(&stored["ca.crt"]).unwrap();
            connection.conn.peer_certificates().unwrap()[0].clone()
        });
        assert_eq!(served[0], served[1]);
        assert!(!logged().contains("Secret shop/together"), "the slower one reads again at once");
        assert_eq!(cluster.writes(), 3, "one Secret and two configurations are written, once each");
        replicas.into_iter().for_each(Replica::stop);
    }
}

/// The name of a Secret and its configurations, the request that the operator may not make, as its method and a part of
/// its path, whether the operator serves nevertheless, and the beginning of the warning.
const MISSING_RIGHTS: [(&str, Method, &str, bool, &str); 6] = [
    ("read-secret", Method::GET, SECRETS, false, "Secret shop/read-secret: cannot read it: "),
    ("update-secret", Method::PUT, SECRETS, false, "Secret shop/update-secret: cannot update it: "),
    (
        "read-m",
        Method::GET,
        "/mutating",
        true,
        "MutatingWebhookConfiguration read-m cannot be set, so the API server calls none of its webhooks: \
         cannot read the object: ",
    ),
    (
        "patch-m",
        Method::PATCH,
        "/mutating",
        true,
        "MutatingWebhookConfiguration patch-m cannot be set, so the API server calls none of its webhooks: \
         cannot patch the object: ",
    ),
    (
        "read-v",
        Method::GET,
        "/validating",
        true,
        "ValidatingWebhookConfiguration read-v cannot be set, so the API server calls none of its webhooks: \
         cannot read the object: ",
    ),
    (
        "patch-v",
        Method::PATCH,
        "/validating",
        true,
        "ValidatingWebhookConfiguration patch-v cannot be set, so the API server calls none of its webhooks: \
         cannot patch the object: ",
    ),
];

/// An operator that lacks a right keeps running, and logs a warning that names the right. Once the right is
/// granted, everything works.
#[test]
fn a_right_that_is_missing_is_told_and_waited_for() {
    logged();
    thread::scope(|scope| {
        for (name, method, part, serves, told) in MISSING_RIGHTS {
            scope.spawn(move || is_told_and_waited_for(name, &method, part, serves, told));
        }
    });
}

fn is_told_and_waited_for(name: &str, method: &Method, part: &str, serves: bool, told: &str) {
    let cluster = cluster(name);
    cluster.refuse(method, part);
    let replica = Replica::start(&cluster, name);
    until(told, || logged().contains(told));
    let of_right = logged().lines().any(|line| line.contains(told) && line.contains(&format!("cannot {method}")));
    assert!(of_right, "{}", logged());
    if serves {
        until("ready", || probe(replica.probes) == "200 ok");
    } else {
        assert_eq!(probe(replica.probes), "503 starting: webhooks");
    }
    let trusting = |kind: &str| bundle(&cluster, kind, name) != Value::Null;
    let expected = ["mutating", "validating"].map(|kind| serves && !part.contains(kind));
    assert_eq!(["mutating", "validating"].map(trusting), expected);
    cluster.grant_all();
    until("all is well", || ["mutating", "validating"].map(trusting) == [true; 2]);
    until("ready", || probe(replica.probes) == "200 ok");
    replica.connect(&bundle(&cluster, "mutating", name)).unwrap();
    replica.stop();
}

#[test]
fn a_missing_secret_is_created_and_a_missing_configuration_is_awaited() {
    logged();
    let cluster = Cluster::default();
    cluster.refuse(&Method::POST, SECRETS);
    let replica = Replica::start(&cluster, "missing");
    let told = "Secret shop/missing: the Secret does not exist, and cannot be created: ";
    until(told, || logged().contains(told));
    cluster.grant_all();
    until("ready", || probe(replica.probes) == "200 ok");
    let told = "MutatingWebhookConfiguration missing cannot be set, so the API server calls none of its webhooks: cannot read the object: ";
    until(told, || logged().contains(told));
    put_configuration(&cluster, "mutating", MUTATE, "missing");
    put_configuration(&cluster, "validating", VALIDATE, "missing");
    until("trusted", || bundle(&cluster, "validating", "missing") != Value::Null);
    assert_eq!(bundle(&cluster, "mutating", "missing"), cluster.get(&secret("missing"))["data"]["ca.crt"]);
    replica.stop();
}

/// The API server's requests are always answered, even if somebody spoils the Secret or the configurations.
#[test]
fn a_secret_that_is_emptied_or_filled_with_rubbish_is_repaired() {
    logged();
    let cluster = cluster("spoilt");
    let replicas = [(); 2].map(|()| Replica::start(&cluster, "spoilt"));
    for replica in &replicas {
        until("ready", || probe(replica.probes) == "200 ok");
    }
    let first = cluster.get(&secret("spoilt"))["data"].clone();
    let asked = review("CREATE", &map(&json!({"size": "1"})), &Value::Null).to_string();
    let answered = |during: &str, mut over: Box<dyn FnMut() -> bool + '_>| {
        until(during, || {
            for replica in &replicas {
                let mut connection = replica.connect(&bundle(&cluster, "mutating", "spoilt")).expect(during);
                assert_eq!(ask(&mut connection, MUTATE, asked.as_bytes()).unwrap().0, 200);
            }
            over()
        });
    };
    let spoil = |data: Value| {
        let mut spoilt = cluster.get(&secret("spoilt"));
        spoilt["data"] = data;
        cluster.put(&secret("spoilt"), spoilt);
    };
    spoil(Value::Null);
    answered("emptied", Box::new(|| cluster.get(&secret("spoilt"))["data"] == first));

    let rubbish = "cnViYmlzaA==";
    spoil(json!({"ca.crt": rubbish, "ca.key": rubbish, "tls.crt": rubbish, "tls.key": rubbish}));
    answered("rubbish", Box::new(|| cluster.get(&secret("spoilt"))["data"] == first));
    assert!(logged().contains("the certificate authority is restored"));

    let mut other = cluster.get(&configuration("mutating", "spoilt"));
    other["webhooks"][1]["clientConfig"]["caBundle"] = Value::Null;
    cluster.put(&configuration("mutating", "spoilt"), other);
    until("trusted again", || bundle(&cluster, "mutating", "spoilt") == first["ca.crt"]);
    replicas.into_iter().for_each(Replica::stop);
}

/// Certificates that live for seconds, by testdata/runtime-trials/lifetimes-of-seconds.patch, are renewed under
/// load. Each client knows the configuration of up to two seconds ago, as the API server does, whose watch may lag.
#[test]
#[ignore = "the certificates of the runtime live for months"]
fn certificates_that_live_for_seconds_are_renewed_under_load() {
    const LAG: Duration = Duration::from_secs(2);
    const LENGTH: Duration = Duration::from_secs(300);
    logged();
    let cluster = cluster("renewed");
    let replicas = [(); 2].map(|()| Replica::start(&cluster, "renewed"));
    for replica in &replicas {
        until("ready", || probe(replica.probes) == "200 ok");
    }
    let asked = review("CREATE", &map(&json!({"size": "1"})), &Value::Null).to_string();
    let begun = Instant::now();
    let client = |replica: &Replica| {
        let (mut requests, mut authorities, mut served) = (0, BTreeSet::new(), BTreeSet::new());
        let (mut known, mut read) = (bundle(&cluster, "mutating", "renewed"), Instant::now());
        while begun.elapsed() < LENGTH {
            if read.elapsed() > LAG {
                (known, read) = (bundle(&cluster, "mutating", "renewed"), Instant::now());
            }
            let mut connection = replica.connect(&known).unwrap_or_else(|error| panic!("{error}: {}", logged()));
            // The API server keeps its connections.
            for _ in 0..10 {
                assert_eq!(ask(&mut connection, MUTATE, asked.as_bytes()).unwrap().0, 200);
                requests += 1;
            }
            authorities.insert(known.to_string());
            served.insert(connection.conn.peer_certificates().unwrap()[0].to_vec());
        }
        (requests, authorities, served)
    };
    let counts = thread::scope(|scope| {
        let clients: Vec<_> = replicas.iter().cycle().take(8).map(|replica| scope.spawn(|| client(replica))).collect();
        clients.into_iter().map(|client| client.join().unwrap()).collect::<Vec<_>>()
    });
    let requests: u64 = counts.iter().map(|(requests, ..)| requests).sum();
    let authorities: BTreeSet<_> = counts.iter().flat_map(|(_, authorities, _)| authorities).collect();
    let served: BTreeSet<_> = counts.iter().flat_map(|(.., served)| served).collect();
    println!("{requests} requests, {} bundles, {} certificates", authorities.len(), served.len());
    assert!(served.len() as u64 > LENGTH.as_secs() / 9, "a certificate of nine seconds is renewed");
    assert!(authorities.len() as u64 > LENGTH.as_secs() / 30, "an authority of thirty seconds is renewed");
    replicas.into_iter().for_each(Replica::stop);
}
