//! Sends health checks to servers on this machine.

use super::certificates::Pair;
use crate::{Error, Result};
use std::time::Duration;
use ureq::Agent;
use ureq::tls::{Certificate, ClientCert, PrivateKey, RootCerts, TlsConfig};

/// An HTTP client for servers on this machine, without a proxy and with a short time limit.
#[derive(Debug)]
pub(super) struct Probe(Agent);

impl Probe {
    /// Returns an HTTP client that authenticates as `user` and trusts only servers with a certificate that the CA
    /// `authority` signed.
    pub(super) fn of_user(authority: &str, user: &Pair) -> Result<Self> {
        let failed = |error: ureq::Error| Error::bug("cannot use the newly created certificates").source(&error);
        let root = Certificate::from_pem(authority.as_bytes()).map_err(failed)?;
        let certificate = Certificate::from_pem(user.certificate.as_bytes()).map_err(failed)?;
        let key = PrivateKey::from_pem(user.key.as_bytes()).map_err(failed)?;
        let tls = TlsConfig::builder()
            .root_certs(RootCerts::new_with_certs(&[root]))
            .client_cert(Some(ClientCert::new_with_certs(&[certificate], key)))
            .build();
        Ok(Probe(agent(tls)))
    }

    /// Returns the body of a response with status 200. Otherwise, returns the reason why the request failed.
    pub(super) fn get(&self, url: &str) -> Result<String, String> {
        let mut response = self.0.get(url).call().map_err(|error| error.to_string())?;
        let body = response.body_mut().read_to_string().map_err(|error| error.to_string())?;
        match response.status().as_u16() {
            200 => Ok(body),
            status => Err(format!("{status}: {}", body.trim())),
        }
    }
}

fn agent(tls: TlsConfig) -> Agent {
    let config = Agent::config_builder()
        .proxy(None)
        .http_status_as_error(false)
        .timeout_global(Some(Duration::from_secs(2)))
        .tls_config(tls);
    config.build().into()
}
