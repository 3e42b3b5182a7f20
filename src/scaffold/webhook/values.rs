//! The values of a webhook's template.

use crate::model::{Origin, Project, Resource};
use serde::Serialize;
use serde_json::json;

/// The values for the markers and the code of a kind's webhooks.
#[derive(Clone, Serialize)]
pub(in crate::scaffold) struct WebhookValues {
    defaulting: bool,
    validation: bool,
    /// Group, version and kind in the path at which webhooks are served (controller-runtime `pkg/builder/webhook.go`).
    path: String,
    /// The names of the webhooks after their first letter.
    name: String,
    /// The annotation in the example of a webhook.
    annotation: String,
    failure_policy: &'static str,
    /// The marker's argument that excludes the namespaces whose objects the webhooks do not get, if there are any.
    patch: String,
}

impl WebhookValues {
    pub(in crate::scaffold) fn of(project: &Project, resource: &Resource) -> Self {
        let (group, version) = (resource.api_group(&project.domain), &resource.key.version);
        let singular = resource.key.kind.singular();
        let own = resource.origin == Origin::Own;
        // The group of a kind that the project does not define may have no dot, and a webhook's name needs two.
        let name = match (own, group.as_str()) {
            (true, _) => format!("{singular}-{version}.{group}"),
            (false, "") => format!("{singular}-{version}.{}.{}", project.name, project.domain),
            (false, _) => format!("{singular}-{version}.{group}.{}.{}", project.name, project.domain),
        };
        let prefix = if own { &group } else { project.domain.as_str() };
        WebhookValues {
            defaulting: resource.webhooks.defaulting,
            validation: resource.webhooks.validation,
            path: format!("{}-{version}-{singular}", group.replace('.', "-")),
            name,
            annotation: format!("{prefix}/created-by"),
            failure_policy: if starts_the_cluster(resource) { "ignore" } else { "fail" },
            patch: if own || !is_selected(resource) { String::new() } else { patch(project) },
        }
    }
}

/// Returns true for a built-in kind whose objects no namespace selector can exclude: a cluster that starts creates its
/// nodes before it runs an operator.
fn starts_the_cluster(resource: &Resource) -> bool {
    matches!(resource.origin, Origin::Core(_)) && !is_selected(resource)
}

/// Returns true if a namespace selector applies to the objects: to the labels of their namespace or, for namespaces, to
/// their own labels.
fn is_selected(resource: &Resource) -> bool {
    resource.namespaced || matches!(resource.origin, Origin::Core(core) if core.kind == "Namespace")
}

/// Renders the argument that excludes the operator's namespace, which `config/default` labels, and `kube-system`.
fn patch(project: &Project) -> String {
    let not = |key: &str, value: &str| json!({ "key": key, "operator": "NotIn", "values": [value] });
    let expressions =
        [not("app.kubernetes.io/name", project.name.as_str()), not("kubernetes.io/metadata.name", "kube-system")];
    format!(",patch=`{}`", json!({ "namespaceSelector": { "matchExpressions": expressions } }))
}
