//! The values of the chart that switch objects on and off.

use crate::packaging::operator_objects::OperatorObjects;
use crate::packaging::read_strings::text;
use serde_json::Value;

/// The Helm condition that is true if the chart installs the operator itself. The condition is also true for the
/// values file of an earlier chart version, which lacks `manager`.
const MANAGER: &str = "(ne (toString (.Values.manager).enabled) \"false\")";

/// Returns the condition on the chart's values under which Helm renders an object of the operator; `None` if Helm
/// always renders the object.
pub(super) fn condition(object: &Value, operator: &OperatorObjects<'_>) -> Option<String> {
    let kind = text(object, "/kind");
    let own = match kind {
        "CustomResourceDefinition" => Some(".Values.crds.enabled"),
        "ServiceMonitor" => Some(".Values.prometheus.enabled"),
        "NetworkPolicy" => Some(".Values.networkPolicy.enabled"),
        "PodDisruptionBudget" if max_unavailable(object).is_some() => Some(".Values.podDisruptionBudget.enabled"),
        "ServiceAccount" => Some(".Values.serviceAccount.create"),
        "ClusterRole" if is_for_people(object) => Some(".Values.rbac.helpers"),
        "ClusterRole" | "ClusterRoleBinding" | "Role" | "RoleBinding" => Some(".Values.rbac.create"),
        _ => None,
    };
    let needs_manager = match kind {
        "Deployment" | "NetworkPolicy" | "PodDisruptionBudget" => true,
        "ServiceMonitor" => is_about_metrics(object),
        "Service" => operator.serves(object),
        "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration" => operator.answers(object),
        _ => false,
    };
    let metrics = is_about_metrics(object).then_some(".Values.metrics.enabled");
    let all: Vec<&str> = needs_manager.then_some(MANAGER).into_iter().chain(own).chain(metrics).collect();
    match all.as_slice() {
        [] => None,
        [one] => Some((*one).to_owned()),
        several => Some(format!("and {}", several.join(" "))),
    }
}

/// Returns true if the object is needed only for metrics.
pub(super) fn is_about_metrics(object: &Value) -> bool {
    let (name, kind) = (text(object, "/metadata/name"), text(object, "/kind"));
    let ends =
        ["-metrics-auth-role", "-metrics-auth-rolebinding", "-metrics-reader", "-metrics-service", "-metrics-monitor"];
    kind != "CustomResourceDefinition" && ends.iter().any(|end| name.ends_with(end))
}

/// Returns true for a role that `create api` generates for the users of an API.
fn is_for_people(role: &Value) -> bool {
    let name = text(role, "/metadata/name");
    ["-admin-role", "-editor-role", "-viewer-role"].iter().any(|end| name.ends_with(end))
}

/// Returns the operator's first `PodDisruptionBudget` that sets `maxUnavailable`. The chart has a value for this
/// `maxUnavailable`.
pub(super) fn budget<'a>(operator: &OperatorObjects<'a>) -> Option<&'a Value> {
    operator.own_objects().find(|object| max_unavailable(object).is_some())
}

/// Returns `maxUnavailable` of a `PodDisruptionBudget`, if it has the field.
pub(super) fn max_unavailable(object: &Value) -> Option<&Value> {
    object.pointer("/spec/maxUnavailable").filter(|value| object["kind"] == "PodDisruptionBudget" && !value.is_null())
}
