//! Reads and writes webhook markers.

use super::argument_values::{choice, number, text, truth};
use super::configuration::{Configuration, Webhook};
use super::patch;
use super::webhook_rules;
use crate::source::markers::{Argument, Marker, MarkerError, Printer};
use serde_json::json;
use std::fmt;

const ARGUMENTS: [&str; 19] = [
    "path",
    "url",
    "mutating",
    "failurePolicy",
    "matchPolicy",
    "sideEffects",
    "timeoutSeconds",
    "groups",
    "resources",
    "verbs",
    "versions",
    "name",
    "admissionReviewVersions",
    "reinvocationPolicy",
    "serviceName",
    "serviceNamespace",
    "servicePort",
    "webhookVersions",
    "patch",
];
/// The arguments that every webhook marker must have, each with an example.
const REQUIRED: [(&str, &str); 9] = [
    ("mutating", "mutating=false"),
    ("failurePolicy", "failurePolicy=fail"),
    ("sideEffects", "sideEffects=None"),
    ("groups", "groups=apps.example.com"),
    ("resources", "resources=webservers"),
    ("verbs", "verbs=create;update"),
    ("versions", "versions=v1"),
    ("name", "name=vwebserver-v1.kb.io"),
    ("admissionReviewVersions", "admissionReviewVersions=v1"),
];
const OPERATIONS: [&str; 5] = ["CREATE", "UPDATE", "DELETE", "CONNECT", "*"];

impl Webhook {
    /// Reads a `+opctl:webhook:` marker. Fails if an argument is missing or invalid.
    pub(super) fn read(marker: &Marker<'_>) -> Result<Self, MarkerError> {
        let mut webhook = Webhook::default();
        let arguments = marker.arguments()?;
        for argument in &arguments {
            webhook.assign(argument)?;
        }
        for (key, example) in REQUIRED {
            if arguments.iter().all(|argument| argument.key != key) {
                let message = format!("missing argument `{key}`");
                return Err(MarkerError {
                    column: marker.column,
                    message,
                    hint: format!("add for example `{example}`"),
                });
            }
        }
        webhook_rules::webhook(&webhook, &arguments, marker.column)?;
        Ok(webhook)
    }

    fn assign(&mut self, argument: &Argument) -> Result<(), MarkerError> {
        match argument.key.as_str() {
            "mutating" => self.mutating = truth(argument)?,
            "name" => argument.only_value()?.clone_into(&mut self.name),
            "path" => self.path = text(argument)?,
            "url" => self.url = text(argument)?,
            "groups" => self.groups = non_empty_list(argument)?,
            "versions" => self.versions = non_empty_list(argument)?,
            "resources" => self.resources = non_empty_list(argument)?,
            "admissionReviewVersions" => self.admission_review_versions = non_empty_list(argument)?,
            "verbs" => {
                let verbs = non_empty_list(argument)?;
                self.operations =
                    verbs.iter().map(|verb| choice(argument, verb, &OPERATIONS, "verb")).collect::<Result<_, _>>()?;
            }
            "failurePolicy" => {
                self.failure_policy = choice(argument, argument.only_value()?, &["Fail", "Ignore"], "failurePolicy")?;
            }
            "sideEffects" => self.side_effects = webhook_rules::side_effects(argument)?,
            "matchPolicy" => {
                self.match_policy =
                    Some(choice(argument, argument.only_value()?, &["Exact", "Equivalent"], "matchPolicy")?);
            }
            "reinvocationPolicy" => {
                let policies = ["Never", "IfNeeded"];
                self.reinvocation_policy =
                    Some(choice(argument, argument.only_value()?, &policies, "reinvocationPolicy")?);
            }
            "timeoutSeconds" => self.timeout_seconds = Some(number(argument, 1, 30)?),
            "serviceName" => self.service_name = text(argument)?,
            "serviceNamespace" => self.service_namespace = text(argument)?,
            "servicePort" => self.service_port = Some(number(argument, 1, 65_535)?),
            "patch" => self.patch = patch::read(argument)?,
            "webhookVersions" => {
                if let Some(other) = argument.list().iter().find(|version| *version != "v1") {
                    let message = format!("webhookVersions is `{other}`, and Kubernetes has only v1");
                    return Err(argument.wrong_value(other, message, "remove `webhookVersions`".to_owned()));
                }
            }
            _ => return Err(argument.unknown_key_error(&ARGUMENTS)),
        }
        Ok(())
    }
}

impl Configuration {
    /// Reads a `+opctl:webhookconfiguration:` marker. Fails if an argument is missing or invalid.
    pub(super) fn read(marker: &Marker<'_>) -> Result<Self, MarkerError> {
        let mut configuration = Configuration::default();
        let arguments = marker.arguments()?;
        for argument in &arguments {
            match argument.key.as_str() {
                "mutating" => configuration.mutating = truth(argument)?,
                "name" => {
                    configuration.name = text(argument)?.unwrap_or_default();
                    webhook_rules::subdomain(argument, &configuration.name)?;
                }
                _ => return Err(argument.unknown_key_error(&["mutating", "name"])),
            }
        }
        if arguments.iter().all(|argument| argument.key != "mutating") {
            let (column, message) = (marker.column, "missing argument `mutating`".to_owned());
            return Err(MarkerError { column, message, hint: "add `mutating=true` or `mutating=false`".to_owned() });
        }
        Ok(configuration)
    }
}

fn non_empty_list(argument: &Argument) -> Result<Vec<String>, MarkerError> {
    let list = argument.list();
    if list.is_empty() {
        let example = REQUIRED.iter().find(|(key, _)| *key == argument.key).map_or("", |(_, example)| *example);
        return Err(argument.wrong(format!("`{}` is empty", argument.key), format!("write for example `{example}`")));
    }
    Ok(list)
}

impl fmt::Display for Webhook {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |value: Option<u32>| value.map(|value| value.to_string()).unwrap_or_default();
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        let verbs: Vec<String> = self.operations.iter().map(|operation| operation.to_lowercase()).collect();
        let marker = Printer::new("webhook")
            .one("path", &text(&self.path))
            .one("url", &text(&self.url))
            .one("mutating", &self.mutating.to_string())
            .one("failurePolicy", &self.failure_policy.to_lowercase())
            .one("matchPolicy", &text(&self.match_policy))
            .one("sideEffects", &self.side_effects)
            .one("timeoutSeconds", &number(self.timeout_seconds))
            .list("groups", &self.groups)
            .list("resources", &self.resources)
            .list("verbs", &verbs)
            .list("versions", &self.versions)
            .one("name", &self.name)
            .list("admissionReviewVersions", &self.admission_review_versions)
            .one("reinvocationPolicy", &text(&self.reinvocation_policy))
            .one("serviceName", &text(&self.service_name))
            .one("serviceNamespace", &text(&self.service_namespace))
            .one("servicePort", &number(self.service_port))
            .one("patch", &self.patch.as_ref().map(|patch| json!(patch).to_string()).unwrap_or_default());
        formatter.write_str(&marker.text())
    }
}
