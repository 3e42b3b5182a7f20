//! The values of a webhook's template.

use crate::model::{Origin, Project, Resource};
use serde::Serialize;
use serde_json::json;

/// What markers and code of a kind's webhooks state.
#[derive(Clone, Serialize)]
pub(in crate::scaffold) struct WebhookValues {
    defaulting: bool,
    validation: bool,
    /// Group, version and kind in the path at which webhooks are served (controller-runtime `pkg/builder/webhook.go`).
    path: String,
    /// The names of webhooks behind their first letter.
    name: String,
    /// The annotation in the example of a webhook.
    annotation: String,
    failure_policy: &'static str,
    /// The marker's argument for the namespaces whose objects nobody asks the operator about, if there are any.
    patch: String,
}

impl WebhookValues {
    pub(in crate::scaffold) fn of(project: &Project, resource: &Resource) -> Self {
        let (group, version) = (resource.api_group(&project.domain), &resource.key.version);
        let singular = resource.key.kind.singular();
        let own = resource.origin == Origin::Own;
        // A group of others may have no dot, and a name has two.
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

/// Returns true for a kind of Kubernetes' without a namespace that could be left out: a cluster that starts creates its nodes
/// before it runs an operator.
fn starts_the_cluster(resource: &Resource) -> bool {
    matches!(resource.origin, Origin::Core(_)) && !is_selected(resource)
}

/// Returns true if the API server looks at the labels of a namespace: that of the object, or the object itself.
fn is_selected(resource: &Resource) -> bool {
    resource.namespaced || matches!(resource.origin, Origin::Core(core) if core.kind == "Namespace")
}

/// Leaves out the namespace of the operator, which `config/default` labels, and that of the cluster.
fn patch(project: &Project) -> String {
    let not = |key: &str, value: &str| json!({ "key": key, "operator": "NotIn", "values": [value] });
    let expressions =
        [not("app.kubernetes.io/name", project.name.as_str()), not("kubernetes.io/metadata.name", "kube-system")];
    format!(",patch=`{}`", json!({ "namespaceSelector": { "matchExpressions": expressions } }))
}
