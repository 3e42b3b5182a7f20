//! The webhook server: its start, its certificate and its end.

use crate::client::{Over, answer, ask, head, map, review};
use crate::served::{self, Authority, Served, default, free_port, no_cluster};
use crate::{MUTATE, VALIDATE};
use axum::body::Body;
use axum::http::{Request, Response};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::Client;
use runtime::{Action, CancellationToken, Context, Controller, webhook};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

pub fn probe(port: u16) -> String {
    let begun = Instant::now();
    let mut socket = loop {
        match TcpStream::connect(("127.0.0.1", port)) {
            Ok(socket) => break socket,
            Err(error) => assert!(begun.elapsed() < Duration::from_secs(20), "{error}"),
        }
        thread::sleep(Duration::from_millis(20));
    };
    socket.write_all(b"GET /readyz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    socket.read_to_string(&mut text).unwrap();
    let body = text.rsplit("\r\n\r\n").next().unwrap();
    format!("{} {body}", text.split(' ').nth(1).unwrap())
}

#[test]
fn the_operator_is_ready_when_the_certificate_is_there_and_served() {
    let served = Served::start_without_certificate();
    assert_eq!(probe(served.probes), "503 starting: webhooks");
    assert!(served.try_connect().is_err());
    served.authority.issue(served.directory.path());
    let begun = Instant::now();
    while probe(served.probes) != "200 ok" {
        assert!(begun.elapsed() < Duration::from_secs(20));
        thread::sleep(Duration::from_millis(50));
    }
    served.connect();
    served.stop();
}

/// Requests on old and new connections succeed while the certificate is replaced, even by an invalid file.
#[test]
fn a_renewed_certificate_is_served_without_a_failed_request() {
    let served = Served::start();
    let asked = review("CREATE", &map(&json!({"size": "1"})), &Value::Null).to_string();
    let peer = |connection: &crate::client::Connection| connection.conn.peer_certificates().unwrap()[0].clone();
    let first = peer(&served.connect());
    let (port, over) = (served.port, AtomicBool::new(false));
    let certificate = &served.authority.certificate;
    thread::scope(|scope| {
        let _over = Over(&over);
        scope.spawn(|| {
            let mut kept = crate::client::connect(port, certificate).unwrap();
            while !over.load(Ordering::Relaxed) {
                let mut fresh = crate::client::connect(port, certificate).unwrap();
                for connection in [&mut kept, &mut fresh] {
                    assert_eq!(ask(connection, VALIDATE, asked.as_bytes()).unwrap().0, 200);
                }
                thread::sleep(Duration::from_millis(10));
            }
        });
        std::fs::write(served.directory.path().join("tls.crt"), "rubbish").unwrap();
        thread::sleep(Duration::from_secs(11));
        let kept = peer(&served.connect()) == first;
        served.authority.issue(served.directory.path());
        let begun = Instant::now();
        let is_new = || peer(&served.connect()) != first;
        while !is_new() && begun.elapsed() < Duration::from_secs(15) {
            thread::sleep(Duration::from_millis(50));
        }
        assert!(kept, "rubbish is served");
        assert!(is_new(), "the old certificate is served");
    });
    served.stop();
}

#[test]
fn a_request_in_progress_at_shutdown_is_answered() {
    let served = Served::start();
    let mut connection = served.connect();
    let body = review("CREATE", &map(&json!({"do": "wait", "size": "1"})), &Value::Null).to_string();
    write!(connection, "{}{body}", head(VALIDATE, body.len())).unwrap();
    thread::sleep(Duration::from_millis(300));
    let begun = Instant::now();
    served.stop.cancel();
    assert_eq!(answer(&mut connection).unwrap().0, 200);
    served.stop();
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
}

/// A connection that the API server keeps answers one more request after the server stops, and is then closed.
#[test]
fn a_kept_connection_is_answered_and_closed_when_the_server_stops() {
    let served = Served::start();
    let mut kept = served.connect();
    let body = review("CREATE", &map(&json!({"size": "1"})), &Value::Null).to_string();
    let body = body.as_bytes();
    for _ in 0..2 {
        assert_eq!(ask(&mut kept, VALIDATE, body).unwrap().0, 200);
    }
    served.stop.cancel();
    thread::sleep(Duration::from_millis(500));
    assert_eq!(ask(&mut kept, VALIDATE, body).unwrap().0, 200);
    assert!(ask(&mut kept, VALIDATE, body).is_err(), "the answer has closed the connection");
    served.stop();
}

/// Returns a client for a cluster with one ConfigMap.
fn one_map() -> Client {
    let answer = async |request: Request<kube::client::Body>| {
        let metadata = json!({"name": "a", "namespace": "b", "uid": "c", "resourceVersion": "1"});
        let list = json!({"metadata": {"resourceVersion": "1"}, "items": [{"metadata": metadata}]});
        let body = match request.uri().query().is_some_and(|query| query.contains("watch=true")) {
            true => Body::from_stream(futures::stream::pending::<std::io::Result<Vec<u8>>>()),
            false => Body::from(list.to_string()),
        };
        Ok::<_, std::io::Error>(Response::new(body))
    };
    Client::new(tower::service_fn(answer), "default")
}

#[test]
fn webhooks_are_served_until_the_last_pass_has_ended() {
    let (directory, authority) = (tempfile::tempdir().unwrap(), Authority::new());
    authority.issue(directory.path());
    let (port, probes, stop) = (free_port(), free_port(), CancellationToken::new());
    let flags = [
        format!("--webhook-bind-address=127.0.0.1:{port}"),
        format!("--webhook-cert-path={}", directory.path().display()),
        format!("--health-probe-bind-address=127.0.0.1:{probes}"),
    ];
    let (begun, begins) = std::sync::mpsc::channel();
    let reconcile = move |_: Arc<ConfigMap>, _: Arc<Context>| {
        begun.send(()).unwrap();
        async {
            tokio::time::sleep(Duration::from_secs(3)).await;
            anyhow::Ok(Action::await_change())
        }
    };
    let thread = served::operator(&flags, one_map, &stop, |manager| {
        manager.webhook(webhook::defaulting(default));
        manager.add(Controller::namespaced("map", reconcile));
    });
    let served = Served { port, probes, authority, directory, stop, thread };
    begins.recv_timeout(Duration::from_secs(20)).unwrap();
    served.wait();
    served.stop.cancel();
    thread::sleep(Duration::from_secs(1));
    assert_eq!(probe(served.probes), "503 stopping");
    served.asked(MUTATE, &review("CREATE", &map(&Value::Null), &Value::Null));
    served.stop();
}

#[test]
fn two_webhooks_for_one_path_are_an_error_that_names_it() {
    let stop = CancellationToken::new();
    let operator = served::operator(&["--health-probe-bind-address=0".into()], no_cluster, &stop, |manager| {
        manager.webhook(webhook::defaulting(default));
        manager.webhook(webhook::defaulting(default));
    });
    let error = operator.join().unwrap().unwrap_err().to_string();
    assert_eq!(error, format!("two webhooks are added for the path {MUTATE}"));
}

#[test]
fn without_a_certificate_or_a_webhook_nothing_is_served() {
    for with_webhook in [true, false] {
        let (port, probes, stop) = (free_port(), free_port(), CancellationToken::new());
        let flags = [
            format!("--webhook-bind-address=127.0.0.1:{port}"),
            format!("--health-probe-bind-address=127.0.0.1:{probes}"),
        ];
        let operator = served::operator(&flags, no_cluster, &stop, move |manager| {
            if with_webhook {
                manager.webhook(webhook::defaulting(default));
            }
        });
        assert_eq!(probe(probes), "200 ok");
        assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
        stop.cancel();
        operator.join().unwrap().unwrap();
    }
}

#[test]
fn an_authority_of_tests_is_not_trusted_by_chance() {
    let served = Served::start();
    assert!(crate::client::connect(served.port, &Authority::new().certificate).is_err());
    served.stop();
}
