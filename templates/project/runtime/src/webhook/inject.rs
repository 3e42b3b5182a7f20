//! Sets the CA bundle by which the API server trusts the webhooks.

use super::handler::Asker;
use anyhow::{Context, bail};
use k8s_openapi::ByteString;
use k8s_openapi::api::admissionregistration::v1::{
    MutatingWebhookConfiguration, ValidatingWebhookConfiguration,
};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Api, DynamicObject, Patch, PatchParams};
use kube::{Client, core::ApiResource};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::timeout;

/// The number of attempts to patch an object while other replicas change it at the same time.
const ATTEMPTS: usize = 5;
/// The time limit for reading and changing an object.
const LOOK: Duration = Duration::from_secs(10);
const END: &str = "-----END CERTIFICATE-----\n";

/// A function that returns the replacement of a CA bundle, or `None` if the bundle stays.
type Wanted<'a> = &'a (dyn Fn(&ByteString) -> Option<ByteString> + Sync);

/// The Service through which the API server reaches the operator.
pub struct Service {
    pub name: String,
    pub namespace: String,
}

impl Service {
    pub fn hosts(&self) -> Vec<String> {
        let host = format!("{}.{}.svc", self.name, self.namespace);
        vec![format!("{host}.cluster.local"), host]
    }
}

/// An object in which the CA bundle is set: a webhook configuration or a CRD.
struct Configuration {
    kind: String,
    name: String,
    api: Api<DynamicObject>,
    /// The last logged failure; empty after a success.
    logged: String,
}

/// The `Service` of the webhooks, and the objects in which the API server finds their CA bundle.
pub struct Trust {
    pub service: Service,
    configurations: Vec<Configuration>,
}

impl Trust {
    pub fn new(client: &Client, service: Service, askers: &[(Asker, Option<&str>)]) -> Self {
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
                logged: String::new(),
            })
        });
        let configurations = configurations.collect();
        Self {
            service,
            configurations,
        }
    }

    /// Sets the `wanted` CA bundle in each object. Logs a failure as a warning, unless the last
    /// attempt failed in the same way.
    pub async fn inject(&mut self, wanted: Wanted<'_>) {
        for one in &mut self.configurations {
            let injected = inject(&one.api, &one.name, &self.service, wanted);
            let failed = match timeout(LOOK, injected).await {
                Ok(Ok(())) => String::new(),
                Ok(Err(error)) => format!("{error:#}"),
                Err(_) => format!("no answer within {LOOK:?}"),
            };
            if !failed.is_empty() && failed != one.logged {
                let (kind, name) = (&one.kind, &one.name);
                tracing::warn!(
                    "the CA bundle of {kind} {name} cannot be set, so the API server calls none of its \
                     webhooks: {failed}"
                );
            }
            one.logged = failed;
        }
    }
}

/// Adds to a CA bundle an authority that the operator does not manage. The previous authority
/// stays, because another replica may still serve a certificate that it signed. Returns `None`
/// if the bundle already contains the authority.
pub fn with_authority(bundle: &ByteString, authority: &ByteString) -> Option<ByteString> {
    let authority = authority.0.trim_ascii();
    if bundle
        .0
        .windows(authority.len())
        .any(|part| part == authority)
    {
        return None;
    }
    let before = String::from_utf8_lossy(&bundle.0);
    let before = before.split_inclusive(END).find(|one| one.ends_with(END));
    let parts = [authority, b"\n", before.unwrap_or_default().as_bytes()];
    Some(ByteString(parts.concat()))
}

async fn inject(
    configurations: &Api<DynamicObject>,
    name: &str,
    service: &Service,
    wanted: Wanted<'_>,
) -> anyhow::Result<()> {
    for _ in 0..ATTEMPTS {
        let found = configurations
            .get(name)
            .await
            .context("cannot read the object")?;
        let operations = difference(&found.data, service, wanted);
        if operations.is_empty() {
            return Ok(());
        }
        let parameters = PatchParams::default();
        let patch = Patch::<Value>::Json(serde_json::from_value(operations.into())?);
        match configurations.patch(name, &parameters, &patch).await {
            // The object has changed since it was read.
            Err(kube::Error::Api(status)) if [409, 422].contains(&status.code) => {}
            Err(error) => return Err(error).context("cannot patch the object"),
            Ok(_) => {
                tracing::info!(name, "the CA bundle of the webhooks is set");
                return Ok(());
            }
        }
    }
    bail!("the object changed {ATTEMPTS} times while it was patched")
}

