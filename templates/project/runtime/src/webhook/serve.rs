//! The server of webhooks, and its certificate.

use super::authority::Authority;
use super::bodies::Bodies;
use super::call::wait_for_thread;
use super::clients::terms;
use super::conversion::Seal;
use super::handler::{Asker, Webhook};
use super::inject::{Service, Trust, with_authority};
use super::metrics::Metrics;
use super::options::WebhookOptions;
use super::routes::{Door, routes};
use crate::connections;
use crate::health::WEBHOOKS;
use crate::server::bind;
use crate::shared::Shared;
use crate::tls::{Certificate, Files, RENEW, Served, Terms};
use anyhow::ensure;
use k8s_openapi::ByteString;
use kube::Client;
use std::{collections::BTreeSet, path::PathBuf, sync::Arc, time::Duration};
use tokio::time::sleep;
use tokio_rustls::TlsAcceptor;

/// The maximum number of open connections. Each takes up to 50 kB, and the API server needs few.
const CONNECTIONS: usize = 256;

/// The source of the certificate with which webhooks are served.
enum Source {
    Files(Files, Option<Trust>),
    Authority(Box<Authority>),
}

impl Source {
    /// Returns the certificate, and a secret to derive the key that signs conversion annotations.
    async fn certificate(&mut self) -> anyhow::Result<(Certificate, Vec<u8>)> {
        match self {
            Self::Files(files, trust) => {
                let certificate = files.read().await?;
                // Before the certificate is served, as with an own authority.
                if let (Some(trust), Some(authority)) = (trust, authority_of(files).await) {
                    let authority = ByteString(authority);
                    trust
                        .inject(&|before| with_authority(before, &authority))
                        .await;
                }
                let secret = certificate.key.clone();
                Ok((certificate, secret))
            }
            Self::Authority(authority) => authority.certificate().await,
        }
    }
}

/// Returns the certificate of the authority from ca.crt, if the directory contains this file.
async fn authority_of(files: &Files) -> Option<Vec<u8>> {
    let authority = tokio::fs::read(files.0.join("ca.crt")).await.ok()?;
    (!authority.trim_ascii().is_empty()).then_some(authority)
}

/// The certificate, the client authority and the keys that are renewed while webhooks are served.
struct Renewed {
    source: Source,
    clients: Option<PathBuf>,
    seals: Vec<Arc<Seal>>,
    metrics: Metrics,
}

impl Renewed {
    async fn next(&mut self) -> anyhow::Result<(Certificate, Terms)> {
        let (certificate, secret) = self.source.certificate().await?;
        let terms = terms(self.clients.as_deref())?;
        self.seals.iter().for_each(|seal| seal.set(&secret));
        Ok((certificate, terms))
    }

    async fn acceptor(&mut self) -> anyhow::Result<TlsAcceptor> {
        let (found, terms) = self.next().await?;
        let acceptor = found.acceptor(terms)?;
        self.metrics.serves(&found.chain);
        Ok(acceptor)
    }
}

impl WebhookOptions {
    /// Returns a future that serves `webhooks` until `shared.stop` is cancelled, or `None` if there
    /// is nothing to serve. `client` must be allowed to write even while another replica leads.
    pub fn serve(
        self,
        webhooks: Vec<Webhook>,
        shared: &Shared,
        client: &Client,
    ) -> anyhow::Result<Option<impl Future<Output = anyhow::Result<()>> + use<>>> {
        let mut paths = BTreeSet::new();
        for Webhook { path, .. } in &webhooks {
            let new = paths.insert(path.clone());
            ensure!(new, "two webhooks are added for the path {path}");
        }
        let is_served = !webhooks.is_empty() && self.webhook_bind_address != "0";
        let source = is_served.then(|| self.source(&webhooks, client)).flatten();
        Ok(source.map(|source| {
            shared.health.expect(WEBHOOKS);
            self.serve_with(source, webhooks, shared.clone())
        }))
    }

    fn source(&self, webhooks: &[Webhook], client: &Client) -> Option<Source> {
        let trust = self.trust(webhooks, client);
        if let Some(path) = &self.webhook_cert_path {
            return Some(Source::Files(Files(path.clone()), trust));
        }
        let (Some(trust), Some(secret)) = (trust, &self.webhook_secret_name) else {
            tracing::warn!(
                "webhooks are not served: give --webhook-cert-path, or --webhook-service-name and \
                 --webhook-secret-name"
            );
            return None;
        };
        Some(Source::Authority(Box::new(Authority::new(
            client, secret, trust,
        ))))
    }

    /// Returns the objects (such as CRDs) that get the CA bundle, if the flags name the `Service`.
    fn trust(&self, webhooks: &[Webhook], client: &Client) -> Option<Trust> {
        let service = Service {
            name: self.webhook_service_name.clone()?,
            namespace: client.default_namespace().to_owned(),
        };
        let mut askers: Vec<(Asker, Option<&str>)> = Vec::new();
        for Webhook { asker, .. } in webhooks {
            let name = match asker {
                Asker::Mutating => self.mutating_webhook_configuration.as_deref(),
                Asker::Validating => self.validating_webhook_configuration.as_deref(),
                Asker::Definition(name) => Some(name.as_str()),
            };
            if !askers.iter().any(|(known, _)| known == asker) {
                askers.push((asker.clone(), name));
            }
        }
        Some(Trust::new(client, service, &askers))
    }

    async fn serve_with(
        self,
        source: Source,
        webhooks: Vec<Webhook>,
        shared: Shared,
    ) -> anyhow::Result<()> {
        let stop = shared.stop.clone();
        let metrics = Metrics::new(&mut shared.metrics.registry.lock());
        let asks_for_certificate = self.webhook_client_ca.is_some();
        let mut renewed = Renewed {
            source,
            clients: self.webhook_client_ca,
            seals: webhooks.iter().filter_map(|one| one.seal.clone()).collect(),
            metrics: metrics.clone(),
        };
        let first = async {
            let mut pause = Duration::from_secs(1);
            loop {
                match renewed.acceptor().await {
                    Ok(first) => break Served::new(first.into()),
                    Err(error) => tracing::warn!("webhooks wait for their certificate: {error:#}"),
                }
                sleep(pause).await;
                pause = RENEW.min(pause * 2);
            }
        };
        let Some(served) = stop.run_until_cancelled(first).await else {
            return Ok(());
        };
        let tcp = bind(WEBHOOKS, &self.webhook_bind_address).await?;
        let door = Door {
            bodies: Bodies::new(usize::from(self.webhook_memory) << 20),
            asks_for_certificate,
            stop: stop.clone(),
        };
        let routes = routes(webhooks, &door, &metrics);
        let server = connections::serve(tcp, CONNECTIONS, Some(served.clone()), stop, routes);
        let renew = async {
            loop {
                // The kubelet restarts the operator if this waits for long.
                wait_for_thread().await;
                shared.health.beat(WEBHOOKS);
                sleep(RENEW).await;
                match renewed.acceptor().await {
                    Ok(new) => *served.write() = new,
                    Err(error) => tracing::warn!("webhooks keep their certificate: {error:#}"),
                }
            }
        };
        tokio::select! {
            () = server => Ok(()),
            () = renew => Ok(()),
        }
    }
}
