//! The operator's Deployment as a template.

use super::text::{Actions, INDENT, INNER, escaped};
use crate::model::manager_position;
use serde_json::{Map, Value};

/// The settings of a pod that are values of the chart: values.yaml has what the Deployment says.
pub(super) const POD_SETTINGS: [&str; 4] = ["imagePullSecrets", "nodeSelector", "tolerations", "affinity"];

/// Replaces the settings that differ between clusters by values of the chart. `account` is the expression of the name of the
/// service account.
pub(super) fn parametrise(deployment: &mut Value, project: &str, account: &str, actions: &mut Actions) {
    if let Some(spec) = deployment["spec"].as_object_mut() {
        spec.remove("replicas");
        // Zero is a number of replicas, but nothing to `with`.
        let replicas =
            "{{- if not (kindIs \"invalid\" .Values.replicas) }}\nreplicas: {{ .Values.replicas }}\n{{- end }}";
        spec.insert(actions.lines(replicas), Value::Null);
    }
    let position = manager_position(deployment);
    let template = &mut deployment["spec"]["template"];
    if let Some(metadata) = template["metadata"].as_object_mut() {
        for (key, value) in [("labels", "podLabels"), ("annotations", "podAnnotations")] {
            let entries = metadata.get_mut(key).and_then(Value::as_object_mut);
            match entries.filter(|entries| !entries.is_empty()) {
                Some(entries) => drop(entries.insert(actions.lines(optional(value, None)), Value::Null)),
                None => {
                    metadata.remove(key);
                    metadata.insert(actions.lines(optional(value, Some(key))), Value::Null);
                }
            }
        }
    }
    let Some(spec) = template["spec"].as_object_mut() else { return };
    spec.remove("serviceAccountName");
    let account = format!("{{{{- with {account} }}}}\nserviceAccountName: {{{{ . | quote }}}}\n{{{{- end }}}}");
    spec.insert(actions.lines(account), Value::Null);
    for key in POD_SETTINGS {
        spec.remove(key);
        spec.insert(actions.lines(optional(key, Some(key))), Value::Null);
    }
    spec.remove("priorityClassName");
    let class = "{{- with .Values.priorityClassName }}\npriorityClassName: {{ . | quote }}\n{{- end }}";
    spec.insert(actions.lines(class), Value::Null);
    let containers =
        spec.get_mut("containers").and_then(Value::as_array_mut).map(Vec::as_mut_slice).unwrap_or_default();
    if let Some(container) = containers.get_mut(position).and_then(Value::as_object_mut) {
        self::container(container, project, actions);
    }
}

fn container(container: &mut Map<String, Value>, project: &str, actions: &mut Actions) {
    container.insert("image".into(), actions.inline(format!("{{{{ include \"{project}.image\" . | quote }}}}")).into());
    container.remove("imagePullPolicy");
    let policy = "{{- with .Values.image.pullPolicy }}\nimagePullPolicy: {{ . }}\n{{- end }}";
    container.insert(actions.lines(policy), Value::Null);
    container.remove("resources");
    container.insert(actions.lines(optional("resources", Some("resources"))), Value::Null);
    for key in ["args", "env", "ports"] {
        let items = container.get_mut(key).and_then(Value::as_array_mut);
        for item in items.into_iter().flatten() {
            if is_metrics(item) {
                let text = escaped(&Value::Array(vec![item.take()]));
                *item = actions.lines(format!("{{{{- if .Values.metrics.enabled }}}}\n{text}{{{{- end }}}}")).into();
            }
        }
    }
    for key in ["args", "env"] {
        further(container, key, actions);
    }
}

/// Appends the chart's value `key` to the list of the container at the same key.
fn further(container: &mut Map<String, Value>, key: &str, actions: &mut Actions) {
    match container.get_mut(key).and_then(Value::as_array_mut).filter(|items| !items.is_empty()) {
        Some(items) => items.push(actions.lines(optional(key, None)).into()),
        None => {
            container.remove(key);
            container.insert(actions.lines(optional(key, Some(key))), Value::Null);
        }
    }
}

/// Returns true if the item is an argument, a variable or a port of the metrics.
pub(super) fn is_metrics(item: &Value) -> bool {
    let is_named = |name: &str| name == "metrics" || name.starts_with("METRICS_");
    item["name"].as_str().is_some_and(is_named)
        || item.as_str().is_some_and(|argument| argument.starts_with("--metrics-"))
}

/// Returns the action that renders the chart's value of this name if it is not empty, below `key` if one is given.
pub(super) fn optional(value: &str, key: Option<&str>) -> String {
    let body = match key {
        Some(key) => format!("{key}: {{{{- toYaml . | nindent {INNER} }}}}"),
        None => format!("{{{{- toYaml . | nindent {INDENT} }}}}"),
    };
    format!("{{{{- with .Values.{value} }}}}\n{body}\n{{{{- end }}}}")
}
