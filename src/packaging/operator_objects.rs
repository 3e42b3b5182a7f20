//! Finds the objects that belong to the operator among all objects that `config/default` renders.

use super::selector::selects;
use crate::model::operator_deployment;
use serde_json::{Value, json};

/// The operator's `Deployment`, and the objects that belong to the operator.
pub(super) struct OperatorObjects<'a> {
    /// The operator's `Deployment`.
    pub(super) deployment: &'a Value,
    /// The name of the operator's service account.
    pub(super) account: &'a str,
    objects: &'a [Value],
}

impl<'a> OperatorObjects<'a> {
    /// Finds the operator's `Deployment` among the objects.
    pub(super) fn find(objects: &'a [Value]) -> Option<Self> {
        let deployment = operator_deployment(objects)?;
        let account = deployment.pointer("/spec/template/spec/serviceAccountName").and_then(Value::as_str);
        Some(OperatorObjects { deployment, account: account.unwrap_or_default(), objects })
    }

    /// Returns true if the object belongs to the operator. All objects belong to the operator, except for:
    ///
    /// - a `Deployment` or a service account that is not the operator's
    /// - a disruption budget or a network policy that is not for the operator's pods
    /// - a binding whose subjects include service accounts, but not the operator's service account
    /// - a role that has bindings, if none of these bindings belongs to the operator
    pub(super) fn has_object(&self, object: &Value) -> bool {
        let name = &object["metadata"]["name"];
        match object["kind"].as_str().unwrap_or_default() {
            "Deployment" => object == self.deployment,
            "ServiceAccount" => name == self.account && self.is_in_its_namespace(object),
            "PodDisruptionBudget" => {
                self.is_in_its_namespace(object) && self.is_pod_selector(&object["spec"]["selector"])
            }
            "NetworkPolicy" => self.is_in_its_namespace(object) && self.is_pod_selector(&object["spec"]["podSelector"]),
            "ClusterRoleBinding" | "RoleBinding" => self.is_bound(object),
            "ClusterRole" | "Role" => {
                let mut bindings = self.objects.iter().filter(|binding| is_of_role(binding, object)).peekable();
                bindings.peek().is_none() || bindings.any(|binding| self.is_bound(binding))
            }
            _ => true,
        }
    }

    /// Returns the objects for which [`Self::has_object`] returns true.
    pub(super) fn own_objects(&self) -> impl Iterator<Item = &'a Value> {
        self.objects.iter().filter(|object| self.has_object(object))
    }

    /// Returns the role that a binding refers to, if the role is among the objects.
    pub(super) fn role_of(&self, binding: &Value) -> Option<&'a Value> {
        self.objects.iter().find(|role| is_of_role(binding, role))
    }

    /// Returns true for a `Service` of the operator's pods.
    pub(super) fn serves(&self, service: &Value) -> bool {
        let selector = &service["spec"]["selector"];
        let is_some = selector.as_object().is_some_and(|labels| !labels.is_empty());
        let is_service = service["kind"] == "Service" && self.is_in_its_namespace(service);
        is_service && is_some && self.is_pod_selector(&json!({ "matchLabels": selector }))
    }

    /// Returns true for a webhook configuration with a webhook that the operator's pods serve.
    pub(super) fn answers(&self, configuration: &Value) -> bool {
        let webhooks = configuration["webhooks"].as_array().map(Vec::as_slice).unwrap_or_default();
        let is_asked = |webhook: &Value, service: &Value| {
            let (asked, metadata) = (&webhook["clientConfig"]["service"], &service["metadata"]);
            asked["name"] == metadata["name"] && asked["namespace"] == metadata["namespace"]
        };
        let mut services = self.objects.iter().filter(|object| self.serves(object));
        services.any(|service| webhooks.iter().any(|webhook| is_asked(webhook, service)))
    }

    /// Returns true for the `Namespace` in which the operator runs.
    pub(super) fn is_namespace(&self, object: &Value) -> bool {
        object["kind"] == "Namespace" && object["metadata"]["name"] == self.deployment["metadata"]["namespace"]
    }

    /// Returns true if the subject of a binding is the operator's service account.
    pub(super) fn is_account(&self, subject: &Value) -> bool {
        let namespace = &subject["namespace"];
        subject["kind"] == "ServiceAccount"
            && subject["name"] == self.account
            && (namespace.is_null() || *namespace == self.deployment["metadata"]["namespace"])
    }

    /// Returns true if the binding has the operator's service account as a subject, or no service account at all.
    fn is_bound(&self, binding: &Value) -> bool {
        let subjects = binding["subjects"].as_array().map(Vec::as_slice).unwrap_or_default();
        let mut accounts = subjects.iter().filter(|subject| subject["kind"] == "ServiceAccount").peekable();
        accounts.peek().is_none() || accounts.any(|subject| self.is_account(subject))
    }

    fn is_in_its_namespace(&self, object: &Value) -> bool {
        object["metadata"]["namespace"] == self.deployment["metadata"]["namespace"]
    }

    /// Returns true if the selector selects the operator's pods.
    fn is_pod_selector(&self, selector: &Value) -> bool {
        selects(selector, &self.deployment["spec"]["template"]["metadata"]["labels"])
    }
}

/// Returns true if the binding grants the rights of the role.
fn is_of_role(binding: &Value, role: &Value) -> bool {
    let (named, kind) = (&binding["roleRef"], &role["kind"]);
    let is_near = kind == "ClusterRole" || binding["metadata"]["namespace"] == role["metadata"]["namespace"];
    is_near && named["kind"] == *kind && named["name"] == role["metadata"]["name"]
}
