//! The objects of the operator itself, among all that `config/default` renders.

use serde_json::Value;

/// The container of the operator (kubebuilder's name).
const MANAGER: &str = "manager";

/// The operator's Deployment, and what belongs to it.
pub(super) struct OperatorObjects<'a> {
    /// The Deployment.
    pub(super) deployment: &'a Value,
    /// The name of its service account.
    pub(super) account: &'a str,
    objects: &'a [Value],
}

impl<'a> OperatorObjects<'a> {
    /// Finds the operator: the Deployment with the label and the container of kubebuilder's names, or with the container
    /// alone, or else the first one.
    pub(super) fn find(objects: &'a [Value]) -> Option<Self> {
        let deployments = || objects.iter().filter(|object| object["kind"] == "Deployment");
        let is_manager = |deployment: &&Value| manager(deployment)["name"] == MANAGER;
        let is_labelled = |deployment: &&Value| {
            deployment.pointer("/spec/template/metadata/labels/control-plane") == Some(&"controller-manager".into())
        };
        let deployment = deployments()
            .filter(is_manager)
            .find(is_labelled)
            .or_else(|| deployments().find(is_manager))
            .or_else(|| deployments().next())?;
        let account = deployment.pointer("/spec/template/spec/serviceAccountName").and_then(Value::as_str);
        Some(OperatorObjects { deployment, account: account.unwrap_or_default(), objects })
    }

    /// Returns true for the operator's Deployment and service account, for budgets and network policies of its pods, and for
    /// roles and bindings that are not those of other accounts alone. Returns true for all other kinds.
    pub(super) fn has(&self, object: &Value) -> bool {
        let name = &object["metadata"]["name"];
        match object["kind"].as_str().unwrap_or_default() {
            "Deployment" => object == self.deployment,
            "ServiceAccount" => name == self.account,
            "PodDisruptionBudget" => self.selects(&object["spec"]["selector"]["matchLabels"]),
            "NetworkPolicy" => self.selects(&object["spec"]["podSelector"]["matchLabels"]),
            "ClusterRoleBinding" | "RoleBinding" => self.is_bound(object),
            "ClusterRole" | "Role" => {
                let is_of_it = |binding: &&Value| {
                    let role = &binding["roleRef"];
                    role["kind"] == object["kind"] && role["name"] == *name
                };
                let mut bindings = self.objects.iter().filter(is_of_it).peekable();
                bindings.peek().is_none() || bindings.any(|binding| self.is_bound(binding))
            }
            _ => true,
        }
    }

    /// Returns true if the operator's account is a subject, or no account is.
    fn is_bound(&self, binding: &Value) -> bool {
        let subjects = binding["subjects"].as_array().map(Vec::as_slice).unwrap_or_default();
        let mut accounts = subjects.iter().filter(|subject| subject["kind"] == "ServiceAccount").peekable();
        accounts.peek().is_none() || accounts.any(|subject| subject["name"] == self.account)
    }

    fn selects(&self, labels: &Value) -> bool {
        let own = &self.deployment["spec"]["template"]["metadata"]["labels"];
        labels.as_object().is_none_or(|labels| labels.iter().all(|(key, value)| own[key.as_str()] == *value))
    }
}

/// Returns the operator's container: the one named `manager`, or else the first.
pub(super) fn manager(deployment: &Value) -> &Value {
    let containers = deployment["spec"]["template"]["spec"]["containers"].as_array();
    let containers = containers.map(Vec::as_slice).unwrap_or_default();
    containers.iter().find(|container| container["name"] == MANAGER).or(containers.first()).unwrap_or(&Value::Null)
}
