//! HTTPS servers whose certificate can be replaced while they run.

use axum::Router;
use axum_server::accept::Accept;
use axum_server::tls_rustls::{RustlsAcceptor, RustlsConfig};
use axum_server::{Handle, from_tcp};
use hyper_util::rt::TokioTimer;
use std::future::{Ready, ready};
use std::path::{Path, PathBuf};
use std::{io, net::SocketAddr, time::Duration};
use tokio::net::{TcpListener, TcpStream};

/// The interval at which servers look for a renewed certificate.
pub const RENEW: Duration = Duration::from_secs(10);
/// The time that a connection may take for its handshake.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// The time for which a connection may be idle, and that it may take for the head of a request.
const IDLE: Duration = Duration::from_secs(90);
/// The number of connections at a time. Each takes up to 35 kB, and the API server needs few.
const CONNECTIONS: usize = 1000;

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
    pub async fn config(&self) -> io::Result<RustlsConfig> {
        RustlsConfig::from_pem(self.chain.clone(), self.key.clone()).await
    }

    pub async fn replace(&self, config: &RustlsConfig) -> io::Result<()> {
        config
            .reload_from_pem(self.chain.clone(), self.key.clone())
            .await
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

/// Closes each connection beyond [`CONNECTIONS`], so that idle ones do not use up the memory.
#[derive(Clone)]
struct Limit(Handle<SocketAddr>);

impl<S> Accept<TcpStream, S> for Limit {
    type Stream = TcpStream;
    type Service = S;
    type Future = Ready<io::Result<(TcpStream, S)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        // The new connection is counted already.
        let is_too_many = self.0.connection_count() > CONNECTIONS;
        ready(if is_too_many {
            Err(io::ErrorKind::ConnectionRefused.into())
        } else {
            Ok((stream, service))
        })
    }
}

/// Serves `routes` until `handle` shuts the server down.
pub async fn serve(
    tcp: TcpListener,
    config: RustlsConfig,
    handle: Handle<SocketAddr>,
    routes: Router,
) -> io::Result<()> {
    let acceptor = RustlsAcceptor::new(config).handshake_timeout(HANDSHAKE);
    let acceptor = acceptor.acceptor(Limit(handle.clone()));
    let mut server = from_tcp(tcp.into_std()?)?.acceptor(acceptor).handle(handle);
    let http = server.http_builder();
    let mut http1 = http.http1();
    http1.timer(TokioTimer::new()).header_read_timeout(IDLE);
    let mut http2 = http.http2();
    // Closes the connection of a client that is gone, as it does not answer a ping.
    http2
        .timer(TokioTimer::new())
        .keep_alive_interval(IDLE)
        .keep_alive_timeout(HANDSHAKE);
    server.serve(routes.into_make_service()).await
}
