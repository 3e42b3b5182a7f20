//! The RBAC permissions of the simulated node. The permissions cover only the node's own requests, so that an operator
//! cannot use the node to get around the limits of the operator's permissions.

use crate::authorization::{self, Subject};
use kube::api::PatchParams;
use kube::{Client, Result};
use serde_json::{Value, json};

/// The user name of the simulated node, which is also the name of its `ClusterRole` and `ClusterRoleBinding`.
pub(in crate::envtest) const USER: &str = "opctl:simulated-node";

/// Grants the simulated node its rights, as the administrator, and waits until the rights are in effect.
pub(super) async fn grant(admin: &Client) -> Result<()> {
    let rules = [
        ("", &["nodes"][..], &["create", "get", "patch"][..]),
        ("", &["nodes/status"], &["patch"]),
        ("coordination.k8s.io", &["leases"], &["create", "get", "patch"]),
        ("", &["namespaces"], &["list", "watch"]),
        ("", &["pods"], &["delete", "get", "list", "watch"]),
        ("", &["pods/binding"], &["create"]),
        ("", &["pods/status"], &["patch"]),
        ("", &["persistentvolumeclaims"], &["get", "list", "watch"]),
        ("", &["persistentvolumeclaims/status"], &["patch"]),
        ("", &["persistentvolumes"], &["create", "delete", "get", "list", "patch", "watch"]),
    ];
    let rules =
        rules.map(|(group, resources, verbs)| json!({"apiGroups": [group], "resources": resources, "verbs": verbs}));
    let role = object("ClusterRole", json!({"rules": rules}));
    let binding = json!({
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": USER},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": USER}],
    });
    let objects = [role, object("ClusterRoleBinding", binding)];
    let subject = Subject { name: USER, namespace: None };
    authorization::grant(admin, &objects, &PatchParams::apply("opctl"), subject).await.map_err(|(_, error)| error)
}

fn object(kind: &str, mut object: Value) -> Value {
    object["apiVersion"] = "rbac.authorization.k8s.io/v1".into();
    object["kind"] = kind.into();
    object["metadata"] = json!({"name": USER});
    object
}
