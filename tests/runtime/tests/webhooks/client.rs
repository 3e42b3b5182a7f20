//! A client like the API server: it sends requests over TLS, and trusts the certificates that a test chooses.

use rustls::client::WantsClientCert;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, ConfigBuilder, RootCertStore, StreamOwned};
use serde_json::{Value, json};
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::TcpSocket;

pub type Connection = StreamOwned<ClientConnection, TcpStream>;

const JSON: &str = "content-type: application/json";

/// The status code and the text of an answer.
pub type Answer = (u16, String);

pub fn connect(port: u16, authority: &rcgen::Certificate) -> std::io::Result<Connection> {
    connect_as("localhost", port, [authority.der().clone()])
}

/// Connects to 127.0.0.1 from the address 127.0.0.`last`, so that the server sees a separate client.
pub fn from(last: u8, port: u16) -> TcpStream {
    let connect = async {
        let socket = TcpSocket::new_v4()?;
        socket.bind(([127, 0, 0, last], 0).into())?;
        socket.connect(([127, 0, 0, 1], port).into()).await?.into_std()
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let socket = runtime.block_on(connect).unwrap();
    socket.set_nonblocking(false).unwrap();
    socket
}

/// Connects to 127.0.0.1 as if `name` resolved to it.
pub fn connect_as(
    name: &'static str,
    port: u16,
    trusted: impl IntoIterator<Item = CertificateDer<'static>>,
) -> std::io::Result<Connection> {
    over(TcpStream::connect(("127.0.0.1", port))?, name, trusted, |config| config.with_no_client_auth())
}

/// A guard that sets the flag when it is dropped, also by a panic, so that the other threads of a scope end.
pub struct Over<'a>(pub &'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The TLS settings of a client before it has chosen a client certificate.
pub type Shown = ConfigBuilder<ClientConfig, WantsClientCert>;

/// Begins TLS over an open connection.
pub fn over(
    mut socket: TcpStream,
    name: &'static str,
    trusted: impl IntoIterator<Item = CertificateDer<'static>>,
    shown: impl FnOnce(Shown) -> ClientConfig,
) -> std::io::Result<Connection> {
    let mut roots = RootCertStore::empty();
    trusted.into_iter().for_each(|authority| roots.add(authority).unwrap());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = shown(config.with_root_certificates(roots));
    let name = ServerName::try_from(name).unwrap();
    let mut session = ClientConnection::new(Arc::new(config), name).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(20)))?;
    socket.set_nodelay(true)?;
    while session.is_handshaking() {
        session.complete_io(&mut socket)?;
    }
    Ok(StreamOwned::new(session, socket))
}

/// Sends a request and reads the whole answer; the connection can be used again.
pub fn ask(connection: &mut Connection, path: &str, body: &[u8]) -> std::io::Result<Answer> {
    connection.write_all(head(path, body.len()).as_bytes())?;
    // A server that refuses a request may answer before it has read the whole body.
    let _ = connection.write_all(body);
    answer(connection)
}

pub fn head(path: &str, length: usize) -> String {
    format!("POST {path} HTTP/1.1\r\nhost: localhost\r\n{JSON}\r\ncontent-length: {length}\r\n\r\n")
}

pub fn answer(connection: &mut Connection) -> std::io::Result<Answer> {
    let mut read = Vec::new();
    let end = loop {
        if let Some(end) = read.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        let mut byte = [0];
        receive(connection, &mut byte)?;
        read.push(byte[0]);
    };
    let head = String::from_utf8_lossy(&read[..end]).to_lowercase();
    let code = head.split(' ').nth(1).unwrap().parse().unwrap();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    receive(connection, &mut body)?;
    Ok((code, String::from_utf8(body).unwrap()))
}

/// Fills `buffer` with bytes from the server. Unlike a read from the stream, it does not first send the remaining
/// bytes of a request that the server has stopped reading.
fn receive(connection: &mut Connection, buffer: &mut [u8]) -> std::io::Result<()> {
    let mut filled = 0;
    while filled < buffer.len() {
        match connection.conn.reader().read(&mut buffer[filled..]) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(read) => filled += read,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                connection.conn.read_tls(&mut connection.sock)?;
                connection.conn.process_new_packets().map_err(std::io::Error::other)?;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Returns an admission review of a ConfigMap.
pub fn review(operation: &str, object: &Value, old: &Value) -> Value {
    json!({
        "apiVersion": "admission.k8s.io/v1",
        "kind": "AdmissionReview",
        "request": {
            "uid": "7",
            "kind": {"group": "", "version": "v1", "kind": "ConfigMap"},
            "resource": {"group": "", "version": "v1", "resource": "configmaps"},
            "operation": operation,
            "userInfo": {"username": "somebody"},
            "object": object,
            "oldObject": old,
        },
    })
}

pub fn map(data: &Value) -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "future": 1}, "data": data})
}
