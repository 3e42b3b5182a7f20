//! Converts the operator's `Deployment` to a Helm template.

use super::container;
use super::helm_yaml::Actions;
use super::setting::{OF_POD, append, replace};
use super::source::Source;
use crate::model::manager_position;
use serde_json::{Map, Value};

/// Turns the settings of the `Deployment` that differ between clusters into values of the chart.
pub(super) fn parametrise(deployment: &mut Value, source: &Source<'_>, actions: &mut Actions) {
    if let Some(metadata) = deployment["metadata"].as_object_mut() {
        append(metadata, "annotations", "deploymentAnnotations", actions);
    }
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
        append(metadata, "labels", "podLabels", actions);
        append(metadata, "annotations", "podAnnotations", actions);
    }
    let Some(spec) = template["spec"].as_object_mut() else { return };
    spec.remove("serviceAccountName");
    let account = source.names.account();
    let account = format!("{{{{- with {account} }}}}\nserviceAccountName: {{{{ . | quote }}}}\n{{{{- end }}}}");
    spec.insert(actions.lines(account), Value::Null);
    replace(spec, &OF_POD, actions);
    append(spec, "volumes", "extraVolumes", actions);
    spec.remove("priorityClassName");
    let class = "{{- with .Values.priorityClassName }}\npriorityClassName: {{ . | quote }}\n{{- end }}";
    spec.insert(actions.lines(class), Value::Null);
    if !chooses_network(spec) {
        let network =
            "{{- if .Values.hostNetwork }}\nhostNetwork: true\ndnsPolicy: ClusterFirstWithHostNet\n{{- end }}";
        spec.insert(actions.lines(network), Value::Null);
    }
    let containers = spec.get_mut("containers").and_then(Value::as_array_mut);
    if let Some(container) = containers.and_then(|containers| containers.get_mut(position)) {
        container::parametrise(container, source, actions);
    }
}

/// Returns true if the pods already set `hostNetwork` or `dnsPolicy`: the chart then has no value for the network.
pub(super) fn chooses_network(pod: &Map<String, Value>) -> bool {
    pod.contains_key("hostNetwork") || pod.contains_key("dnsPolicy")
}
