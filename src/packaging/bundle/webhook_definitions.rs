//! Converts webhook configurations to the `webhookdefinitions` of a `ClusterServiceVersion`, from which the Operator
//! Lifecycle Manager creates the configurations and their Services.

use crate::packaging::read_strings::text;
use crate::packaging::selector::selects;
use serde_json::{Map, Value, json};

/// The fields of a webhook that exist both in its configuration and in a `ClusterServiceVersion`.
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

/// Returns the entries of `webhookdefinitions`: the webhooks that a `Deployment` among the objects serves.
pub(super) fn webhooks(objects: &[Value]) -> Vec<Value> {
    let admission = configured_webhooks(objects).filter_map(|(of, webhook)| {
        let deployment = served_by(webhook, objects)?;
        Some(admission(webhook, of, deployment))
    });
    let conversions = objects.iter().filter_map(|object| conversion(object, objects));
    admission.chain(conversions).collect()
}

/// Returns the webhooks of all configurations, each with its type in a `ClusterServiceVersion`.
fn configured_webhooks(objects: &[Value]) -> impl Iterator<Item = (&'static str, &Value)> {
    let configurations = objects.iter().filter_map(|object| match text(object, "/kind") {
        "MutatingWebhookConfiguration" => Some(("MutatingAdmissionWebhook", object)),
        "ValidatingWebhookConfiguration" => Some(("ValidatingAdmissionWebhook", object)),
        _ => None,
    });
    configurations
        .flat_map(|(of, object)| object["webhooks"].as_array().into_iter().flatten().map(move |webhook| (of, webhook)))
}

/// Returns the `Deployment` whose pods serve the webhook; `None` if `objects` has no such `Deployment`.
fn served_by<'a>(webhook: &Value, objects: &'a [Value]) -> Option<&'a Value> {
    let service = webhook.pointer("/clientConfig/service")?;
    let is_it = |object: &&Value| {
        let metadata = &object["metadata"];
        object["kind"] == "Service"
            && metadata["name"] == service["name"]
            && metadata["namespace"] == service["namespace"]
    };
    let selector = json!({"matchLabels": objects.iter().find(is_it)?.pointer("/spec/selector")?});
    let is_selected = |object: &&Value| {
        object["kind"] == "Deployment" && selects(&selector, &object["spec"]["template"]["metadata"]["labels"])
    };
    objects.iter().find(is_selected)
}

/// Returns true for a `Service` that serves only webhooks: the Operator Lifecycle Manager creates a `Service` instead.
pub(super) fn is_service(service: &Value, objects: &[Value]) -> bool {
    let is_single = service["spec"]["ports"].as_array().is_some_and(|ports| ports.len() == 1);
    let converting = objects.iter().filter_map(|object| object.pointer("/spec/conversion/webhook"));
    let mut webhooks = configured_webhooks(objects).map(|(_, webhook)| webhook).chain(converting);
    is_single
        && webhooks.any(|webhook| {
            let named = &webhook["clientConfig"]["service"];
            named["name"] == service["metadata"]["name"] && served_by(webhook, objects).is_some()
        })
}

fn admission(webhook: &Value, of: &str, deployment: &Value) -> Value {
    let shared = SHARED.iter().filter_map(|key| Some(((*key).to_owned(), webhook.get(*key)?.clone())));
    let mut entry: Map<String, Value> = shared.collect();
    entry.extend(common_fields(of, text(webhook, "/name"), text(webhook, "/clientConfig/service/path"), deployment));
    entry.into()
}

/// Returns descriptions of the webhooks that no `Deployment` in `objects` serves, and of the fields of served webhooks
/// that a `ClusterServiceVersion` cannot hold.
pub(super) fn left_out(objects: &[Value]) -> Vec<String> {
    let fields = |webhook: &Value| {
        let name = text(webhook, "/name");
        if served_by(webhook, objects).is_none() {
            return vec![format!("the webhook {name}, which no Deployment serves")];
        }
        let fields = ["namespaceSelector", "matchConditions"].into_iter().filter(|field| webhook.get(field).is_some());
        fields.map(|field| format!("{field} of the webhook {name}")).collect()
    };
    let unserved = objects.iter().filter(|object| {
        object.pointer("/spec/conversion/webhook").is_some_and(|webhook| served_by(webhook, objects).is_none())
    });
    let unserved = unserved.map(|object| {
        format!("the conversion webhook of {}, which no Deployment serves", text(object, "/metadata/name"))
    });
    configured_webhooks(objects).flat_map(|(_, webhook)| fields(webhook)).chain(unserved).collect()
}

fn conversion(definition: &Value, objects: &[Value]) -> Option<Value> {
    let webhook = definition.pointer("/spec/conversion/webhook")?;
    let deployment = served_by(webhook, objects)?;
    let name = text(definition, "/metadata/name");
    let mut entry = common_fields(
        "ConversionWebhook",
        &format!("c{name}"),
        text(webhook, "/clientConfig/service/path"),
        deployment,
    );
    entry.insert("admissionReviewVersions".to_owned(), webhook["conversionReviewVersions"].clone());
    entry.insert("conversionCRDs".to_owned(), json!([name]));
    entry.insert("sideEffects".to_owned(), "None".into());
    Some(entry.into())
}

fn common_fields(of: &str, name: &str, path: &str, deployment: &Value) -> Map<String, Value> {
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
