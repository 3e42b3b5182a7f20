//! Webhooks that require a client certificate.

use crate::client::{self, Answer, ask, map, review};
use crate::served::{Authority, Served};
use crate::{VALIDATE, conversion};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use serde_json::{Value, json};
use std::net::TcpStream;

impl Served {
    /// Sends a request with a client certificate that `authority` has signed.
    fn ask_as(&self, authority: &Authority, path: &str, body: &[u8]) -> std::io::Result<Answer> {
        let (certificate, key) = authority.sign();
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let shown = |config: client::Shown| config.with_client_auth_cert(vec![certificate.der().clone()], key).unwrap();
        let trusted = [self.authority.certificate.der().clone()];
        let socket = TcpStream::connect(("127.0.0.1", self.port))?;
        ask(&mut client::over(socket, "localhost", trusted, shown)?, path, body)
    }
}

#[test]
fn admission_webhooks_answer_only_who_has_a_certificate_of_the_authority() {
    let (directory, api_server) = (tempfile::tempdir().unwrap(), Authority::new());
    let path = directory.path().join("ca.crt");
    std::fs::write(&path, api_server.certificate.pem()).unwrap();
    let served = Served::start_with(&[format!("--webhook-client-ca={}", path.display())]);
    served.authority.issue(served.directory.path());
    served.wait();
    let asked = review("CREATE", &map(&json!({"size": "1"})), &Value::Null).to_string();
    let refused = "the client must present a certificate of the --webhook-client-ca";
    assert_eq!(served.ask(VALIDATE, asked.as_bytes()), (401, refused.into()));
    assert_eq!(served.ask_as(&api_server, VALIDATE, asked.as_bytes()).unwrap().0, 200);
    assert!(served.ask_as(&Authority::new(), VALIDATE, asked.as_bytes()).is_err());
    // The API server shows no certificate when it has an object converted.
    let site = conversion::site("v1", "a", &json!({"replicas": 1}));
    let asked = conversion::review("example.com/v1alpha1", &[site]).to_string();
    assert_eq!(served.ask(conversion::CONVERT, asked.as_bytes()).0, 200);
    served.stop();
}
