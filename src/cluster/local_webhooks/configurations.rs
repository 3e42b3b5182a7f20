//! Makes webhook configurations that point to this machine instead of to a Service; sends no requests.

use crate::cluster::crd::local_operator::{WebhookServer, bundle, labels};
use crate::{Error, Result, yaml};
use kube::api::DynamicObject;
use serde_json::{Value, json};

/// Returns changed copies of the webhook configurations in `text`, the content of `config/webhook/manifests.yaml`. A
/// copy has the URL of the local server instead of the Service, and has another name than the deployed configuration,
/// so that applying the copy leaves the deployed configuration unchanged.
///
/// # Errors
/// Fails if `text` is not YAML, or has objects other than webhook configurations.
pub fn local_configurations(text: &str, project: &str, served: &WebhookServer) -> Result<Vec<DynamicObject>> {
    let documents = yaml::read(text).map_err(|error| {
        Error::user("`config/webhook/manifests.yaml` is not YAML")
            .caused_by(yaml::cause(&error))
            .hint("opctl manifests --force")
    })?;
    documents.into_iter().filter(Value::is_object).map(|object| local_configuration(object, project, served)).collect()
}

fn local_configuration(mut object: Value, project: &str, served: &WebhookServer) -> Result<DynamicObject> {
    let other = || {
        Error::user("`config/webhook/manifests.yaml` contains something other than webhook configurations")
            .hint("opctl manifests --force")
    };
    if !object["kind"].as_str().is_some_and(|kind| kind.ends_with("WebhookConfiguration")) {
        return Err(other());
    }
    let name = object["metadata"]["name"].as_str().unwrap_or_default();
    object["metadata"] = json!({ "name": format!("opctl-run-{project}-{name}"), "labels": labels(project) });
    let webhooks = object.get_mut("webhooks").and_then(Value::as_array_mut);
    for webhook in webhooks.into_iter().flatten() {
        // The operator does not serve a webhook that has a URL instead of a Service.
        if let Some(path) = webhook.pointer("/clientConfig/service/path").and_then(Value::as_str) {
            let url = format!("{}{path}", served.url);
            webhook["clientConfig"] = json!({ "url": url, "caBundle": bundle(served) });
        }
    }
    serde_json::from_value(object).map_err(|error| other().caused_by(error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::crd::local_operator::LABEL;

    #[test]
    fn the_url_stands_in_the_place_of_the_service() {
        let text = "---\nkind: ValidatingWebhookConfiguration\napiVersion: admissionregistration.k8s.io/v1\n\
                    metadata: {name: validating, annotations: {a: b}}\n\
                    webhooks:\n- name: a\n  clientConfig: {service: {name: s, namespace: system, path: /validate}}\n\
                    - name: b\n  clientConfig: {url: 'https://elsewhere'}\n";
        let served = WebhookServer { url: "https://127.0.0.1:1".to_owned(), authority: "PEM".to_owned() };
        let made = local_configurations(text, "web", &served).expect("valid");
        let object = serde_json::to_value(&made[0]).expect("JSON");
        let expected = json!({
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": "ValidatingWebhookConfiguration",
            "metadata": { "name": "opctl-run-web-validating", "labels": { LABEL: "web" } },
            "webhooks": [
                { "name": "a", "clientConfig": { "url": "https://127.0.0.1:1/validate", "caBundle": "UEVN" } },
                { "name": "b", "clientConfig": { "url": "https://elsewhere" } },
            ],
        });
        assert_eq!((made.len(), object), (1, expected));
        assert!(local_configurations("a: [", "web", &served).is_err());
        assert!(local_configurations("a: b\n", "web", &served).is_err());
    }
}
