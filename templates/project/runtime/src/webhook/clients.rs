//! TLS settings of webhooks, which verify the certificates of clients.

use crate::tls::Terms;
use anyhow::Context;
use rustls::RootCertStore;
use rustls::pki_types::{CertificateDer, pem::PemObject};
use rustls::server::WebPkiClientVerifier;
use std::path::Path;

/// The protocols of webhooks. The API server sends parallel calls in one HTTP/2 connection.
const PROTOCOLS: &[&[u8]] = &[b"h2", b"http/1.1"];

/// Returns TLS settings of webhooks. A client may omit its certificate: the API server has
/// none for conversions. The certificate of a client must be signed by `authority`.
pub fn terms(authority: Option<&Path>) -> anyhow::Result<Terms> {
    let mut terms = Terms {
        protocols: PROTOCOLS,
        ..Terms::default()
    };
    if let Some(path) = authority {
        let read = || {
            let mut roots = RootCertStore::empty();
            for certificate in CertificateDer::pem_slice_iter(&std::fs::read(path)?) {
                roots.add(certificate?)?;
            }
            let clients = WebPkiClientVerifier::builder(roots.into());
            anyhow::Ok(clients.allow_unauthenticated().build()?)
        };
        let cannot = || format!("cannot use the client CA in {}", path.display());
        terms.clients = Some(read().with_context(cannot)?);
    }
    Ok(terms)
}
