//! Determines the RBAC markers of a new controller.

use super::children::{ChildValues, watches_pods};
use super::controlled::ControllerOfKind;
use super::marker_group::marker_group;
use crate::model::{ChildRole, Project};

/// Returns the controller's RBAC markers: for its kind, for its children, and for the rights that the children grant,
/// because the operator needs every right that it grants.
pub(super) fn rights(project: &Project, controlled: ControllerOfKind<'_>, owned: &[ChildValues]) -> Vec<String> {
    let resource = controlled.resource;
    let (group, plural) = (resource.api_group(&project.domain), resource.plural.to_string());
    let group = marker_group(&group);
    let right =
        |group: &str, resources: &str, verbs: &str| format!("rbac:groups={group},resources={resources},verbs={verbs}");
    let verbs = if controlled.controller.finalizer { "list;patch;watch" } else { "list;watch" };
    let mut rights = vec![right(group, &plural, verbs)];
    if controlled.reports() {
        rights.push(right(group, &format!("{plural}/status"), "patch"));
    }
    if !owned.is_empty() {
        rights.push(right(group, &format!("{plural}/finalizers"), "update"));
    }
    for child in owned {
        if child.plural == "secrets" {
            rights.push("allow:OP407 reason=\"it owns Secrets, and their names are not known here\"".to_owned());
        }
        rights.push(right(child.group, child.plural, "create;list;patch;watch"));
    }
    if watches_pods(controlled, owned) {
        rights.push(right("\"\"", "pods", "list;watch"));
    }
    let any = |role: ChildRole| owned.iter().any(|child| child.role() == role);
    if any(ChildRole::Role) {
        rights.push(right("\"\"", "configmaps", "get;list;watch"));
    }
    if any(ChildRole::Binding) {
        rights.push(right("rbac.authorization.k8s.io", "clusterroles,resourceNames=view", "bind"));
    }
    rights
}
