//! Reads the `patch` of a webhook marker: JSON with fields that no argument states, such as a selector. controller-gen
//! merges it into the webhook in the same way (controller-tools `pkg/webhook/parser.go`).

use super::configuration::Webhook;
use crate::model::object_name_rule;
use crate::source::markers::{Argument, MarkerError};
use k8s_openapi::api::admissionregistration::v1::{MutatingWebhook, ValidatingWebhook};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, LabelSelectorRequirement};
use serde_json::{Map, Value, json};

/// The webhook fields that a patch may set; the API server validates these fields
/// (`pkg/apis/admissionregistration/validation/validation.go`).
const FIELDS: [&str; 3] = ["namespaceSelector", "objectSelector", "matchConditions"];
/// The webhook fields that a patch must not set, each with the marker arguments that set the field.
const ARGUMENTS: [(&str, &str); 9] = [
    ("admissionReviewVersions", "admissionReviewVersions"),
    ("clientConfig", "path"),
    ("failurePolicy", "failurePolicy"),
    ("matchPolicy", "matchPolicy"),
    ("name", "name"),
    ("reinvocationPolicy", "reinvocationPolicy"),
    ("rules", "groups`, `versions`, `resources` and `verbs"),
    ("sideEffects", "sideEffects"),
    ("timeoutSeconds", "timeoutSeconds"),
];
const EXAMPLE: &str = r#"patch=`{"namespaceSelector":{"matchLabels":{"env":"prod"}}}`"#;
const MOST_CONDITIONS: usize = 64;

/// Reads the JSON object in the `patch` argument; `None` if the argument is empty.
pub(super) fn read(argument: &Argument) -> Result<Option<Map<String, Value>>, MarkerError> {
    let text = argument.only_value()?;
    if text.trim().is_empty() {
        return Ok(None);
    }
    match argument.json(text)? {
        Ok(Value::Object(patch)) => Ok(Some(patch)),
        Ok(_) => Err(argument.wrong("`patch` is not a JSON object", format!("write for example {EXAMPLE}"))),
        Err(error) => {
            Err(argument.wrong(format!("`patch` is not JSON: {error}"), format!("write for example {EXAMPLE}")))
        }
    }
}

/// Fails if the API server would refuse the patch, or if the patch sets a field that has its own marker argument.
pub(super) fn check(argument: &Argument, webhook: &Webhook) -> Result<(), MarkerError> {
    let Some(patch) = &webhook.patch else { return Ok(()) };
    if let Some(field) = patch.keys().find(|field| !FIELDS.contains(&field.as_str())) {
        let message = format!("`patch` states `{field}`");
        return Err(match ARGUMENTS.iter().find(|(known, _)| known == field) {
            Some((_, arguments)) => argument.wrong(message, format!("state it with `{arguments}`")),
            None => {
                let hint = format!("a patch may state `{}`", FIELDS.join("`, `"));
                argument.wrong(format!("{message}, which no webhook has"), hint)
            }
        });
    }
    known_fields(argument, webhook, patch)?;
    for field in ["namespaceSelector", "objectSelector"] {
        let selector = patch.get(field).cloned().and_then(|value| serde_json::from_value(value).ok());
        if let Some(wrong) = selector.and_then(|selector: LabelSelector| fault(&selector)) {
            return Err(argument.wrong(
                format!("`{field}` {wrong}"),
                "https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/",
            ));
        }
    }
    conditions(argument, patch)
}

/// Adds the fields of the patch to the webhook's object.
pub(super) fn apply(object: &mut Map<String, Value>, patch: &Map<String, Value>) {
    let stated = patch.iter().filter(|(_, value)| !value.is_null());
    object.extend(stated.map(|(field, value)| (field.clone(), value.clone())));
}

/// Fails if a field in the patch has a value of the wrong type, or if Kubernetes does not know the field.
fn known_fields(argument: &Argument, webhook: &Webhook, patch: &Map<String, Value>) -> Result<(), MarkerError> {
    let mut object = json!({ "name": "", "clientConfig": {}, "sideEffects": "", "admissionReviewVersions": [] });
    object.as_object_mut().into_iter().for_each(|object| apply(object, patch));
    let read = |object: Value| -> serde_json::Result<Value> {
        if webhook.mutating {
            serde_json::to_value(serde_json::from_value::<MutatingWebhook>(object)?)
        } else {
            serde_json::to_value(serde_json::from_value::<ValidatingWebhook>(object)?)
        }
    };
    let hint = "kubectl explain validatingwebhookconfiguration.webhooks --recursive";
    let known = read(object.clone()).map_err(|error| argument.wrong(format!("`patch` does not fit: {error}"), hint))?;
    match lost_field(&object, &known) {
        Some(field) => Err(argument.wrong(format!("`patch` states `{field}`, which no webhook has"), hint)),
        None => Ok(()),
    }
}

