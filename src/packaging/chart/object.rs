//! Renders objects as Helm templates.

use super::condition::{budget, condition};
use super::helm_yaml::Actions;
use super::setting::append;
use super::source::Source;
use super::{deployment, namespaces, webhook};
use crate::packaging::operator_objects::OperatorObjects;
use crate::packaging::read_strings::text;
use serde_json::{Map, Value};

/// Renders the object as a Helm template.
pub(super) fn template(object: &Value, source: &Source<'_>) -> String {
    let Source { project, operator, names, .. } = source;
    let mut actions = Actions::of(object);
    let is_operators = operator.has_object(object);
    let condition = condition(object, operator).filter(|_| is_operators);
    let account = names.account();
    let mut template = object.clone();
    if is_operators && !operator.account.is_empty() {
        subjects(&mut template, operator, &account, &mut actions);
    }
    if is_operators {
        source.ports.iter().for_each(|port| port.replace(&mut template, operator, &mut actions));
    }
    names.replace(&mut template, &mut actions);
    metadata(&mut template, project, &mut actions);
    let is_namespaced = source.namespaced.contains(&object);
    match text(object, "/kind") {
        _ if !is_operators => {}
        "Deployment" => deployment::parametrise(&mut template, source, &mut actions),
        "ServiceAccount" => service_account(&mut template, &account, &mut actions),
        "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration" => {
            webhook::leave_out_release(&mut template, project, &mut actions);
        }
        "PodDisruptionBudget" if budget(operator) == Some(object) => {
            template["spec"]["maxUnavailable"] =
                actions.inline("{{ .Values.podDisruptionBudget.maxUnavailable }}").into();
        }
        _ if is_namespaced => namespaces::bind_in_namespace(&mut template, &mut actions),
        _ => {}
    }
    let text = actions.render(&template);
    let text = if is_namespaced { namespaces::for_each_namespace(&text) } else { text };
    match condition {
        Some(condition) => format!("{{{{- if {condition} }}}}\n{text}{{{{- end }}}}\n"),
        None => text,
    }
}

/// Adds Helm's labels, and adds to a CRD the annotation that makes Helm keep the CRD at `helm uninstall`.
fn metadata(object: &mut Value, project: &str, actions: &mut Actions) {
    let is_definition = object["kind"] == "CustomResourceDefinition";
    let Some(metadata) = object["metadata"].as_object_mut() else { return };
    let labels = inner_mapping(metadata, "labels");
    labels.insert("app.kubernetes.io/managed-by".into(), actions.inline("{{ .Release.Service }}").into());
    labels.insert("app.kubernetes.io/instance".into(), actions.inline("{{ .Release.Name | quote }}").into());
    labels.insert("helm.sh/chart".into(), actions.inline(format!("{{{{ include \"{project}.chart\" . }}}}")).into());
    if is_definition {
        let lines = "{{- if .Values.crds.keep }}\nhelm.sh/resource-policy: keep\n{{- end }}";
        let annotations = inner_mapping(metadata, "annotations");
        annotations.remove("helm.sh/resource-policy");
        annotations.insert(actions.lines(lines), Value::Null);
    }
}

fn service_account(object: &mut Value, account: &str, actions: &mut Actions) {
    object["metadata"]["name"] = actions.inline(format!("{{{{ {account} | quote }}}}")).into();
    if let Some(metadata) = object["metadata"].as_object_mut() {
        append(metadata, "annotations", "serviceAccount.annotations", actions);
    }
}

/// Replaces the name of the operator's service account in the subjects of a binding with the expression `account`.
fn subjects(object: &mut Value, operator: &OperatorObjects<'_>, account: &str, actions: &mut Actions) {
    if !text(object, "/kind").ends_with("RoleBinding") {
        return;
    }
    for subject in object.get_mut("subjects").and_then(Value::as_array_mut).into_iter().flatten() {
        if operator.is_account(subject) {
            subject["name"] = actions.inline(format!("{{{{ {account} | quote }}}}")).into();
        }
    }
}

/// Returns the mapping at `key`; inserts an empty mapping first if `key` holds no mapping.
fn inner_mapping<'a>(map: &'a mut Map<String, Value>, key: &str) -> &'a mut Map<String, Value> {
    let entry = map.entry(key).or_insert_with(|| Value::Object(Map::new()));
    if !entry.is_object() {
        *entry = Value::Object(Map::new());
    }
    match entry {
        Value::Object(object) => object,
        _ => unreachable!("the value was just made an object"),
    }
}
