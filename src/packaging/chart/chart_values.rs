//! The template values for `values.yaml`, and for the other chart files that are not templates of objects.

use super::condition::{budget, is_about_metrics, max_unavailable};
use super::setting::{OF_CONTAINER, OF_POD, Setting};
use super::source::Source;
use super::{container, deployment};
use crate::model::{manager, reference_parts};
use crate::packaging::read_strings::text;
use crate::yaml;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Serialize)]
pub(super) struct ChartValues {
    name: String,
    /// The common prefix of the object names; empty if the prefix is the project's name.
    name_override: String,
    /// The Helm expression for the name of the operator's `Deployment`.
    deployment: String,
    app_version: String,
    repository: String,
    tag: String,
    digest: String,
    /// The number of replicas; empty if the `Deployment` does not set the number.
    replicas: String,
    pull_policy: String,
    priority_class_name: String,
    /// The settings of the pods and of the operator's container as YAML texts, by the name of the chart's value.
    settings: BTreeMap<&'static str, String>,
    /// The name of the service account, if the name does not depend on the release. Empty if the name begins with the
    /// name of the release.
    service_account: String,
    /// The Helm expression for the default name of the service account.
    default_account: String,
    /// Each optional value of the chart, by name: true if the chart has the value.
    has: BTreeMap<&'static str, bool>,
    /// The ports whose numbers users can set in the chart's values, each with its name and default number. The field is
    /// a list, because a template would visit the entries of a map in an undefined order.
    ports: Vec<(&'static str, u64)>,
    /// `maxUnavailable` of the `PodDisruptionBudget`; empty without a budget.
    disruption_budget: String,
}

impl ChartValues {
    pub(super) fn of(source: &Source<'_>) -> Self {
        let Source { project, operator, names, .. } = source;
        let deployment = operator.deployment;
        let manager = manager(deployment);
        let (repository, tag, digest) = reference_parts(text(manager, "/image"));
        let (tag, digest) = (tag.unwrap_or_default(), digest.unwrap_or_default());
        let pod = &deployment["spec"]["template"]["spec"];
        let of = |object: &Value, Setting { key, value, empty }: &Setting| (*value, block(&object[key], empty));
        let of_pod = OF_POD.iter().map(|setting| of(pod, setting));
        let settings = of_pod.chain(OF_CONTAINER.iter().map(|setting| of(manager, setting)));
        let listed = |key: &str| manager[key].as_array().is_some_and(|items| items.iter().any(container::is_metrics));
        let has = |kind: &str| operator.own_objects().any(|object| object["kind"] == kind);
        let expression = |name: &str| {
            if names.has_release_prefix(name) { names.expression(name) } else { Value::from(name).to_string() }
        };
        let is_named = names.has_release_prefix(operator.account);
        ChartValues {
            name: (*project).to_owned(),
            name_override: quote_text(if names.release() == *project { "" } else { names.release() }),
            deployment: expression(text(deployment, "/metadata/name")),
            app_version: quote_text(if tag.is_empty() { "latest" } else { tag }),
            repository: quote_text(repository),
            tag: quote_text(tag),
            digest: quote_text(digest),
            replicas: deployment["spec"]["replicas"].as_i64().map(|replicas| replicas.to_string()).unwrap_or_default(),
            pull_policy: quote_text(text(manager, "/imagePullPolicy")),
            priority_class_name: quote_text(text(pod, "/priorityClassName")),
            settings: settings.collect(),
            service_account: quote_text(if is_named { "" } else { operator.account }),
            default_account: expression(operator.account),
            has: BTreeMap::from([
                ("host_network", pod.as_object().is_some_and(|pod| !deployment::chooses_network(pod))),
                ("namespaces", !source.namespaced.is_empty()),
                (
                    "metrics",
                    operator.own_objects().any(is_about_metrics) || ["args", "env", "ports"].into_iter().any(listed),
                ),
                ("prometheus", has("ServiceMonitor")),
                ("network_policy", has("NetworkPolicy")),
            ]),
            ports: source.ports.iter().map(|port| (port.value, port.number)).collect(),
            disruption_budget: budget(operator).and_then(max_unavailable).map(one_line).unwrap_or_default(),
        }
    }
}

fn quote_text(text: &str) -> String {
    one_line(&Value::from(text))
}

fn one_line(value: &Value) -> String {
    // JSON, which YAML includes, has no line breaks.
    let is_short =
        value.as_str().is_none_or(|text| !text.contains(|one: char| one.is_whitespace() || one.is_control()));
    if is_short { yaml::document(value).trim_end().to_owned() } else { value.to_string() }
}

/// Returns a value as a YAML block below its key in `values.yaml`, or `empty` if the value is empty.
fn block(value: &Value, empty: &str) -> String {
    let is_empty = match value {
        Value::Object(map) => map.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => true,
    };
    if is_empty {
        return empty.to_owned();
    }
    yaml::document(value).trim_end_matches('\n').lines().flat_map(|line| ["\n  ", line]).collect()
}
