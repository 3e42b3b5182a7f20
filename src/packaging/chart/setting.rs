//! Settings of the pods and of the container that are values of the chart. The `Deployment` sets the defaults.

use super::helm_yaml::{Actions, INDENT, INNER};
use serde_json::{Map, Value};

/// A field of the `Deployment` that a value of the chart replaces.
pub(super) struct Setting {
    /// The name of the field.
    pub(super) key: &'static str,
    /// The name of the chart's value.
    pub(super) value: &'static str,
    /// The YAML of the chart's value if the `Deployment` does not have the field.
    pub(super) empty: &'static str,
}

const fn setting(key: &'static str, value: &'static str, empty: &'static str) -> Setting {
    Setting { key, value, empty }
}

const LIST: &str = " []";
const MAPPING: &str = " {}";

/// The settings of the pods.
pub(super) const OF_POD: [Setting; 6] = [
    setting("imagePullSecrets", "imagePullSecrets", LIST),
    setting("nodeSelector", "nodeSelector", MAPPING),
    setting("tolerations", "tolerations", LIST),
    setting("affinity", "affinity", MAPPING),
    setting("topologySpreadConstraints", "topologySpreadConstraints", LIST),
    setting("securityContext", "podSecurityContext", MAPPING),
];

/// The settings of the operator's container.
pub(super) const OF_CONTAINER: [Setting; 5] = [
    setting("resources", "resources", MAPPING),
    setting("securityContext", "securityContext", MAPPING),
    setting("livenessProbe", "livenessProbe", MAPPING),
    setting("readinessProbe", "readinessProbe", MAPPING),
    setting("startupProbe", "startupProbe", MAPPING),
];

/// Replaces the fields of `object` with values of the chart.
pub(super) fn replace(object: &mut Map<String, Value>, settings: &[Setting], actions: &mut Actions) {
    for Setting { key, value, .. } in settings {
        object.remove(*key);
        object.insert(actions.lines(optional(value, Some(key))), Value::Null);
    }
}

/// Appends the chart's value `value` to the list or the mapping at `key`.
pub(super) fn append(object: &mut Map<String, Value>, key: &str, value: &str, actions: &mut Actions) {
    match object.get_mut(key) {
        Some(Value::Array(items)) if !items.is_empty() => items.push(actions.lines(optional(value, None)).into()),
        Some(Value::Object(entries)) if !entries.is_empty() => {
            entries.insert(actions.lines(optional(value, None)), Value::Null);
        }
        _ => {
            object.remove(key);
            object.insert(actions.lines(optional(value, Some(key))), Value::Null);
        }
    }
}

/// Returns the lines of a Helm template that output the chart's value `value` as YAML, below the key `key` if given.
/// For an empty value, the lines output nothing.
fn optional(value: &str, key: Option<&str>) -> String {
    let body = match key {
        Some(key) => format!("{key}: {{{{- toYaml . | nindent {INNER} }}}}"),
        None => format!("{{{{- toYaml . | nindent {INDENT} }}}}"),
    };
    format!("{{{{- with .Values.{value} }}}}\n{body}\n{{{{- end }}}}")
}
