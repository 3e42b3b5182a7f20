//! `opctl deploy` by a user with rights in one namespace only.

use super::{NAMESPACE, Stage};
use crate::support::{edit, tool};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Checks that a namespace's administrator can deploy into it, once a cluster administrator has applied the
/// cluster-scoped objects.
pub(super) fn deploys_what_is_in_the_namespace(stage: &Stage) {
    let text = std::fs::read_to_string(&stage.plane.kubeconfig).unwrap();
    let mut kubeconfig: Value = serde_yaml::from_str(&text).unwrap();
    kubeconfig["users"][0]["user"]["as"] = json!("jane");
    let path = stage.folder.path().join("jane");
    std::fs::write(&path, kubeconfig.to_string()).unwrap();
    let jane = path.display().to_string();
    let deploy = ["deploy", "--image", "web:2", "--wait=false", "--kubeconfig", &jane];
    // Without kube-controller-manager the cluster role `admin` is empty.
    let everything = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role",
        "metadata": {"name": "everything", "namespace": NAMESPACE},
        "rules": [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}],
    });
    let role = stage.folder.path().join("role.json");
    std::fs::write(&role, everything.to_string()).unwrap();
    stage.kubectl(&["create", "-f", &role.display().to_string()]);
    stage.kubectl(&["create", "rolebinding", "jane", "--role=everything", "--user=jane", "--namespace", NAMESPACE]);
    may(stage, &jane, &["get", "configmaps", "--namespace", NAMESPACE]);
    stage.fails(
        &deploy,
        5,
        &[
            "you may not apply 9 of 16 objects, and nothing was applied",
            "`customresourcedefinition/webservers.example.com`: you may not get customresourcedefinitions",
            "`clusterrole/webserver-operator-manager-role`: you may not get clusterroles",
            "`clusterrolebinding/webserver-operator-manager-rolebinding`: you may not get clusterrolebindings",
            "run `opctl deploy` once with the same image",
            &format!("kubectl auth can-i get customresourcedefinitions.apiextensions.k8s.io --kubeconfig {jane}"),
        ],
    );
    let readable = "--resource=customresourcedefinitions,clusterroles,clusterrolebindings";
    stage.kubectl(&["create", "clusterrole", "reader", "--verb=get", readable]);
    stage.kubectl(&["create", "clusterrolebinding", "reader", "--clusterrole=reader", "--user=jane"]);
    may(stage, &jane, &["get", "clusterrolebindings"]);
    let said = stage.ok(&deploy);
    assert!(said.contains("unchanged customresourcedefinition/webservers.example.com"), "{said}");
    assert!(said.contains("update deployment/") && said.contains("1 configured, 15 unchanged"), "{said}");
    assert!(said.contains("you may not list clusterroles"), "what she cannot see is not pruned: {said}");

    let definition = stage.root().join("config/crd/bases/example.com_webservers.yaml");
    edit(&definition, "maxLength: 100", "maxLength: 101");
    let told = "`customresourcedefinition/webservers.example.com`: you may not patch customresourcedefinitions";
    stage.fails(&deploy, 5, &["you may not apply 1 of 16 objects", told]);
    edit(&definition, "maxLength: 101", "maxLength: 100");
    // Objects that she may not read are still recorded as members of the ApplySet.
    let kinds = r"--output=jsonpath={.metadata.annotations.applyset\.kubernetes\.io/contains-group-kinds}";
    let known = stage.kubectl(&["get", "configmap", "webserver-operator-applyset", "--namespace", NAMESPACE, kinds]);
    assert!(known.contains("ClusterRole.rbac.authorization.k8s.io"), "{known}");
}

/// Waits until the API server grants the right `right` to the user of `kubeconfig`.
fn may(stage: &Stage, kubeconfig: &str, right: &[&str]) {
    let begun = Instant::now();
    let mut kubectl = tool("kubectl");
    kubectl.args(["auth", "can-i"]).args(right).args(["--kubeconfig", kubeconfig]).current_dir(stage.root());
    while !kubectl.output().unwrap().status.success() {
        assert!(begun.elapsed() < Duration::from_secs(20), "{right:?}");
        std::thread::sleep(Duration::from_millis(100));
    }
}