/// Returns the JSON patch that sets the `wanted` CA bundle for the webhooks of `service`.
fn difference(configuration: &Value, service: &Service, wanted: Wanted<'_>) -> Vec<Value> {
    let webhooks = configuration["webhooks"].as_array().map_or(0, Vec::len);
    let webhooks = (0..webhooks).map(|at| format!("/webhooks/{at}/clientConfig"));
    let conversion = "/spec/conversion/webhook/clientConfig".to_owned();
    let paths = webhooks.chain([conversion]);
    let configs = paths.filter_map(|path| Some((configuration.pointer(&path)?, path)));
    let ours = configs.filter(|(config, _)| {
        config["service"]["name"] == *service.name
            && config["service"]["namespace"] == *service.namespace
    });
    let operations = ours.flat_map(|(config, path)| {
        let before = serde_json::from_value(config["caBundle"].clone()).unwrap_or_default();
        let operations = wanted(&before).map(|bundle| {
            [
                // Another webhook may have this index by now.
                json!({"op": "test", "path": path, "value": config}),
                json!({"op": "add", "path": format!("{path}/caBundle"), "value": bundle}),
            ]
        });
        operations.into_iter().flatten()
    });
    operations.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_webhooks_that_trust_something_else_are_patched() {
        let service = Service {
            name: "web".into(),
            namespace: "shop".into(),
        };
        let config = |name: &str, namespace: &str, bundle: Value| {
            let service = json!({"name": name, "namespace": namespace, "path": "/a"});
            json!({"clientConfig": {"service": service, "caBundle": bundle}})
        };
        let missing = json!({"clientConfig": {"service": {"name": "web", "namespace": "shop"}}});
        let webhooks = json!({"webhooks": [
            config("web", "shop", json!("bmV3")),
            config("web", "other", json!("b2xk")),
            config("other", "shop", json!("b2xk")),
            {"clientConfig": {"url": "https://localhost/a", "caBundle": "b2xk"}},
            config("web", "shop", json!("b2xk")),
            missing,
        ]});
        let new = |before: &ByteString| (before.0 != b"new").then(|| ByteString(b"new".to_vec()));
        let patch = difference(&webhooks, &service, &new);
        let mut patched = webhooks.clone();
        let operations: json_patch::Patch = serde_json::from_value(json!(patch)).unwrap();
        json_patch::patch(&mut patched, &operations).unwrap();
        let mut expected = webhooks;
        for at in [4, 5] {
            expected["webhooks"][at]["clientConfig"]["caBundle"] = json!("bmV3");
        }
        assert_eq!((patch.len(), patched), (4, expected.clone()));
        assert!(difference(&expected, &service, &new).is_empty());
        assert!(difference(&json!({}), &service, &new).is_empty());

        let config = config("web", "shop", json!("b2xk"));
        let definition = json!({"spec": {"conversion": {"webhook": config}}});
        let path = "/spec/conversion/webhook/clientConfig/caBundle";
        let patch = difference(&definition, &service, &new);
        assert_eq!((patch.len(), &patch[1]["path"]), (2, &json!(path)));
    }
    #[test]
    fn the_authority_before_stays_for_those_who_still_serve_with_it() {
        let certificate = |name: &str| {
            format!("-----BEGIN CERTIFICATE-----\n{name}\n-----END CERTIFICATE-----\n")
        };
        let bytes = |text: &str| ByteString(text.as_bytes().to_vec());
        let (one, two, three) = (certificate("one"), certificate("two"), certificate("three"));
        let with = |before: &str, authority: &str| {
            let bundle = with_authority(&bytes(before), &bytes(authority));
            bundle.map(|bundle| String::from_utf8(bundle.0).unwrap())
        };
        assert_eq!(with("", &one).as_deref(), Some(one.as_str()));
        assert_eq!(with("rubbish", &one).as_deref(), Some(one.as_str()));
        let both = format!("{two}{one}");
        assert_eq!(with(&one, &two).as_deref(), Some(both.as_str()));
        // Neither the replica with the new authority nor the one with the old authority changes the
        // bundle again.
        assert_eq!((with(&both, &one), with(&both, &two)), (None, None));
        assert_eq!(with(&both, &three), Some(format!("{three}{two}")));
    }
}
