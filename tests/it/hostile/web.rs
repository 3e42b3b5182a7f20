//! A web server on this machine that answers as an attacker would.

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// The server, and the paths that were asked for.
pub(super) struct Web {
    base: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Web {
    /// Answers each request by `answer`, which gets the path and the server's own URL, and ends with the connection.
    pub(super) fn serve(
        tls: Option<Arc<ServerConfig>>,
        answer: impl Fn(&str, &str, &mut dyn Write) -> std::io::Result<()> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let scheme = if tls.is_some() { "https" } else { "http" };
        let base = format!("{scheme}://127.0.0.1:{}", listener.local_addr().unwrap().port());
        let (requests, answer) = (Arc::<Mutex<Vec<String>>>::default(), Arc::new(answer));
        let (own, asked) = (base.clone(), Arc::clone(&requests));
        thread::spawn(move || {
            for connection in listener.incoming() {
                let (own, asked, answer, tls) = (own.clone(), Arc::clone(&asked), Arc::clone(&answer), tls.clone());
                thread::spawn(move || {
                    let connection: TcpStream = connection.unwrap();
                    let answer = |mut stream: &mut dyn ReadWrite| -> std::io::Result<()> {
                        let path = request(&mut stream)?;
                        asked.lock().unwrap().push(path.clone());
                        answer(&path, &own, &mut stream)
                    };
                    // The client goes away where it refuses the answer.
                    let _ = match tls {
                        Some(tls) => answer(&mut StreamOwned::new(ServerConnection::new(tls).unwrap(), connection)),
                        None => answer(&mut { connection }),
                    };
                });
            }
        });
        Web { base, requests }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    pub(super) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    pub(super) fn body(stream: &mut dyn Write, body: &[u8]) -> std::io::Result<()> {
        write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len())?;
        stream.write_all(body)
    }

    pub(super) fn redirect(stream: &mut dyn Write, to: &str) -> std::io::Result<()> {
        write!(stream, "HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    }
}

trait ReadWrite: Read + Write {}

impl<Stream: Read + Write> ReadWrite for Stream {}

/// Reads a request, and returns its path.
fn request(stream: &mut dyn Read) -> std::io::Result<String> {
    let mut lines = BufReader::with_capacity(1, stream).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    Ok(first.split(' ').nth(1).unwrap_or_default().to_owned())
}

/// Makes an authority, as PEM, and what a server at 127.0.0.1 needs that it signed.
pub(super) fn certificate() -> (String, Arc<ServerConfig>) {
    let mut authority = CertificateParams::new(Vec::new()).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().unwrap();
    let pem = authority.self_signed(&key).unwrap().pem();
    let issuer = Issuer::new(authority, key);
    let key = KeyPair::generate().unwrap();
    let leaf = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap().signed_by(&key, &issuer).unwrap();
    let config = ServerConfig::builder_with_provider(rustls::crypto::ring::default_provider().into())
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![leaf.der().clone()], PrivateKeyDer::try_from(key.serialize_der()).unwrap())
        .unwrap();
    (pem, Arc::new(config))
}
