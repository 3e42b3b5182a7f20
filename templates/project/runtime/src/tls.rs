//! HTTPS servers whose certificate can be replaced while they run.

use axum::Router;
use axum::serve::Listener;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use parking_lot::RwLock;
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject};
use std::path::{Path, PathBuf};
use std::pin::{Pin, pin};
use std::{sync::Arc, time::Duration};
use tokio::net::{TcpListener, TcpStream};
use tokio::{sync::Semaphore, time::timeout};
use tokio_rustls::{TlsAcceptor, server::TlsStream};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// The interval at which servers look for a renewed certificate.
pub const RENEW: Duration = Duration::from_secs(10);
/// The time that a connection may take for its handshake.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// The time for which a connection may be idle, and that it may take for the head of a request. An
/// HTTP/2 connection is pinged after this time, and kept as long as its client answers.
const IDLE: Duration = Duration::from_secs(90);
/// The number of connections at a time. Each takes up to 35 kB, and the API server needs few.
const CONNECTIONS: usize = 1000;
/// The time for requests in flight when the operator stops.
const GRACE: Duration = Duration::from_secs(5);
/// The protocols of a connection, the preferred one first. Over HTTP/2, the API server sends its
/// parallel calls of a webhook in one connection; Prometheus needs HTTP/1.1 only.
const PROTOCOLS: &[&[u8]] = if cfg!(feature = "webhooks") {
    &[b"h2", b"http/1.1"]
} else {
    &[b"http/1.1"]
};

/// Says which cryptography TLS uses. rustls only knows by itself as long as no other dependency
/// brings another one, and panics then. What the program has chosen before stays.
pub fn choose_cryptography() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// A certificate and those between it and its authority, and its key, as PEM.
#[derive(Clone, PartialEq)]
pub struct Certificate {
    pub chain: Vec<u8>,
    pub key: Vec<u8>,
}

impl Certificate {
    fn acceptor(&self) -> anyhow::Result<TlsAcceptor> {
        let chain = CertificateDer::pem_slice_iter(&self.chain).collect::<Result<_, _>>()?;
        let key = PrivateKeyDer::from_pem_slice(&self.key)?;
        let config = ServerConfig::builder().with_no_client_auth();
        let mut config = config.with_single_cert(chain, key)?;
        config.alpn_protocols = PROTOCOLS.iter().map(|name| name.to_vec()).collect();
        Ok(Arc::new(config).into())
    }
}

/// The certificate that a server shows to new connections.
#[derive(Clone)]
pub struct Served(Arc<RwLock<TlsAcceptor>>);

impl Served {
    pub fn new(certificate: &Certificate) -> anyhow::Result<Self> {
        Ok(Self(Arc::new(RwLock::new(certificate.acceptor()?))))
    }

    pub fn replace(&self, certificate: &Certificate) -> anyhow::Result<()> {
        *self.0.write() = certificate.acceptor()?;
        Ok(())
    }
}

/// A directory of tls.crt, tls.key and perhaps ca.crt, such as a mounted Secret.
#[derive(Clone, Debug)]
pub struct Files(PathBuf);

impl Files {
    pub fn new(directory: &Path) -> Self {
        Self(directory.to_owned())
    }

    pub async fn read(&self) -> anyhow::Result<Certificate> {
        let read = async |name| {
            let path = self.0.join(name);
            let text = tokio::fs::read(&path).await;
            text.map_err(|error| anyhow::anyhow!("cannot read {}: {error}", path.display()))
        };
        let (chain, key) = (read("tls.crt").await?, read("tls.key").await?);
        Ok(Certificate { chain, key })
    }

    /// Returns the certificate of the authority that signed the certificate, if the directory has
    /// it as ca.crt.
    #[cfg(feature = "webhooks")]
    pub async fn authority(&self) -> Option<Vec<u8>> {
        let authority = tokio::fs::read(self.0.join("ca.crt")).await.ok()?;
        (!authority.trim_ascii().is_empty()).then_some(authority)
    }
}

/// Serves `routes` until `stop` is cancelled, and then completes the requests in flight, for at most
/// [`GRACE`]. Closes each connection beyond [`CONNECTIONS`], so that idle ones do not use up the
/// memory.
pub async fn serve(mut tcp: TcpListener, served: Served, stop: CancellationToken, routes: Router) {
    let limit = Arc::new(Semaphore::new(CONNECTIONS));
    let connections = TaskTracker::new();
    while let Some((tcp, _)) = stop.run_until_cancelled(Listener::accept(&mut tcp)).await {
        let Ok(permit) = limit.clone().try_acquire_owned() else {
            continue;
        };
        // Otherwise a small answer waits until the client has confirmed the one before.
        let _ = tcp.set_nodelay(true);
        let handshake = served.0.read().accept(tcp);
        let (stop, routes) = (stop.clone(), routes.clone());
        connections.spawn(async move {
            let _permit = permit;
            if let Ok(Ok(stream)) = timeout(HANDSHAKE, handshake).await {
                answer(stream, routes, stop).await;
            }
        });
    }
    connections.close();
    let _ = timeout(GRACE, connections.wait()).await;
}

async fn answer(stream: TlsStream<TcpStream>, routes: Router, stop: CancellationToken) {
    #[cfg(feature = "webhooks")]
    let is_http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
    let (io, service) = (TokioIo::new(stream), TowerToHyperService::new(routes));
    #[cfg(feature = "webhooks")]
    if is_http2 {
        use hyper::server::conn::http2::{Builder, Connection};
        let mut http = Builder::new(hyper_util::rt::TokioExecutor::new());
        // Closes the connection of a client that is gone, as it does not answer a ping.
        http.timer(TokioTimer::new())
            .keep_alive_interval(IDLE)
            .keep_alive_timeout(HANDSHAKE);
        let connection = http.serve_connection(io, service);
        return complete(connection, Connection::graceful_shutdown, stop).await;
    }
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(IDLE);
    let connection = http.serve_connection(io, service);
    complete(connection, http1::Connection::graceful_shutdown, stop).await;
}

/// Waits for the end of a connection. Begins to shut it down when `stop` is cancelled.
async fn complete<C: Future>(connection: C, shut_down: fn(Pin<&mut C>), stop: CancellationToken) {
    let mut connection = pin!(connection);
    let ended = stop.run_until_cancelled(connection.as_mut()).await;
    if ended.is_none() {
        shut_down(connection.as_mut());
        connection.await;
    }
}
