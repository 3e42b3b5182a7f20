//! Certificates of HTTPS servers, which can be replaced while the servers run.

use parking_lot::RwLock;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject};
use rustls::server::{ServerConfig, WebPkiClientVerifier, danger::ClientCertVerifier};
use std::path::PathBuf;
use std::{sync::Arc, time::Duration};
use tokio_rustls::TlsAcceptor;

/// The interval at which servers look for a renewed certificate.
pub const RENEW: Duration = Duration::from_secs(10);

/// Sets the cryptography provider of TLS, unless the program has already set a provider. Without
/// this call, rustls panics if another dependency brings a second provider.
pub fn choose_cryptography() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// A certificate chain and the private key of its first certificate, as PEM.
#[derive(Clone, PartialEq)]
pub struct Certificate {
    pub chain: Vec<u8>,
    pub key: Vec<u8>,
}

/// The settings of TLS that differ between servers.
#[derive(Default)]
pub struct Terms {
    /// The protocols of a connection, the preferred protocol first; HTTP/1.1 if there are none.
    pub protocols: &'static [&'static [u8]],
    /// The verifier of client certificates; `None` to request no certificate from clients.
    pub clients: Option<Arc<dyn ClientCertVerifier>>,
}

impl Certificate {
    pub fn acceptor(&self, terms: Terms) -> anyhow::Result<TlsAcceptor> {
        let chain = CertificateDer::pem_slice_iter(&self.chain).collect::<Result<_, _>>()?;
        let key = PrivateKeyDer::from_pem_slice(&self.key)?;
        let clients = terms.clients;
        let clients = clients.unwrap_or_else(WebPkiClientVerifier::no_client_auth);
        let config = ServerConfig::builder().with_client_cert_verifier(clients);
        let mut config = config.with_single_cert(chain, key)?;
        config.alpn_protocols = terms.protocols.iter().map(|name| name.to_vec()).collect();
        Ok(Arc::new(config).into())
    }
}

/// The certificate that a server shows to new connections, replaceable while the server runs.
pub type Served = Arc<RwLock<TlsAcceptor>>;

/// A directory with tls.crt, tls.key and optionally ca.crt, such as a mounted `Secret`.
#[derive(Clone, Debug)]
pub struct Files(pub PathBuf);

impl Files {
    pub async fn read(&self) -> anyhow::Result<Certificate> {
        let read = async |name| {
            let path = self.0.join(name);
            let text = tokio::fs::read(&path).await;
            text.map_err(|error| anyhow::anyhow!("cannot read {}: {error}", path.display()))
        };
        let (chain, key) = (read("tls.crt").await?, read("tls.key").await?);
        Ok(Certificate { chain, key })
    }
}
