//! A listener for HTTPS.
use anyhow::Context;
use axum::serve::Listener;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::server::TlsStream;

const HANDSHAKE: Duration = Duration::from_secs(10);

pub struct Tls {
    tcp: TcpListener,
    directory: Option<PathBuf>,
    acceptor: TlsAcceptor,
    handshakes: JoinSet<Option<(TlsStream<TcpStream>, SocketAddr)>>,
}

impl Tls {
    /// Serves the certificate `tls.crt` with its key `tls.key` in `directory`, or else one that was
    /// signed by nobody.
    pub fn new(tcp: TcpListener, directory: Option<PathBuf>) -> anyhow::Result<Self> {
        let acceptor = match &directory {
            Some(directory) => read(directory)?,
            None => self_signed()?,
        };
        Ok(Self {
            tcp,
            directory,
            acceptor,
            handshakes: JoinSet::new(),
        })
    }
}

impl Listener for Tls {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            tokio::select! {
                (stream, address) = Listener::accept(&mut self.tcp) => {
                    // Read for each connection: a renewed certificate needs no restart.
                    match self.directory.as_deref().map(read) {
                        Some(Ok(renewed)) => self.acceptor = renewed,
                        Some(Err(error)) => tracing::warn!("keeping the certificate: {error:#}"),
                        None => {}
                    }
                    let handshake = timeout(HANDSHAKE, self.acceptor.accept(stream));
                    // Not here: a client that is slow must not keep others waiting.
                    self.handshakes.spawn(async move { Some((handshake.await.ok()?.ok()?, address)) });
                }
                Some(Ok(Some(accepted))) = self.handshakes.join_next() => return accepted,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.tcp.local_addr()
    }
}

fn read(directory: &Path) -> anyhow::Result<TlsAcceptor> {
    let (certificate, key) = (directory.join("tls.crt"), directory.join("tls.key"));
    let read = || {
        let certificates =
            CertificateDer::pem_file_iter(&certificate)?.collect::<Result<_, _>>()?;
        acceptor(certificates, PrivateKeyDer::from_pem_file(&key)?)
    };
    read().with_context(|| format!("no certificate in {}", directory.display()))
}

fn self_signed() -> anyhow::Result<TlsAcceptor> {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".into()])?;
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).map_err(anyhow::Error::msg)?;
    acceptor(vec![cert.der().clone()], key)
}

fn acceptor(
    certificates: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
) -> anyhow::Result<TlsAcceptor> {
    let config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(certificates, key)?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}
