//! Adapts the use of certificates in a bundle. The Operator Lifecycle Manager provides only the certificate for
//! webhooks; the operator has to sign its other certificates itself.

use crate::packaging::read_strings::text;
use serde_json::{Value, json};

/// The folder in which the Operator Lifecycle Manager mounts the certificate of webhooks.
const CERTIFICATES: &str = "/tmp/k8s-webhook-server/serving-certs";
const PATH: &str = "WEBHOOK_CERT_PATH";
const METRICS_PATH: &str = "METRICS_CERT_PATH";
const SECRET: &str = "WEBHOOK_SECRET_NAME";

/// The environment variables that an operator with its own certificate authority reads. The variables name the
/// `Service`, the `Secret` and the webhook configurations that such an operator maintains.
const OF_AUTHORITY: [&str; 4] =
    ["WEBHOOK_SERVICE_NAME", SECRET, "MUTATING_WEBHOOK_CONFIGURATION", "VALIDATING_WEBHOOK_CONFIGURATION"];

/// Returns true if the webhook certificate that the Operator Lifecycle Manager creates replaces the object.
pub(super) fn replaces(object: &Value, objects: &[Value]) -> bool {
    let name = text(object, "/metadata/name");
    let is_of_webhooks =
        |secret: &str| deployments(objects).any(|deployment| webhook_secrets(deployment).contains(&secret));
    match text(object, "/kind") {
        "Secret" => is_of_webhooks(name),
        "Certificate" => is_of_cert_manager(object) && is_of_webhooks(text(object, "/spec/secretName")),
        "Issuer" => {
            let is_its = |other: &&Value| other["kind"] == "Certificate" && text(other, "/spec/issuerRef/name") == name;
            let mut certificates = objects.iter().filter(is_its).peekable();
            let has_any = certificates.peek().is_some();
            is_of_cert_manager(object) && has_any && certificates.all(|certificate| replaces(certificate, objects))
        }
        _ => false,
    }
}

/// Returns the names of the Secrets that stay empty: cert-manager would fill them, but a bundle contains no
/// cert-manager certificates.
pub(super) fn unfilled_secrets(objects: &[Value]) -> Vec<&str> {
    let certificates = objects.iter().filter(|object| object["kind"] == "Certificate" && is_of_cert_manager(object));
    certificates.map(|certificate| text(certificate, "/spec/secretName")).collect()
}

/// Makes the webhooks use the certificate of the Operator Lifecycle Manager. Removes the volumes of the Secrets in
/// `unfilled`, so that the operator signs its metrics certificate itself.
pub(super) fn take_certificate(deployment: &mut Value, unfilled: &[&str]) {
    let Some(pod) = deployment.pointer_mut("/spec/template/spec") else { return };
    let is_unfilled = |volume: &Value| unfilled.contains(&text(volume, "/secret/secretName"));
    let mut gone = Vec::new();
    if let Some(volumes) = list(pod, "volumes") {
        gone = volumes.iter().filter(|volume| is_unfilled(volume)).map(|volume| volume["name"].clone()).collect();
        volumes.retain(|volume| !is_unfilled(volume));
    }
    for container in list(pod, "containers").into_iter().flatten() {
        let mut paths = Vec::new();
        if let Some(mounts) = list(container, "volumeMounts") {
            let is_gone = |mount: &Value| gone.contains(&mount["name"]);
            paths = mounts.iter().filter(|mount| is_gone(mount)).map(|mount| mount["mountPath"].clone()).collect();
            mounts.retain(|mount| !is_gone(mount));
        }
        let Some(variables) = list(container, "env") else { continue };
        let is_of_webhooks = |variable: &Value| {
            let (name, value) = (text(variable, "/name"), &variable["value"]);
            OF_AUTHORITY.contains(&name) || (name == PATH && paths.contains(value))
        };
        let is_of_metrics =
            |variable: &Value| text(variable, "/name") == METRICS_PATH && paths.contains(&variable["value"]);
        let has_webhooks = variables.iter().any(is_of_webhooks);
        variables.retain(|variable| !is_of_webhooks(variable) && !is_of_metrics(variable));
        if has_webhooks {
            variables.push(json!({"name": PATH, "value": CERTIFICATES}));
        }
    }
    without_empty(pod, "volumes");
    list(pod, "containers").into_iter().flatten().for_each(|container| without_empty(container, "volumeMounts"));
}

/// Removes the list at `key` if it is empty.
fn without_empty(value: &mut Value, key: &str) {
    if list(value, key).is_some_and(|items| items.is_empty())
        && let Some(map) = value.as_object_mut()
    {
        map.remove(key);
    }
}

/// Returns the `ServiceMonitor` without TLS verification for each endpoint whose certificate would come from a `Secret`
/// in `unfilled`: the operator signs that certificate itself.
pub(super) fn trust_metrics(monitor: &Value, unfilled: &[&str]) -> Value {
    let mut monitor = monitor.clone();
    let endpoints = monitor.pointer_mut("/spec/endpoints").and_then(Value::as_array_mut);
    for endpoint in endpoints.into_iter().flatten() {
        let tls = &endpoint["tlsConfig"];
        let secrets = ["/ca/secret/name", "/cert/secret/name", "/keySecret/name"];
        if secrets.iter().any(|pointer| unfilled.contains(&text(tls, pointer))) {
            endpoint["tlsConfig"] = json!({"insecureSkipVerify": true});
        }
    }
    monitor
}

fn deployments(objects: &[Value]) -> impl Iterator<Item = &Value> {
    objects.iter().filter(|object| object["kind"] == "Deployment")
}

/// Returns the names of the Secrets that hold the certificate of a Deployment's webhooks.
fn webhook_secrets(deployment: &Value) -> Vec<&str> {
    let pod = &deployment["spec"]["template"]["spec"];
    let mut secrets = Vec::new();
    for container in items(pod, "containers") {
        for variable in items(container, "env") {
            match text(variable, "/name") {
                SECRET => secrets.push(text(variable, "/value")),
                PATH => {
                    let is_its = |mount: &&Value| mount["mountPath"] == variable["value"];
                    let mount = items(container, "volumeMounts").find(is_its);
                    let volume_of =
                        |mount: &Value| items(pod, "volumes").find(|volume| volume["name"] == mount["name"]);
                    let volume = mount.and_then(volume_of);
                    secrets.extend(volume.map(|volume| text(volume, "/secret/secretName")));
                }
                _ => {}
            }
        }
    }
    secrets.retain(|secret| !secret.is_empty());
    secrets
}

fn items<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value[key].as_array().into_iter().flatten()
}

fn list<'a>(value: &'a mut Value, key: &str) -> Option<&'a mut Vec<Value>> {
    value.get_mut(key)?.as_array_mut()
}

fn is_of_cert_manager(object: &Value) -> bool {
    text(object, "/apiVersion").starts_with("cert-manager.io/")
}
