//! Finds out if the API server reaches this machine, and waits until webhook configurations are in effect.

use super::admission::api;
use crate::Result;
use crate::cluster::crd::local_operator::{WebhookServer, bundle, labels};
use crate::cluster::{Attempt, Connection, FIELD_MANAGER, request_error};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::Api;
use kube::api::{ApiResource, DeleteParams, DynamicObject, PostParams};
use kube::core::GroupVersionKind;
use serde_json::json;
use std::time::{Duration, Instant};

const KIND: &str = "ValidatingWebhookConfiguration";
const RESOURCE: &str = "validatingwebhookconfigurations";
const LABEL: &str = "opctl.dev/probe";
/// The time that an API server may take to use a new webhook configuration; a single API server takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(10);

/// Returns the reason why the API server does not reach the webhook server on this machine. `None` means that the API
/// server reaches the webhook server, and that all webhook configurations that were applied before are in effect.
///
/// Tests the connection with a probe: a temporary webhook that the API server calls for a single `ConfigMap`, which
/// opctl creates in a dry run. The URL of the probe has a path that the webhook server does not serve, so an answer
/// that the path is unknown proves the connection.
///
/// # Errors
/// Fails if the server refuses a request for the probe's configuration.
pub async fn unreachable_reason(
    connection: &Connection,
    served: &WebhookServer,
    project: &str,
) -> Result<Option<String>> {
    let probe = format!("opctl-probe-{project}-{}", std::process::id());
    let attempt = |verb| Attempt { verb, resource: RESOURCE, name: &probe, namespace: None };
    let kind = GroupVersionKind::gvk("admissionregistration.k8s.io", "v1", KIND);
    let mut configuration = DynamicObject::new(&probe, &ApiResource::from_gvk(&kind)).data(json!({
        "webhooks": [{
            "name": "probe.opctl.dev", "admissionReviewVersions": ["v1"], "sideEffects": "None",
            "failurePolicy": "Fail", "timeoutSeconds": 2,
            "clientConfig": { "url": format!("{}/opctl-probe", served.url), "caBundle": bundle(served) },
            "objectSelector": { "matchLabels": { LABEL: probe } },
            "rules": [{
                "apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"],
            }],
        }],
    }));
    // With the labels of a run, the next run deletes the probe if this one is killed.
    configuration.metadata.labels = Some(labels(project));
    let api = api(connection, KIND);
    let mut created = api.create(&PostParams::default(), &configuration).await;
    if matches!(&created, Err(kube::Error::Api(status)) if status.code == 409) {
        // An opctl with the same process number was killed, as happens in containers.
        let _ = api.delete(&probe, &DeleteParams::default()).await;
        created = api.create(&PostParams::default(), &configuration).await;
    }
    created.map_err(|error| request_error(&error, connection, attempt("create")))?;
    let answer = answer(connection, &probe).await;
    match api.delete(&probe, &DeleteParams::default()).await {
        // Another run of the project deletes the probe with everything that has its label.
        Err(kube::Error::Api(status)) if status.code == 404 => Ok(answer),
        deleted => deleted.map(|_| answer).map_err(|error| request_error(&error, connection, attempt("delete"))),
    }
}

/// Creates a `ConfigMap` in dry runs until the API server calls the probe's webhook. Returns `None` if the webhook
/// server answers, otherwise the reason for the failure.
async fn answer(connection: &Connection, probe: &str) -> Option<String> {
    let maps: Api<ConfigMap> = Api::namespaced(connection.client.clone(), "default");
    let mut map = ConfigMap::default();
    map.metadata.generate_name = Some("opctl-probe-".to_owned());
    map.metadata.labels = Some([(LABEL.to_owned(), probe.to_owned())].into());
    let dry_run = PostParams { dry_run: true, field_manager: Some(FIELD_MANAGER.to_owned()) };
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        match maps.create(&dry_run, &map).await {
            // The configuration is not in effect yet.
            Ok(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            Err(kube::Error::Api(status)) if status.message.contains("could not find the requested resource") => {
                return None;
            }
            Err(kube::Error::Api(status)) => return Some(status.message.clone()),
            Err(error) => return Some(error.to_string()),
        }
    }
    Some(format!("the API server did not call the webhook within {} s", PATIENCE.as_secs()))
}
