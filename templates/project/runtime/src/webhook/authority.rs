//! The operator's own certificate authority, in a Secret that all replicas share. Each
//! replica may write the Secret. If two write at once, one of them reads the Secret again.

use super::inject::Trust;
use super::renew::{CONVERSION, Data, Lifetimes, has_authority, renew};
use crate::tls::Certificate;
use anyhow::{Context, bail};
use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use kube::Client;
use kube::api::{Api, PostParams};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::timeout;

/// The number of attempts to update the Secret while other replicas change it at the same time.
const ATTEMPTS: usize = 10;
/// The time limit for reading and changing an object.
const LOOK: Duration = Duration::from_secs(10);

pub struct Authority {
    secrets: Api<Secret>,
    secret: String,
    trust: Trust,
    /// The last content of the `Secret`, which is restored if a client empties the `Secret`.
    last: Data,
}

impl Authority {
    pub fn new(client: &Client, secret: &str, trust: Trust) -> Self {
        Self {
            secrets: Api::namespaced(client.clone(), &trust.service.namespace),
            secret: secret.to_owned(),
            trust,
            last: Data::new(),
        }
    }

    /// Renews the authority and the certificate if they are due. Returns the certificate to serve,
    /// and a secret from which conversions derive the key that signs their annotations.
    pub async fn certificate(&mut self) -> anyhow::Result<(Certificate, Vec<u8>)> {
        let data = timeout(LOOK, self.renewed()).await;
        let data = data
            .with_context(|| format!("no answer within {LOOK:?}"))
            .flatten()
            .with_context(|| format!("Secret {}/{}", self.trust.service.namespace, self.secret))?;
        // Before the certificate is served: its authority may be new.
        let bundle = &data["ca.crt"];
        let other = |before: &ByteString| (before != bundle).then(|| bundle.clone());
        self.trust.inject(&other).await;
        let (chain, key) = (data["tls.crt"].0.clone(), data["tls.key"].0.clone());
        let secret = data[CONVERSION].0.clone();
        self.last = data;
        Ok((Certificate { chain, key }, secret))
    }

    async fn renewed(&self) -> anyhow::Result<Data> {
        for _ in 0..ATTEMPTS {
            let found = self.secrets.get_opt(&self.secret).await;
            let found = found.context("cannot read it")?;
            let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
            let mut secret = found.clone().unwrap_or_default();
            let stored = secret.data.take().unwrap_or_default();
            let kept = !has_authority(&stored, now) && has_authority(&self.last, now);
            let data = if kept { &self.last } else { &stored };
            let renewed = renew(data, &self.trust.service.hosts(), Lifetimes::default(), now)?;
            let (data, why) = match renewed {
                Some(renewed) => (renewed.data, renewed.why),
                None if kept => (data.clone(), "the certificate authority is restored"),
                None => return Ok(stored),
            };
            secret.data = Some(data.clone());
            let parameters = PostParams::default();
            let written = if found.is_some() {
                // With the resourceVersion that was read.
                let replaced = self.secrets.replace(&self.secret, &parameters, &secret);
                replaced.await
            } else {
                secret.metadata.name = Some(self.secret.clone());
                self.secrets.create(&parameters, &secret).await
            };
            match written {
                // Another replica was faster.
                Err(kube::Error::Api(status)) if status.code == 409 => {}
                Err(error) if found.is_none() => {
                    return Err(error).context("the Secret does not exist, and cannot be created");
                }
                Err(error) => return Err(error).context("cannot update it"),
                Ok(_) => {
                    let name = &self.secret;
                    tracing::info!(secret = name, "certificate of the webhooks: {why}");
                    return Ok(data);
                }
            }
        }
        bail!("the Secret changed {ATTEMPTS} times while it was updated")
    }
}
