//! A web server on this machine that sends the responses of a test, including hostile ones.

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// A request to the server.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// The path in the request's URL.
    pub(crate) path: String,
    /// The position of the first requested byte.
    pub(crate) begin: u64,
}

/// A running server, and the requests that it has received.
pub(crate) struct Web {
    base: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Web {
    /// Starts a server that calls `answer` with each request's path, the server's URL and the response stream.
    pub(crate) fn serve(
        tls: Option<Arc<ServerConfig>>,
        answer: impl Fn(&str, &str, &mut dyn Write) -> std::io::Result<()> + Send + Sync + 'static,
    ) -> Self {
        Web::answer(tls, move |request, base, stream| answer(&request.path, base, stream))
    }

    /// Starts a server that calls `answer` with each request, the server's URL and the response stream.
    pub(crate) fn answer(
        tls: Option<Arc<ServerConfig>>,
        answer: impl Fn(&Request, &str, &mut dyn Write) -> std::io::Result<()> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let scheme = if tls.is_some() { "https" } else { "http" };
        let base = format!("{scheme}://127.0.0.1:{}", listener.local_addr().unwrap().port());
        let (requests, answer) = (Arc::<Mutex<Vec<Request>>>::default(), Arc::new(answer));
        let (own, asked) = (base.clone(), Arc::clone(&requests));
        thread::spawn(move || {
            for connection in listener.incoming() {
                let (own, asked, answer, tls) = (own.clone(), Arc::clone(&asked), Arc::clone(&answer), tls.clone());
                thread::spawn(move || {
                    let connection: TcpStream = connection.unwrap();
                    let answer = |mut stream: &mut dyn ReadWrite| -> std::io::Result<()> {
                        let request = request(&mut stream)?;
                        asked.lock().unwrap().push(request.clone());
                        answer(&request, &own, &mut stream)
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

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// Returns the paths of the requests so far.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.asked().into_iter().map(|request| request.path).collect()
    }

    pub(crate) fn asked(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    pub(crate) fn body(stream: &mut dyn Write, body: &[u8]) -> std::io::Result<()> {
        write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len())?;
        stream.write_all(body)
    }

    pub(crate) fn redirect(stream: &mut dyn Write, to: &str) -> std::io::Result<()> {
        write!(stream, "HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    }
}

trait ReadWrite: Read + Write {}

impl<Stream: Read + Write> ReadWrite for Stream {}

/// Reads a request.
fn request(stream: &mut dyn Read) -> std::io::Result<Request> {
    let mut lines = BufReader::with_capacity(1, stream).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    let mut begin = 0;
    for line in lines {
        let line = line?.to_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(range) = line.strip_prefix("range: bytes=") {
            begin = range.trim_end_matches('-').parse().unwrap();
        }
    }
    Ok(Request { path: first.split(' ').nth(1).unwrap_or_default().to_owned(), begin })
}

/// Makes a certificate authority, which it returns as PEM, and the TLS settings of a server at 127.0.0.1.
pub(crate) fn certificate() -> (String, Arc<ServerConfig>) {
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
