//! The operator's own authority, in a Secret that all replicas share. None of them leads: each does
//! the same, and of two that write at once, one reads again.

use super::Asker;
use super::inject::inject;
use super::renew::{Data, Lifetimes, has_authority, renew};
use crate::tls::Certificate;
use anyhow::{Context, bail};
use k8s_openapi::api::admissionregistration::v1::{
    MutatingWebhookConfiguration, ValidatingWebhookConfiguration,
};
use k8s_openapi::api::core::v1::Secret;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Api, DynamicObject, PostParams};
use kube::{Client, core::ApiResource};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::timeout;

/// How often the Secret is read again that another replica changes at the same time.
const ATTEMPTS: usize = 10;
/// How long it may take to look at an object, and to change it.
const LOOK: Duration = Duration::from_secs(10);

/// How the API server reaches the operator.
pub struct Service {
    pub name: String,
    pub namespace: String,
}

impl Service {
    fn hosts(&self) -> Vec<String> {
        let host = format!("{}.{}.svc", self.name, self.namespace);
        vec![format!("{host}.cluster.local"), host]
    }
}

/// A webhook configuration that is told what to trust.
struct Configuration {
    kind: String,
    name: String,
    api: Api<DynamicObject>,
    /// The failure that was told last.
    told: String,
}

pub struct Authority {
    secrets: Api<Secret>,
    secret: String,
    service: Service,
    configurations: Vec<Configuration>,
    /// The Secret as it was last: should somebody empty it, the authority goes on.
    last: Data,
}

impl Authority {
    pub fn new(
        client: &Client,
        service: Service,
        secret: &str,
        askers: &[(Asker, Option<&str>)],
    ) -> Self {
        let configurations = askers.iter().filter_map(|(asker, name)| {
            let resource = match asker {
                Asker::Mutating => ApiResource::erase::<MutatingWebhookConfiguration>(&()),
                Asker::Validating => ApiResource::erase::<ValidatingWebhookConfiguration>(&()),
                Asker::Definition(_) => ApiResource::erase::<CustomResourceDefinition>(&()),
            };
            Some(Configuration {
                name: (*name)?.to_owned(),
                api: Api::all_with(client.clone(), &resource),
                kind: resource.kind,
                told: String::new(),
            })
        });
        Self {
            secrets: Api::namespaced(client.clone(), &service.namespace),
            secret: secret.to_owned(),
            configurations: configurations.collect(),
            service,
            last: Data::new(),
        }
    }

    /// Does what is due by now, and gives the certificate to serve.
    pub async fn certificate(&mut self) -> anyhow::Result<Certificate> {
        let data = timeout(LOOK, self.renewed()).await;
        let data = data
            .with_context(|| format!("no answer within {LOOK:?}"))
            .flatten()
            .with_context(|| format!("Secret {}/{}", self.service.namespace, self.secret))?;
        // Before it is served: what signed it may be new.
        for one in &mut self.configurations {
            let injected = inject(&one.api, &one.name, &self.service, &data["ca.crt"]);
            let failed = match timeout(LOOK, injected).await {
                Ok(Ok(())) => String::new(),
                Ok(Err(error)) => format!("{error:#}"),
                Err(_) => format!("no answer within {LOOK:?}"),
            };
            if !failed.is_empty() && failed != one.told {
                let (kind, name) = (&one.kind, &one.name);
                tracing::warn!(
                    "the API server is not told to trust the webhooks of {kind} {name}, and calls \
                     none of them: {failed}"
                );
            }
            one.told = failed;
        }
        let (chain, key) = (data["tls.crt"].0.clone(), data["tls.key"].0.clone());
        self.last = data;
        Ok(Certificate { chain, key })
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
            let renewed = renew(data, &self.service.hosts(), Lifetimes::default(), now)?;
            let (data, why) = match renewed {
                Some(renewed) => (renewed.data, renewed.why),
                None if kept => (data.clone(), "its authority is put back"),
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
                    return Err(error).context("there is none, and it cannot be created");
                }
                Err(error) => return Err(error).context("cannot update it"),
                Ok(_) => {
                    let name = &self.secret;
                    tracing::info!(secret = name, "certificate of the webhooks: {why}");
                    return Ok(data);
                }
            }
        }
        bail!("it has changed {ATTEMPTS} times while it was updated")
    }
}
