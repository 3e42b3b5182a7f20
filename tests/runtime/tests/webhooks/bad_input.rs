//! Bad requests: each is answered with the reason, and the server goes on.

use crate::client::{self, Connection, from, map, review};
use crate::served::Served;
use crate::{MUTATE, VALIDATE};
use serde_json::{Value, json};
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

fn told(what: &str) -> String {
    review("CREATE", &map(&json!({"do": what, "size": "1"})), &Value::Null).to_string()
}

#[test]
fn bad_input_gets_an_answer_that_tells_why() {
    let served = Served::start();
    let with = |at: &str, value: Value| {
        let mut review = review("CREATE", &map(&json!({"size": "1"})), &Value::Null);
        *review.pointer_mut(at).unwrap() = value;
        review.to_string()
    };
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let deep_object = with("/request/object", json!("DEEP")).replace("\"DEEP\"", &deep);
    let pod = json!({"group": "", "version": "v1", "kind": "Pod"});
    for (body, code, text) in [
        (String::new(), 400, "the request cannot be read as JSON: EOF while parsing"),
        ("rubbish".into(), 400, "the request cannot be read as JSON: expected value"),
        ("{}".into(), 400, "the request must be an admission.k8s.io/v1 AdmissionReview, and is ` `"),
        ("[1]".into(), 400, "the request must be an admission.k8s.io/v1 AdmissionReview"),
        (deep, 400, "the request cannot be read as JSON: recursion limit exceeded"),
        (deep_object, 400, "the request cannot be read as JSON: recursion limit exceeded"),
        (" ".repeat(8 << 20), 413, "the request is longer than 7340032 bytes"),
        (with("/apiVersion", json!("admission.k8s.io/v1beta1")), 400, "the request must be an admission.k8s.io/v1 Adm"),
        (with("/kind", json!("ConversionReview")), 400, "the request must be an admission.k8s.io/v1 AdmissionReview"),
        (with("/request", Value::Null), 400, "the AdmissionReview has no request"),
        (with("/request", json!(5)), 400, "the AdmissionReview cannot be read"),
        (with("/request/uid", json!("")), 400, "the request has no uid"),
        (with("/request/uid", Value::Null), 400, "the AdmissionReview cannot be read: invalid type: null"),
        (with("/request/operation", json!("EAT")), 400, "the AdmissionReview cannot be read: unknown variant `EAT`"),
        (with("/request/kind", pod), 400, "this webhook handles v1 ConfigMap, but the request is about v1 Pod"),
    ] {
        for path in [MUTATE, VALIDATE] {
            let answer = served.ask(path, body.as_bytes());
            let shown: String = body.chars().take(200).collect();
            assert!(answer.0 == code && answer.1.starts_with(text), "{shown}: {answer:?}");
        }
    }
    let nowhere = served.ask("/validate-nowhere", told("nothing").as_bytes());
    assert_eq!(nowhere, (404, "no webhook is served at /validate-nowhere".into()));
    served.stop();
}

#[test]
fn a_function_that_panics_fails_or_hangs_is_an_answer() {
    let served = Served::start();
    for path in [MUTATE, VALIDATE] {
        let panicked = (500, "the webhook has panicked: told to panic".to_owned());
        assert_eq!(served.ask(path, told("panic").as_bytes()), panicked);
        let begun = Instant::now();
        let late = (504, "the webhook has not answered within 900ms".to_owned());
        assert_eq!(served.ask(&format!("{path}?timeout=1s"), told("hang").as_bytes()), late);
        assert!(begun.elapsed() < Duration::from_secs(2));
    }
    assert_eq!(served.ask(VALIDATE, told("fail").as_bytes()), (500, "there is no zone".into()));
    served.stop();
}

