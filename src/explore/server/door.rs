//! The access control of a proxy. Every user of this machine can connect to the proxy, which acts with the
//! operator's rights. So a client must send the token from the kubeconfig of the proxy's run.
//!
//! The proxy uses TLS, because client-go sends a token by https only.

use crate::{Error, Result};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderValue};
use rustls::ServerConfig;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// The time limit for a TLS handshake.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// The TLS identity that all proxies of an exploration share.
#[derive(Clone)]
pub struct Serving {
    /// The certificate of the authority that signed the proxies' certificate, as PEM.
    authority: String,
    acceptor: TlsAcceptor,
}

impl Serving {
    /// Creates the TLS identity from three PEM texts: an authority's certificate, and a certificate for 127.0.0.1 with
    /// its private key.
    pub fn new(authority: &str, certificate: &str, key: &str) -> Result<Self> {
        let failed = |error: &dyn std::error::Error| {
            Error::bug("a proxy of `opctl explore` cannot use its TLS certificate").source(error)
        };
        let chain: Vec<_> = CertificateDer::pem_slice_iter(certificate.as_bytes()).filter_map(Result::ok).collect();
        let key = PrivateKeyDer::from_pem_slice(key.as_bytes()).map_err(|error| failed(&error))?;
        let config = ServerConfig::builder_with_provider(provider().into())
            .with_safe_default_protocol_versions()
            .and_then(|config| config.with_no_client_auth().with_single_cert(chain, key))
            .map_err(|error| failed(&error))?;
        Ok(Serving { authority: authority.to_owned(), acceptor: TlsAcceptor::from(Arc::new(config)) })
    }

    /// Returns a kubeconfig for the proxy on `port`, which forwards requests with the operator's identity.
    pub fn kubeconfig(&self, port: u16, token: &Token, namespace: &str) -> Value {
        let cluster = json!({
            "server": format!("https://127.0.0.1:{port}"),
            "certificate-authority-data": STANDARD.encode(&self.authority),
        });
        let context = json!({"cluster": "opctl", "user": "opctl", "namespace": namespace});
        json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "opctl",
            "clusters": [{"name": "opctl", "cluster": cluster}],
            "users": [{"name": "opctl", "user": {"token": token.as_str()}}],
            "contexts": [{"name": "opctl", "context": context}],
        })
    }

    /// Performs the TLS handshake with a client. Returns `None` if the handshake fails or takes too long.
    pub async fn accept(&self, connection: TcpStream) -> Option<TlsStream<TcpStream>> {
        tokio::time::timeout(HANDSHAKE, self.acceptor.accept(connection)).await.ok()?.ok()
    }
}

fn provider() -> CryptoProvider {
    ring::default_provider()
}

/// The token that a client of one run's proxy must send.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// Creates a random token.
    pub fn new() -> Result<Self> {
        let mut bytes = [0; 32];
        let filled = provider().secure_random.fill(&mut bytes);
        filled.map_err(|error| Error::bug("cannot make a token").caused_by(format!("{error:?}")))?;
        Ok(Token(URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// Returns the token as text for a kubeconfig.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns true if a request with these headers carries the token.
    pub fn is_in(&self, headers: &HeaderMap) -> bool {
        let stated = headers.get(AUTHORIZATION).map(HeaderValue::as_bytes).unwrap_or_default();
        let stated = stated.strip_prefix(b"Bearer ").unwrap_or_default();
        // The time of the comparison tells nothing about the token.
        Sha256::digest(stated) == Sha256::digest(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_token_opens() {
        let (token, other) = (Token::new().unwrap(), Token::new().unwrap());
        assert!(token.as_str() != other.as_str() && token.as_str().len() == 43);
        let opens = |value: &str| {
            let headers = HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_str(value).unwrap())]);
            token.is_in(&headers)
        };
        assert!(opens(&format!("Bearer {}", token.as_str())));
        assert!(!token.is_in(&HeaderMap::new()));
        for wrong in ["", "Bearer ", "Bearer explore", &format!("Bearer {}", other.as_str()), token.as_str()] {
            assert!(!opens(wrong), "{wrong}");
        }
        assert!(!opens(&format!("Bearer {}", &token.as_str()[..42])) && !opens(&format!("Bearer {}0", token.as_str())));
    }
}
