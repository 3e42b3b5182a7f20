//! Generates webhook configurations from markers.

use super::configuration::{Configuration, Webhook};
use super::lints::{SAME_NAME, TWO_NAMES, UNREADABLE_WEBHOOK, UNUSED_NAME, UNUSUAL_PATH};
use super::placed::MarkerContent;
use super::{patch, path, served};
use crate::finding::Finding;
use crate::source::crate_sources::Source;
use crate::source::discover::ApiType;
use crate::source::markers::Marker;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Returns the webhook configurations that the markers declare, the mutating configuration first, each with its
/// webhooks sorted by name. A configuration without webhooks is left out. Also returns findings about markers that
/// cannot be read or that the API server would refuse, and about webhooks in `sources` that no marker declares.
pub(crate) fn configurations(
    markers: &[Marker<'_>],
    sources: &[Source],
    types: &[ApiType],
) -> (Vec<Value>, Vec<Finding>) {
    let (mut webhooks, mut names, mut unreadable) = (Vec::new(), Vec::new(), BTreeSet::new());
    let mut findings = Vec::new();
    for marker in markers {
        let read = match marker.name {
            "webhook" => Webhook::read(marker).map(|stated| webhooks.push(MarkerContent { marker, stated })),
            "webhookconfiguration" => {
                Configuration::read(marker).map(|stated| names.push(MarkerContent { marker, stated }))
            }
            _ => Ok(()),
        };
        if let Err(wrong) = read {
            findings.push(wrong.into_finding(&UNREADABLE_WEBHOOK, marker.file, marker.line));
            unreadable.insert(marker.file);
        }
    }
    // The unreadable marker may be the very one that seems to be missing.
    let readable = sources.iter().filter(|source| !unreadable.contains(source.file.as_path()));
    let paths: BTreeSet<&str> = webhooks.iter().filter_map(|webhook| webhook.stated.path.as_deref()).collect();
    findings.extend(readable.flat_map(|source| served::report_unmarked_webhooks(source, types, &paths)));
    for webhook in &webhooks {
        findings
            .extend(path::check(&webhook.stated, types).map(|(said, hint)| webhook.finding(&UNUSUAL_PATH, said, hint)));
    }
    webhooks.sort_by(|one, other| one.stated.name.cmp(&other.stated.name));
    let mut configurations = Vec::new();
    for mutating in [true, false] {
        let webhooks: Vec<_> = webhooks.iter().filter(|webhook| webhook.stated.mutating == mutating).collect();
        let names: Vec<_> = names.iter().filter(|name| name.stated.mutating == mutating).collect();
        findings.extend(check(mutating, &webhooks, &names));
        if !webhooks.is_empty() {
            configurations.push(configuration(mutating, &webhooks, names.first().copied()));
        }
    }
    (configurations, findings)
}

pub(super) fn kind(mutating: bool) -> &'static str {
    if mutating { "mutating" } else { "validating" }
}

/// Checks the webhooks of one configuration, sorted by name, and the markers that state the configuration's name.
pub(super) fn check(
    mutating: bool,
    webhooks: &[&MarkerContent<Webhook>],
    names: &[&MarkerContent<Configuration>],
) -> Vec<Finding> {
    let (mut findings, kind) = (Vec::new(), kind(mutating));
    for pair in webhooks.windows(2).filter(|pair| pair[0].stated.name == pair[1].stated.name) {
        let said = format!("two webhooks in the same configuration have the name `{}`", pair[1].stated.name);
        let hint = format!("the other webhook is at {}: rename one of the two", pair[0].place());
        findings.push(pair[1].finding(&SAME_NAME, said, hint));
    }
    if let [first, second, ..] = names {
        let said = format!("the {kind} configuration has a second name, `{}`", second.stated.name);
        let hint = format!("the other marker is at {}: remove one of the two", first.place());
        findings.push(second.finding(&TWO_NAMES, said, hint));
    }
    if let (Some(first), true) = (names.first(), webhooks.is_empty()) {
        let said = format!("the marker names the {kind} configuration, and there is no {kind} webhook");
        findings.push(first.finding(&UNUSED_NAME, said, "remove the marker"));
    }
    findings
}

pub(super) fn configuration(
    mutating: bool,
    webhooks: &[&MarkerContent<Webhook>],
    name: Option<&MarkerContent<Configuration>>,
) -> Value {
    let name = name.map(|name| name.stated.name.clone()).filter(|name| !name.is_empty());
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": if mutating { "MutatingWebhookConfiguration" } else { "ValidatingWebhookConfiguration" },
        "metadata": { "name": name.unwrap_or_else(|| format!("{}-webhook-configuration", kind(mutating))) },
        "webhooks": webhooks.iter().map(|webhook| object(&webhook.stated)).collect::<Vec<_>>(),
    })
}

fn object(webhook: &Webhook) -> Value {
    let client = match (&webhook.url, &webhook.path) {
        (Some(url), _) => json!({ "url": url }),
        (None, path) => {
            let (name, namespace) = (&webhook.service_name, &webhook.service_namespace);
            let mut service = Map::from_iter([
                ("name".to_owned(), name.as_deref().unwrap_or("webhook-service").into()),
                ("namespace".to_owned(), namespace.as_deref().unwrap_or("system").into()),
                ("path".to_owned(), path.as_deref().into()),
            ]);
            service.extend(webhook.service_port.map(|port| ("port".to_owned(), port.into())));
            json!({ "service": service })
        }
    };
    let groups: Vec<&str> =
        webhook.groups.iter().map(|group| if group == "core" { "" } else { group.as_str() }).collect();
    let mut object = Map::from_iter([
        ("admissionReviewVersions".to_owned(), json!(webhook.admission_review_versions)),
        ("clientConfig".to_owned(), client),
        ("failurePolicy".to_owned(), webhook.failure_policy.clone().into()),
        ("name".to_owned(), webhook.name.clone().into()),
        (
            "rules".to_owned(),
            json!([{
                "apiGroups": groups,
                "apiVersions": webhook.versions,
                "operations": webhook.operations,
                "resources": webhook.resources,
            }]),
        ),
        ("sideEffects".to_owned(), webhook.side_effects.clone().into()),
    ]);
    let optional = [
        ("matchPolicy", webhook.match_policy.clone().map(Value::from)),
        ("reinvocationPolicy", webhook.reinvocation_policy.clone().map(Value::from)),
        ("timeoutSeconds", webhook.timeout_seconds.map(Value::from)),
    ];
    object.extend(optional.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))));
    webhook.patch.iter().for_each(|patch| patch::apply(&mut object, patch));
    object.into()
}
