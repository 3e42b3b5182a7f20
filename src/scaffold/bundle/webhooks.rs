//! Webhooks in a `ClusterServiceVersion`: the Operator Lifecycle Manager creates their configurations, Services and
//! certificates.

use super::text::text;
use serde_json::{Map, Value, json};

/// The folder in which the Operator Lifecycle Manager mounts the certificate.
const CERTIFICATES: &str = "/tmp/k8s-webhook-server/serving-certs";

/// Environment variables with the names of the objects that the operator maintains if it is its own certificate
/// authority.
const OF_AUTHORITY: [&str; 4] = [
    "WEBHOOK_SERVICE_NAME",
    "WEBHOOK_SECRET_NAME",
    "MUTATING_WEBHOOK_CONFIGURATION",
    "VALIDATING_WEBHOOK_CONFIGURATION",
];

/// Fields that a webhook has both in its configuration and in a `ClusterServiceVersion`.
const SHARED: [&str; 8] = [
    "admissionReviewVersions",
    "failurePolicy",
    "matchPolicy",
    "objectSelector",
    "reinvocationPolicy",
    "rules",
    "sideEffects",
    "timeoutSeconds",
];

/// Returns the entries of `webhookdefinitions`.
pub(super) fn webhooks(objects: &[Value], deployment: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    for object in objects {
        let of = match text(object, "/kind") {
            "MutatingWebhookConfiguration" => "MutatingAdmissionWebhook",
            "ValidatingWebhookConfiguration" => "ValidatingAdmissionWebhook",
            "CustomResourceDefinition" => {
                found.extend(conversion(object, deployment));
                continue;
            }
            _ => continue,
        };
        found.extend(
            object["webhooks"].as_array().into_iter().flatten().map(|webhook| admission(webhook, of, deployment)),
        );
    }
    found
}

fn admission(webhook: &Value, of: &str, deployment: &Value) -> Value {
    let shared = SHARED.iter().filter_map(|key| Some(((*key).to_owned(), webhook.get(*key)?.clone())));
    let mut entry: Map<String, Value> = shared.collect();
    entry.extend(common(of, text(webhook, "/name"), text(webhook, "/clientConfig/service/path"), deployment));
    entry.into()
}

/// Returns the fields of webhooks that a `ClusterServiceVersion` has no place for, each with its webhook.
pub(super) fn left_out(objects: &[Value]) -> Vec<String> {
    let configurations = objects.iter().filter(|object| text(object, "/kind").ends_with("WebhookConfiguration"));
    let webhooks = configurations.flat_map(|object| object["webhooks"].as_array().into_iter().flatten());
    let fields = |webhook: &Value| {
        let fields = ["namespaceSelector", "matchConditions"].into_iter().filter(|field| webhook.get(field).is_some());
        fields.map(|field| format!("{field} of the webhook {}", text(webhook, "/name"))).collect::<Vec<_>>()
    };
    webhooks.flat_map(fields).collect()
}

fn conversion(definition: &Value, deployment: &Value) -> Option<Value> {
    let webhook = definition.pointer("/spec/conversion/webhook")?;
    let name = text(definition, "/metadata/name");
    let mut entry =
        common("ConversionWebhook", &format!("c{name}"), text(webhook, "/clientConfig/service/path"), deployment);
    entry.insert("admissionReviewVersions".to_owned(), webhook["conversionReviewVersions"].clone());
    entry.insert("conversionCRDs".to_owned(), json!([name]));
    entry.insert("sideEffects".to_owned(), "None".into());
    Some(entry.into())
}

fn common(of: &str, name: &str, path: &str, deployment: &Value) -> Map<String, Value> {
    let containers = deployment["spec"]["template"]["spec"]["containers"].as_array();
    let ports =
        containers.into_iter().flatten().flat_map(|container| container["ports"].as_array().into_iter().flatten());
    let port = ports.filter(|port| port["name"] == "webhook-server").find_map(|port| port["containerPort"].as_u64());
    let entries = json!({
        "type": of,
        "generateName": name,
        "deploymentName": deployment["metadata"]["name"],
        "containerPort": 443,
        "targetPort": port.unwrap_or(9443),
        "webhookPath": path,
    });
    entries.as_object().cloned().unwrap_or_default()
}

/// Makes the operator use the certificate of the Operator Lifecycle Manager.
pub(super) fn take_certificate(deployment: &mut Value) {
    let containers = deployment["spec"]["template"]["spec"]["containers"].as_array_mut();
    for container in containers.into_iter().flatten() {
        let Some(variables) = container["env"].as_array_mut() else { continue };
        let before = variables.len();
        variables.retain(|variable| !OF_AUTHORITY.contains(&text(variable, "/name")));
        if variables.len() < before {
            variables.push(json!({"name": "WEBHOOK_CERT_PATH", "value": CERTIFICATES}));
        }
    }
}
