//! Converts webhook configurations to Helm templates.

use super::helm_yaml::Actions;
use serde_json::{Value, json};

/// Makes webhooks exclude the release's namespace by its name instead of by the project's label: Helm does not label
/// namespaces.
pub(super) fn leave_out_release(configuration: &mut Value, project: &str, actions: &mut Actions) {
    let label = json!({ "key": "app.kubernetes.io/name", "operator": "NotIn", "values": [project] });
    let webhooks = configuration.get_mut("webhooks").and_then(Value::as_array_mut);
    for webhook in webhooks.into_iter().flatten() {
        let expressions = webhook.pointer_mut("/namespaceSelector/matchExpressions").and_then(Value::as_array_mut);
        for expression in expressions.into_iter().flatten().filter(|expression| **expression == label) {
            let namespace = actions.inline("{{ .Release.Namespace | quote }}");
            *expression = json!({ "key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": [namespace] });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_namespace_with_the_label_becomes_the_one_of_the_release() {
        let not = |key: &str, value: &str| json!({ "key": key, "operator": "NotIn", "values": [value] });
        let label = not("app.kubernetes.io/name", "shop");
        let system = not("kubernetes.io/metadata.name", "kube-system");
        let selector = |expressions: &[&Value]| json!({ "namespaceSelector": { "matchExpressions": expressions } });
        let mut configuration = json!({ "webhooks": [selector(&[&label, &system]), { "name": "without" }] });
        let mut actions = Actions::of(&configuration);
        leave_out_release(&mut configuration, "shop", &mut actions);
        let text = actions.render(&configuration);
        let expected = "- key: kubernetes.io/metadata.name\n      operator: NotIn\n      values:\n      - {{ .Release.Namespace | quote }}\n";
        assert!(text.contains(expected) && !text.contains("app.kubernetes.io/name"), "{text}");
        assert!(text.contains("- kube-system\n"), "{text}");
    }
}
