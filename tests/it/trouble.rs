//! The golden operator in trouble: a certificate that is replaced.

use crate::golden::project;
use crate::life::{Operator, Plane};
use std::net::TcpListener;
use std::path::Path;
use std::time::{Duration, Instant};
use ureq::tls::{Certificate, RootCerts, TlsConfig};

const NAME: &str = "shop-operator";

fn read(log: &Path) -> String {
    std::fs::read_to_string(log).unwrap_or_default()
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Writes a certificate of its own for `localhost` into `folder`, and gives it.
fn certificate(folder: &Path) -> String {
    let own = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    std::fs::write(folder.join("tls.key"), own.signing_key.serialize_pem()).unwrap();
    std::fs::write(folder.join("tls.crt"), own.cert.pem()).unwrap();
    own.cert.pem()
}

/// Who is answered, trusting nobody but `root`: the status code, if there is an answer.
fn answered(port: u16, root: &str) -> Option<u16> {
    let roots = RootCerts::from(vec![Certificate::from_pem(root.as_bytes()).unwrap()]);
    let tls = TlsConfig::builder().root_certs(roots).build();
    let agent = ureq::Agent::config_builder().tls_config(tls).http_status_as_error(false).build().new_agent();
    let answer = agent.get(format!("https://localhost:{port}/metrics")).call().ok()?;
    Some(answer.status().as_u16())
}

#[tokio::test]
async fn a_certificate_that_is_replaced_is_served_without_a_restart() {
    let plane = Plane::start();
    plane.must(&project(NAME), &["install"]);
    let temporary = tempfile::tempdir().unwrap();
    let (log, folder, port) = (temporary.path().join("log"), temporary.path().to_str().unwrap(), free_port());
    let old = certificate(temporary.path());
    let address = format!("127.0.0.1:{port}");
    let flags = ["--metrics-bind-address", &address, "--metrics-cert-path", folder];
    let operator = Operator::start_with(&plane, NAME, &log, &flags);
    let answers = |root: &str| {
        let start = Instant::now();
        loop {
            match answered(port, root) {
                Some(code) => return code,
                None => assert!(start.elapsed() < Duration::from_secs(30), "{}", read(&log)),
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    };
    assert_eq!(answers(&old), 401, "without a token");
    let new = certificate(temporary.path());
    assert_eq!(answers(&new), 401, "without a token");
    assert_eq!(answered(port, &old), None);
    assert_eq!(operator.stop(), Some(0), "{}", read(&log));
}
