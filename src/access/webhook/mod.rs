//! Makes webhook configurations from `// +opctl:webhook:…` and `// +opctl:webhookconfiguration:…` markers, as
//! controller-gen does (controller-tools `pkg/webhook/parser.go`), and finds the kinds that the code converts.

mod check;
mod configuration;
mod converted;
mod marker;
mod patch;
mod path;
mod served;
mod values;

use configuration::{Configuration, Webhook};
pub(crate) use converted::{Converted, conversion_command, converted};

use crate::finding::{Finding, Lint};
use crate::source::discover::ApiType;
use crate::source::files::Source;
use crate::source::markers::{Marker, MarkerError};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

pub(crate) static LINTS: &[&Lint] = &[
    &UNREADABLE_WEBHOOK,
    &UNUSUAL_PATH,
    &SAME_NAME,
    &TWO_NAMES,
    &UNUSED_NAME,
    &served::UNMARKED,
    &converted::UNCONVERTED,
];

pub(crate) static UNREADABLE_WEBHOOK: Lint = Lint::error(
    "OP411",
    "a webhook marker that cannot be read",
    "The API server would refuse the webhook configuration, or never call the webhook.",
    "// +opctl:webhook:path=/validate-example-com-v1-foo,mutating=false,failurePolicy=fail,sideEffects=Some,\\\n\
     groups=example.com,resources=foos,verbs=creat,versions=v1,name=vfoo-v1.kb.io,admissionReviewVersions=v1",
    "// +opctl:webhook:path=/validate-example-com-v1-foo,mutating=false,failurePolicy=fail,sideEffects=None,\\\n\
     groups=example.com,resources=foos,verbs=create,versions=v1,name=vfoo-v1.kb.io,admissionReviewVersions=v1",
);

pub(crate) static UNUSUAL_PATH: Lint = Lint::warning(
    "OP412",
    "a webhook under an unusual path",
    "Scaffolded webhooks are served at `/mutate-` or `/validate-`, group, version and kind; a request to another path is \
     answered with 404, and fails what it was about.",
    "path=/validate-foo,mutating=false,groups=example.com,versions=v1,resources=foos",
    "path=/validate-example-com-v1-foo,mutating=false,groups=example.com,versions=v1,resources=foos",
);

pub(crate) static SAME_NAME: Lint = Lint::error(
    "OP413",
    "two webhooks of one name",
    "The server refuses them: `webhooks[1].name: Duplicate value`.",
    "name=vfoo.kb.io,versions=v1 // and, elsewhere,\nname=vfoo.kb.io,versions=v2",
    "name=vfoo-v1.kb.io,versions=v1 // and, elsewhere,\nname=vfoo-v2.kb.io,versions=v2",
);

pub(crate) static TWO_NAMES: Lint = Lint::error(
    "OP414",
    "a webhook configuration with two names",
    "There is one configuration of each kind, and it has one name.",
    "// +opctl:webhookconfiguration:mutating=true,name=one\n// +opctl:webhookconfiguration:mutating=true,name=two",
    "// +opctl:webhookconfiguration:mutating=true,name=one",
);

pub(crate) static UNUSED_NAME: Lint = Lint::warning(
    "OP415",
    "a name for a webhook configuration that does not exist",
    "Without a webhook there is no configuration, so the marker does nothing.",
    "// +opctl:webhookconfiguration:mutating=true,name=one",
    "// +opctl:webhookconfiguration:mutating=false,name=one // where the webhooks are validating ones",
);

/// The contents of a marker, and the place of the marker.
#[derive(Debug)]
pub(crate) struct Placed<T> {
    file: PathBuf,
    line: usize,
    column: usize,
    stated: T,
}

impl<T> Placed<T> {
    fn finding(&self, lint: &Lint, message: impl Into<String>, hint: impl Into<String>) -> Finding {
        let wrong = MarkerError { column: self.column, message: message.into(), hint: hint.into() };
        wrong.at(lint, &self.file, self.line)
    }
}

