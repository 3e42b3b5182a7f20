//! The operator's Deployment as a template.

use super::text::Actions;
use crate::yaml;
use serde_json::{Map, Value};

/// The settings of a pod that are values of the chart: values.yaml has what the Deployment says.
pub(super) const POD_SETTINGS: [&str; 4] = ["imagePullSecrets", "nodeSelector", "tolerations", "affinity"];

/// Replaces the settings that differ between clusters by values of the chart.
pub(super) fn parametrise(deployment: &mut Value, chart: &str, actions: &mut Actions) {
    deployment["spec"]["replicas"] = actions.inline("{{ .Values.replicas }}").into();
    let template = &mut deployment["spec"]["template"];
    if let Some(metadata) = template["metadata"].as_object_mut() {
        if let Some(labels) = metadata.get_mut("labels").and_then(Value::as_object_mut) {
            labels.insert(actions.lines(optional("podLabels", None)), Value::Null);
        }
        match metadata.get_mut("annotations").and_then(Value::as_object_mut) {
            Some(annotations) => annotations.insert(actions.lines(optional("podAnnotations", None)), Value::Null),
            None => metadata.insert(actions.lines(optional("podAnnotations", Some("annotations"))), Value::Null),
        };
    }
    let Some(spec) = template["spec"].as_object_mut() else { return };
    spec.insert("serviceAccountName".into(), actions.inline("{{ .Values.serviceAccount.name }}").into());
    for key in POD_SETTINGS {
        spec.remove(key);
        spec.insert(actions.lines(optional(key, Some(key))), Value::Null);
    }
    spec.remove("priorityClassName");
    let class = "{{- with .Values.priorityClassName }}\npriorityClassName: {{ . | quote }}\n{{- end }}";
    spec.insert(actions.lines(class), Value::Null);
    let containers =
        spec.get_mut("containers").and_then(Value::as_array_mut).map(Vec::as_mut_slice).unwrap_or_default();
    let position = containers.iter().position(|container| container["name"] == "manager").unwrap_or_default();
    if let Some(container) = containers.get_mut(position).and_then(Value::as_object_mut) {
        self::container(container, chart, actions);
    }
}

fn container(container: &mut Map<String, Value>, chart: &str, actions: &mut Actions) {
    container.insert("image".into(), actions.inline(format!("{{{{ include \"{chart}.image\" . | quote }}}}")).into());
    container.remove("imagePullPolicy");
    let policy = "{{- with .Values.image.pullPolicy }}\nimagePullPolicy: {{ . }}\n{{- end }}";
    container.insert(actions.lines(policy), Value::Null);
    let resources = "{{- toYaml .Values.resources | nindent <inner> }}";
    container.insert("resources".into(), actions.inline(resources).into());
    for key in ["args", "env"] {
        further(container, key, actions);
    }
    for key in ["args", "env", "ports"] {
        for item in container.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten() {
            if is_metrics(item) {
                let text = yaml::document(&Value::Array(vec![item.take()]));
                *item = actions.lines(format!("{{{{- if .Values.metrics.enabled }}}}\n{text}{{{{- end }}}}")).into();
            }
        }
    }
}

/// Appends the chart's value `key` to the list of the container at the same key.
fn further(container: &mut Map<String, Value>, key: &str, actions: &mut Actions) {
    match container.get_mut(key).and_then(Value::as_array_mut) {
        Some(items) => items.push(actions.lines(optional(key, None)).into()),
        None => drop(container.insert(actions.lines(optional(key, Some(key))), Value::Null)),
    }
}

/// Returns true if the item is an argument, a variable or a port of the metrics.
pub(super) fn is_metrics(item: &Value) -> bool {
    let is_named = |name: &str| name == "metrics" || name.starts_with("METRICS_");
    item["name"].as_str().is_some_and(is_named)
        || item.as_str().is_some_and(|argument| argument.starts_with("--metrics-"))
}

/// Returns the action that renders the chart's value of this name if it is not empty, below `key` if one is given.
fn optional(value: &str, key: Option<&str>) -> String {
    let body = match key {
        Some(key) => format!("{key}: {{{{- toYaml . | nindent <inner> }}}}"),
        None => "{{- toYaml . | nindent <indent> }}".to_owned(),
    };
    format!("{{{{- with .Values.{value} }}}}\n{body}\n{{{{- end }}}}")
}
