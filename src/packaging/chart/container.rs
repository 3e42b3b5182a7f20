//! Converts the operator's container to a part of a Helm template.

use super::helm_yaml::{Actions, render_escaped};
use super::namespaces;
use super::setting::{OF_CONTAINER, append, replace};
use super::source::Source;
use serde_json::Value;

/// Turns the settings of the container that differ between clusters into values of the chart.
pub(super) fn parametrise(container: &mut Value, source: &Source<'_>, actions: &mut Actions) {
    source.ports.iter().for_each(|port| port.parametrise(container, actions));
    if !source.namespaced.is_empty() {
        namespaces::watch(container, actions);
    }
    let Some(container) = container.as_object_mut() else { return };
    let image = format!("{{{{ include \"{}.image\" . | quote }}}}", source.project);
    container.insert("image".into(), actions.inline(image).into());
    container.remove("imagePullPolicy");
    let policy = "{{- with .Values.image.pullPolicy }}\nimagePullPolicy: {{ . }}\n{{- end }}";
    container.insert(actions.lines(policy), Value::Null);
    replace(container, &OF_CONTAINER, actions);
    for key in ["args", "env", "ports"] {
        let items = container.get_mut(key).and_then(Value::as_array_mut);
        for item in items.into_iter().flatten() {
            if is_metrics(item) {
                let text = render_escaped(&Value::Array(vec![item.take()]));
                *item = actions.lines(format!("{{{{- if .Values.metrics.enabled }}}}\n{text}{{{{- end }}}}")).into();
            }
        }
    }
    for (key, value) in [("args", "args"), ("env", "env"), ("volumeMounts", "extraVolumeMounts")] {
        append(container, key, value, actions);
    }
}

/// Returns true if the item is an argument, an environment variable or a port for metrics.
pub(super) fn is_metrics(item: &Value) -> bool {
    let is_named = |name: &str| name == "metrics" || name.starts_with("METRICS_");
    item["name"].as_str().is_some_and(is_named)
        || item.as_str().is_some_and(|argument| argument.starts_with("--metrics-"))
}