/// All webhooks and names of configurations that markers state.
#[derive(Debug, Default)]
pub(crate) struct Webhooks {
    webhooks: Vec<Placed<Webhook>>,
    configurations: Vec<Placed<Configuration>>,
}

impl Webhooks {
    /// Adds the contents of the markers of one file. A marker that cannot be read, or that the API server would refuse,
    /// becomes a finding.
    pub(crate) fn add(&mut self, file: &Path, markers: &[Marker<'_>], findings: &mut Vec<Finding>) {
        for marker in markers {
            let read = match marker.name {
                "webhook" => Webhook::read(marker).map(|stated| self.webhooks.push(Self::placed(file, marker, stated))),
                "webhookconfiguration" => Configuration::read(marker)
                    .map(|stated| self.configurations.push(Self::placed(file, marker, stated))),
                _ => Ok(()),
            };
            if let Err(wrong) = read {
                findings.push(wrong.at(&UNREADABLE_WEBHOOK, file, marker.line));
            }
        }
    }

    fn placed<T>(file: &Path, marker: &Marker<'_>, stated: T) -> Placed<T> {
        Placed { file: file.to_owned(), line: marker.line, column: marker.column, stated }
    }

    /// Reports the webhooks that `sources` serve and that no marker states.
    pub(crate) fn unmarked(&self, sources: &[Source], types: &[ApiType]) -> Vec<Finding> {
        let stated: Vec<&Webhook> = self.webhooks.iter().map(|webhook| &webhook.stated).collect();
        served::unmarked(sources, types, &stated)
    }

    /// Returns the configurations, the mutating one first, each with its webhooks sorted by name; no configuration
    /// without a webhook.
    pub(crate) fn objects(&mut self, types: &[ApiType], findings: &mut Vec<Finding>) -> Vec<Value> {
        for webhook in &self.webhooks {
            findings.extend(
                path::check(&webhook.stated, types).map(|(said, hint)| webhook.finding(&UNUSUAL_PATH, said, hint)),
            );
        }
        self.webhooks.sort_by(|one, other| one.stated.name.cmp(&other.stated.name));
        [true, false].into_iter().filter_map(|mutating| self.object(mutating, findings)).collect()
    }

    fn object(&self, mutating: bool, findings: &mut Vec<Finding>) -> Option<Value> {
        let webhooks: Vec<_> = self.webhooks.iter().filter(|webhook| webhook.stated.mutating == mutating).collect();
        for pair in webhooks.windows(2).filter(|pair| pair[0].stated.name == pair[1].stated.name) {
            let said = format!("two webhooks of one kind have the name `{}`", pair[1].stated.name);
            let hint = format!(
                "the other one is at {}:{}: give one of them another name",
                pair[0].file.display(),
                pair[0].line
            );
            findings.push(pair[1].finding(&SAME_NAME, said, hint));
        }
        let mut named = self.configurations.iter().filter(|named| named.stated.mutating == mutating);
        let (first, kind) = (named.next(), if mutating { "mutating" } else { "validating" });
        if let (Some(first), Some(second)) = (first, named.next()) {
            let said = format!("the {kind} configuration has a second name, `{}`", second.stated.name);
            let hint =
                format!("the other one is at {}:{}: remove one of the two markers", first.file.display(), first.line);
            findings.push(second.finding(&TWO_NAMES, said, hint));
        }
        if let (Some(first), true) = (first, webhooks.is_empty()) {
            let said = format!("the marker names the {kind} configuration, and there is no {kind} webhook");
            findings.push(first.finding(&UNUSED_NAME, said, "remove the marker"));
        }
        if webhooks.is_empty() {
            return None;
        }
        let name = first.map(|first| first.stated.name.clone()).filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| format!("{kind}-webhook-configuration"));
        Some(json!({
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": if mutating { "MutatingWebhookConfiguration" } else { "ValidatingWebhookConfiguration" },
            "metadata": { "name": name },
            "webhooks": webhooks.iter().map(|webhook| object(&webhook.stated)).collect::<Vec<_>>(),
        }))
    }
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

#[cfg(test)]
mod tests;