/// Other requests are answered while more requests hang than the operator has threads.
#[test]
fn functions_that_hang_keep_nobody_else_waiting() {
    let served = Served::start();
    let mut hanging: Vec<_> = (0..20).map(|_| served.connect()).collect();
    for (at, connection) in hanging.iter_mut().enumerate() {
        let (path, body) = ([MUTATE, VALIDATE][at % 2], told("hang"));
        write!(connection, "{}{body}", client::head(path, body.len())).unwrap();
    }
    let begun = Instant::now();
    assert_eq!(served.ask(MUTATE, told("nothing").as_bytes()).0, 200);
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    drop(hanging);
    served.stop();
    assert!(begun.elapsed() < Duration::from_millis(2500), "the operator waits for functions: {:?}", begun.elapsed());
}

#[test]
fn idle_connections_and_garbage_keep_nobody_else_waiting() {
    let served = Served::start();
    let silent: Vec<_> = (0..500).map(|_| TcpStream::connect(("127.0.0.1", served.port)).unwrap()).collect();
    let idle: Vec<_> = (0..100).map(|_| served.connect()).collect();
    let mut half = served.connect();
    write!(half, "{}{{", client::head(MUTATE, 100)).unwrap();
    for garbage in [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0; 1000], &[0x16, 3, 1, 255, 255, 1], &[255; 20_000]] {
        let mut socket = TcpStream::connect(("127.0.0.1", served.port)).unwrap();
        let _ = socket.write_all(garbage);
    }
    let mut unfinished = TcpStream::connect(("127.0.0.1", served.port)).unwrap();
    unfinished.write_all(&[0x16, 3, 1, 2, 0, 1]).unwrap();
    let begun = Instant::now();
    for _ in 0..20 {
        assert_eq!(served.ask(VALIDATE, told("nothing").as_bytes()).0, 200);
    }
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());

    // The server ends a handshake that takes too long.
    unfinished.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    assert_eq!(unfinished.read(&mut [0; 100]).unwrap(), 0);
    assert!((5..25).contains(&begun.elapsed().as_secs()), "{:?}", begun.elapsed());
    drop((silent, idle));
    let answer = client::answer(&mut half).unwrap();
    assert_eq!(answer, (504, "the webhook has not answered within 9s".into()));
    served.stop();
}

/// A client that opens too many connections loses one of these connections. The API server keeps its connection.
#[test]
fn a_connection_too_many_closes_another_one_of_its_client() {
    let served = Served::start();
    let mut kept = served.connect();
    let ask_again = |connection: &mut Connection| client::ask(connection, VALIDATE, told("nothing").as_bytes());
    assert_eq!(ask_again(&mut kept).unwrap().0, 200);
    let held: Vec<_> = (0..300).map(|_| from(2, served.port)).collect();
    // The operator may accept them later than the kernel does.
    let begun = Instant::now();
    let is_closed = |mut one: &TcpStream| {
        one.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
        let read = one.read(&mut [0]).map_err(|error| error.kind());
        matches!(read, Ok(0) | Err(ErrorKind::ConnectionReset))
    };
    while !is_closed(&held[0]) {
        assert!(begun.elapsed() < Duration::from_secs(8), "the first one is not closed");
    }
    assert!(!is_closed(&held[299]));
    assert_eq!(ask_again(&mut kept).unwrap().0, 200);
    assert_eq!(served.ask(VALIDATE, told("nothing").as_bytes()).0, 200);
    served.stop();
}

#[test]
fn a_head_is_looked_at_before_the_body() {
    let served = Served::start();
    let json = "content-type: application/json";
    for (lines, code, text) in [
        ("content-length: 9".to_owned(), 415, "the content-type must be application/json, and is ``"),
        ("content-type: text/plain\r\ncontent-length: 9".into(), 415, "the content-type must be application/json"),
        (format!("{json}\r\ntransfer-encoding: chunked"), 411, "the request has no content-length"),
        (format!("{json}\r\ncontent-length: 8000000"), 413, "the request is longer than 7340032 bytes"),
    ] {
        let mut connection = served.connect();
        write!(connection, "POST {MUTATE} HTTP/1.1\r\nhost: a\r\n{lines}\r\n\r\n").unwrap();
        let answer = client::answer(&mut connection).unwrap();
        assert!(answer.0 == code && answer.1.starts_with(text), "{lines}: {answer:?}");
    }
    served.stop();
}
