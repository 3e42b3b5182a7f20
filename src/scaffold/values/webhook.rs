//! The values with which opctl renders the templates of webhooks.

use crate::model::{Origin, Project, Resource};
use serde::Serialize;
use serde_json::json;

/// The values for the markers and the code of a kind's webhooks.
#[derive(Clone, Serialize)]
pub(in crate::scaffold) struct WebhookValues {
    /// The webhooks, in the order in which opctl renders their functions.
    pub(in crate::scaffold) wanted: Vec<WebhookCode>,
    /// The comment lines about objects for which the API server does not call the webhooks.
    note: Vec<&'static str>,
    /// The items of `kube::api` that the tests import.
    test_imports: &'static str,
    /// The text before the call that creates an object in a test: `let created = ` if the kind has a defaulting
    /// webhook, otherwise empty.
    created: &'static str,
    /// The group, version and kind in the path of the webhooks (controller-runtime `pkg/builder/webhook.go`).
    pub(in crate::scaffold) path: String,
    /// A webhook's name without the first letter, which is `m` for a mutating or `v` for a validating webhook.
    pub(in crate::scaffold) name: String,
    /// The key of the annotation that the code of the example webhooks uses, such as `example.com/created-by`.
    annotation: String,
    /// The value of the annotation `created-by` in the object that a test sends to the API server, before the API
    /// server calls the webhooks.
    created_by: &'static str,
    failure_policy: &'static str,
    /// The `patch` argument of a `+opctl:webhook` marker: a namespace selector that excludes namespaces from the
    /// webhooks; empty if no namespace is excluded.
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
        let failure_policy = if starts_the_cluster(resource) { "ignore" } else { "fail" };
        let patch = if own || !is_selected(resource) { String::new() } else { patch(project) };
        WebhookValues {
            wanted: Vec::new(),
            note: note(&patch, failure_policy),
            test_imports: if resource.webhooks.validation {
                "{Api, Patch, PatchParams, PostParams}"
            } else {
                "{Api, PostParams}"
            },
            created: if resource.webhooks.defaulting { "let created = " } else { "" },
            path: format!("{}-{version}-{singular}", group.replace('.', "-")),
            name,
            annotation: format!("{prefix}/created-by"),
            created_by: if resource.webhooks.defaulting { "" } else { "alice" },
            failure_policy,
            patch,
        }
    }
}

/// The code of one webhook.
#[derive(Clone, Serialize)]
pub(in crate::scaffold) struct WebhookCode {
    /// The expression that creates the webhook from its function.
    pub(in crate::scaffold) call: &'static str,
    pub(in crate::scaffold) function: String,
    pub(in crate::scaffold) unit_test: String,
    /// The assertions of the test on an API server.
    pub(in crate::scaffold) server_test: String,
}

/// Returns the comment lines about objects for which the API server does not call the webhooks.
fn note(patch: &str, failure_policy: &str) -> Vec<&'static str> {
    match (patch, failure_policy) {
        ("", "ignore") => vec![
            "//!",
            "//! With `failurePolicy=ignore`, it also stores objects while the operator does not run: a cluster",
            "//! that starts makes objects of its own first.",
        ],
        ("", _) => Vec::new(),
        _ => vec![
            "//!",
            "//! The markers' `patch` excludes the objects in kube-system and in the operator's own namespace,",
            "//! which has its label: their pods must start while the operator does not run.",
        ],
    }
}

/// Returns true for a built-in kind that is cluster-scoped, except for `Namespace`. A namespace selector has no effect
/// on objects of such a kind, and so cannot exclude them from webhooks. The webhooks must not block these objects,
/// because a starting cluster creates some of them, such as nodes, before the cluster runs an operator.
fn starts_the_cluster(resource: &Resource) -> bool {
    matches!(resource.origin, Origin::Core(_)) && !is_selected(resource)
}

/// Returns true if a namespace selector applies to the kind's objects: to the labels of an object's namespace or, for a
/// `Namespace`, to the object's own labels.
fn is_selected(resource: &Resource) -> bool {
    resource.namespaced || matches!(resource.origin, Origin::Core(core) if core.kind == "Namespace")
}

/// Renders the marker's argument that excludes `kube-system` and the operator's namespace by their labels.
fn patch(project: &Project) -> String {
    let not = |key: &str, value: &str| json!({ "key": key, "operator": "NotIn", "values": [value] });
    let expressions =
        [not("app.kubernetes.io/name", project.name.as_str()), not("kubernetes.io/metadata.name", "kube-system")];
    format!(",patch=`{}`", json!({ "namespaceSelector": { "matchExpressions": expressions } }))
}
