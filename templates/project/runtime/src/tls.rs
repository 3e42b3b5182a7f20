//! HTTPS: servers whose certificate may be renewed while they serve.

use axum::Router;
use axum_server::tls_rustls::{RustlsAcceptor, RustlsConfig};
use axum_server::{Handle, from_tcp};
use hyper_util::rt::TokioTimer;
use std::path::{Path, PathBuf};
use std::{io, net::SocketAddr, time::Duration};
use tokio::net::TcpListener;

/// How soon a renewed certificate is served.
pub const RENEW: Duration = Duration::from_secs(10);
/// How long a connection may take for its handshake.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// How long a connection may be idle, or take for the head of a request.
const IDLE: Duration = Duration::from_secs(90);

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

    /// Gives the authority that signed the certificate, where the directory has it as ca.crt.
    #[cfg(feature = "webhooks")]
    pub async fn authority(&self) -> Option<Vec<u8>> {
        let authority = tokio::fs::read(self.0.join("ca.crt")).await.ok()?;
        (!authority.trim_ascii().is_empty()).then_some(authority)
    }
}

/// Serves until `handle` says otherwise.
pub async fn serve(
    tcp: TcpListener,
    config: RustlsConfig,
    handle: Handle<SocketAddr>,
    routes: Router,
) -> io::Result<()> {
    let acceptor = RustlsAcceptor::new(config).handshake_timeout(HANDSHAKE);
    let mut server = from_tcp(tcp.into_std()?)?.acceptor(acceptor).handle(handle);
    let http = server.http_builder();
    let mut http1 = http.http1();
    http1.timer(TokioTimer::new()).header_read_timeout(IDLE);
    let mut http2 = http.http2();
    // A client that is gone does not answer.
    http2
        .timer(TokioTimer::new())
        .keep_alive_interval(IDLE)
        .keep_alive_timeout(HANDSHAKE);
    server.serve(routes.into_make_service()).await
}