/// Returns the path of the first field in `given` that is missing in `kept`.
fn lost_field(given: &Value, kept: &Value) -> Option<String> {
    match (given, kept) {
        (Value::Object(given), Value::Object(kept)) => given.iter().find_map(|(field, value)| match kept.get(field) {
            Some(kept) => lost_field(value, kept).map(|below| format!("{field}.{below}")),
            None => (!value.is_null()).then(|| field.clone()),
        }),
        (Value::Array(given), Value::Array(kept)) => given
            .iter()
            .zip(kept)
            .enumerate()
            .find_map(|(index, (given, kept))| lost_field(given, kept).map(|below| format!("[{index}].{below}"))),
        _ => None,
    }
}

fn fault(selector: &LabelSelector) -> Option<String> {
    let mut labels = selector.match_labels.iter().flatten();
    let of_labels = labels.find_map(|(key, value)| key_fault(key).or_else(|| value_fault(value)));
    of_labels.or_else(|| selector.match_expressions.iter().flatten().find_map(expression_fault))
}

fn expression_fault(expression: &LabelSelectorRequirement) -> Option<String> {
    let values = expression.values.as_deref().unwrap_or_default();
    let operator = expression.operator.as_str();
    let of_operator = match (operator, values.is_empty()) {
        ("In" | "NotIn", true) => Some(format!("has no `values` for the operator `{operator}`")),
        ("Exists" | "DoesNotExist", false) => Some(format!("has `values` for the operator `{operator}`")),
        ("In" | "NotIn" | "Exists" | "DoesNotExist", _) => None,
        _ => Some(format!("has the unknown operator `{operator}`: use `In`, `NotIn`, `Exists` or `DoesNotExist`")),
    };
    of_operator.or_else(|| key_fault(&expression.key)).or_else(|| values.iter().find_map(|value| value_fault(value)))
}

fn key_fault(key: &str) -> Option<String> {
    let (prefix, name) = key.split_once('/').map_or((None, key), |(prefix, name)| (Some(prefix), name));
    let is_good = prefix.is_none_or(|prefix| object_name_rule(prefix).is_none()) && !name.is_empty() && is_word(name);
    (!is_good).then(|| format!("has the key `{key}`, which no label can have"))
}

fn value_fault(value: &str) -> Option<String> {
    (!is_word(value)).then(|| format!("has the value `{value}`, which no label can have"))
}

/// Returns true if `text` is valid as the value of a label, or as the part of a label's key after the slash.
fn is_word(text: &str) -> bool {
    let edge = |one: char| one.is_ascii_alphanumeric();
    text.is_empty()
        || (text.len() <= 63
            && text.starts_with(edge)
            && text.ends_with(edge)
            && text.chars().all(|one| edge(one) || "-_.".contains(one)))
}

fn conditions(argument: &Argument, patch: &Map<String, Value>) -> Result<(), MarkerError> {
    let conditions = patch.get("matchConditions").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if conditions.len() > MOST_CONDITIONS {
        let message = format!("`matchConditions` has {} entries", conditions.len());
        return Err(argument.wrong(message, format!("at most {MOST_CONDITIONS} are allowed: join some with `&&`")));
    }
    for (index, condition) in conditions.iter().enumerate() {
        let text = |key: &str| condition[key].as_str().unwrap_or_default();
        let name = text("name");
        let message = if name.is_empty() || key_fault(name).is_some() {
            format!("`matchConditions` has the name `{name}`, which does not have the format of a label key")
        } else if text("expression").trim().is_empty() {
            format!("the condition `{name}` has no expression")
        } else if conditions[..index].iter().any(|other| other["name"] == name) {
            format!("`matchConditions` has the name `{name}` twice")
        } else {
            continue;
        };
        let hint = r#"write for example `"matchConditions":[{"name":"not-leases","expression":"request.resource.resource != 'leases'"}]`"#;
        return Err(argument.wrong(message, hint));
    }
    Ok(())
}
