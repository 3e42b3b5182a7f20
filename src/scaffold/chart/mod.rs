//! A Helm chart of the objects that `config/default` renders.

mod deployment;
mod text;
mod webhook;

use self::text::Actions;
use super::operator_objects::{OperatorObjects, manager};
use crate::Result;
use crate::model::{Project, ProjectPath, reference_parts};
use crate::plan::{Existing, Operation};
use crate::template::Templates;
use crate::{Error, yaml};
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

const FOLDER: &str = "dist/chart";
const INSTALLER: &str = "dist/install.yaml";

/// Returns the operation that writes `dist/install.yaml`, with all objects in one file.
pub fn installer(objects: &[Value], force: bool) -> Operation {
    Operation::generate(INSTALLER, yaml::documents(objects), force)
}

/// Returns the operations that write `dist/chart`: the objects as templates, with values for the settings that differ
/// between clusters. opctl owns the templates; the other files are the user's once they are edited.
///
/// # Errors
/// Fails if the objects have no Deployment, and on a defect in opctl's own templates.
pub fn chart(project: &Project, objects: &[Value], force: bool) -> Result<Vec<Operation>> {
    let operator = OperatorObjects::find(objects).ok_or_else(|| {
        Error::user("`config/default` has no Deployment").hint("git checkout config/default config/manager")
    })?;
    let namespace = text(operator.deployment, "/metadata/namespace");
    let place = Place { namespace, project: project.name.as_str(), operator: &operator };
    let values = ChartValues::of(&place, objects);
    let templates = Templates::load("chart")?;
    let mut operations = Vec::new();
    for name in templates.names() {
        let existing = if force { Existing::Overwrite } else { Existing::KeepEdits };
        let path = ProjectPath::from(FOLDER).join(name)?;
        operations.push(Operation::create(path, templates.render(name, &values)?, existing));
    }
    // Helm creates the namespace, with `--create-namespace`.
    let objects = || objects.iter().filter(|object| object["kind"] != "Namespace");
    let mut files: BTreeMap<String, usize> = BTreeMap::new();
    objects().for_each(|object| *files.entry(place.file(object)).or_default() += 1);
    for object in objects() {
        let file = place.file(object);
        // Objects of several kinds may have one name.
        let kind = if files[&file] > 1 { format!("_{}", text(object, "/kind").to_lowercase()) } else { String::new() };
        let path = ProjectPath::parse(format!("{FOLDER}/templates/{file}{kind}.yaml"))?;
        if operations.iter().any(|operation| operation.path == path) {
            let said = format!("two objects of the chart have the file `{path}`");
            return Err(Error::user(said).hint("give one of them another name, in `config`"));
        }
        operations.push(Operation::generate(path, place.template(object), force));
    }
    Ok(operations)
}

/// The values of `values.yaml` and the other files that are not templates of objects.
#[derive(Serialize)]
struct ChartValues {
    name: String,
    deployment: String,
    app_version: String,
    repository: String,
    tag: String,
    digest: String,
    replicas: i64,
    resources: String,
    pull_policy: String,
    priority_class_name: String,
    /// Settings of the pods, as the Deployment has them.
    settings: BTreeMap<&'static str, String>,
    service_account: String,
    metrics: bool,
    prometheus: bool,
    network_policy: bool,
    /// `maxUnavailable` of the `PodDisruptionBudget`; empty if there is no budget.
    disruption_budget: String,
}

impl ChartValues {
    fn of(place: &Place<'_>, objects: &[Value]) -> Self {
        let deployment = place.operator.deployment;
        let manager = manager(deployment);
        let image = text(manager, "/image");
        let (repository, tag, digest) = reference_parts(&image);
        let (tag, digest) = (tag.unwrap_or_default(), digest.unwrap_or_default());
        let quoted = |text: &str| yaml::document(&Value::from(text)).trim_end().to_owned();
        let pod = &deployment["spec"]["template"]["spec"];
        let settings = deployment::POD_SETTINGS.map(|key| {
            let empty = if ["imagePullSecrets", "tolerations"].contains(&key) { " []" } else { " {}" };
            (key, block(&pod[key], empty))
        });
        let listed = |key: &str| manager[key].as_array().is_some_and(|items| items.iter().any(deployment::is_metrics));
        let has = |kind: &str| objects.iter().any(|object| object["kind"] == kind);
        let budget = objects.iter().filter(|object| place.operator.has(object)).find_map(max_unavailable);
        ChartValues {
            name: place.project.to_owned(),
            deployment: text(deployment, "/metadata/name"),
            app_version: quoted(if tag.is_empty() { "latest" } else { tag }),
            repository: quoted(repository),
            tag: quoted(tag),
            digest: quoted(digest),
            replicas: deployment["spec"]["replicas"].as_i64().unwrap_or(1),
            resources: block(&manager["resources"], " {}"),
            pull_policy: quoted(&text(manager, "/imagePullPolicy")),
            priority_class_name: quoted(&text(pod, "/priorityClassName")),
            settings: settings.into(),
            service_account: quoted(&text(deployment, "/spec/template/spec/serviceAccountName")),
            metrics: objects.iter().any(is_about_metrics) || ["args", "env", "ports"].into_iter().any(listed),
            prometheus: has("ServiceMonitor"),
            network_policy: has("NetworkPolicy"),
            disruption_budget: budget.map(|value| yaml::document(value).trim_end().to_owned()).unwrap_or_default(),
        }
    }
}

/// The namespace and names that the objects have in common.
struct Place<'a> {
    namespace: String,
    project: &'a str,
    operator: &'a OperatorObjects<'a>,
}

impl Place<'_> {
    /// Returns the file of `object` without its extension, in the same folder as in kubebuilder's charts.
    fn file(&self, object: &Value) -> String {
        let name = text(object, "/metadata/name");
        let name = name.strip_prefix(self.project).unwrap_or(&name).trim_start_matches('-');
        let folder = match text(object, "/kind").as_str() {
            "CustomResourceDefinition" => "crd",
            "ServiceMonitor" => "prometheus",
            "NetworkPolicy" => "network-policy",
            "Certificate" | "Issuer" => "cert-manager",
            "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration" => "webhook",
            kind if kind.contains("AdmissionPolicy") => "policy",
            "ServiceAccount" | "ClusterRole" | "ClusterRoleBinding" | "Role" | "RoleBinding" => "rbac",
            "Deployment" => "manager",
            _ if is_about_metrics(object) => "metrics",
            _ => "extras",
        };
        format!("{folder}/{}", name.replace(':', "-"))
    }

    /// Renders the object as a template.
    fn template(&self, object: &Value) -> String {
        let mut actions = Actions::default();
        let (kind, is_operators) = (text(object, "/kind"), self.operator.has(object));
        let condition = condition(object).filter(|_| is_operators);
        let mut object = object.clone();
        self.namespaces(&mut object, &mut actions);
        metadata(&mut object, &mut actions);
        match kind.as_str() {
            _ if !is_operators => {}
            "Deployment" => deployment::parametrise(&mut object, self.project, &mut actions),
            "ServiceAccount" => service_account(&mut object, &mut actions),
            "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration" => {
                webhook::leave_out_release(&mut object, self.project, &mut actions);
            }
            "ClusterRoleBinding" | "RoleBinding" => subjects(&mut object, self.operator.account, &mut actions),
            "PodDisruptionBudget" if max_unavailable(&object).is_some() => {
                object["spec"]["maxUnavailable"] =
                    actions.inline("{{ .Values.podDisruptionBudget.maxUnavailable }}").into();
            }
            _ => {}
        }
        let text = actions.render(&object);
        match condition {
            Some(condition) => format!("{{{{- if {condition} }}}}\n{text}{{{{- end }}}}\n"),
            None => text,
        }
    }

    /// Replaces the namespace of the rendered objects by the release's namespace.
    fn namespaces(&self, value: &mut Value, actions: &mut Actions) {
        const RELEASE: &str = "{{ .Release.Namespace }}";
        match value {
            Value::Object(map) => {
                for (key, inner) in map {
                    if key == "namespace" && *inner == self.namespace.as_str() {
                        *inner = actions.inline(RELEASE).into();
                    } else {
                        self.namespaces(inner, actions);
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.namespaces(item, actions)),
            // DNS names of services, and `namespace/name` in the form that cert-manager expects.
            Value::String(text) => {
                for (from, before, after) in
                    [(format!(".{}.svc", self.namespace), ".", ".svc"), (format!("{}/", self.namespace), "", "/")]
                {
                    if text.contains(&from) && (before == "." || text.starts_with(&from)) {
                        *text = text.replace(&from, &format!("{before}{}{after}", actions.inline(RELEASE)));
                    }
                }
            }
            _ => {}
        }
    }
}

/// Adds Helm's labels, and to a CRD the annotation that makes Helm keep it.
fn metadata(object: &mut Value, actions: &mut Actions) {
    let is_definition = object["kind"] == "CustomResourceDefinition";
    let Some(metadata) = object["metadata"].as_object_mut() else { return };
    let labels = inner(metadata, "labels");
    labels.insert("app.kubernetes.io/managed-by".into(), actions.inline("{{ .Release.Service }}").into());
    labels.insert("app.kubernetes.io/instance".into(), actions.inline("{{ .Release.Name | quote }}").into());
    labels.insert("helm.sh/chart".into(), actions.inline("{{ .Chart.Name }}-{{ .Chart.Version }}").into());
    if is_definition {
        let lines = "{{- if .Values.crds.keep }}\nhelm.sh/resource-policy: keep\n{{- end }}";
        inner(metadata, "annotations").insert(actions.lines(lines), Value::Null);
    }
}

fn service_account(object: &mut Value, actions: &mut Actions) {
    object["metadata"]["name"] = actions.inline("{{ .Values.serviceAccount.name }}").into();
    if let Some(metadata) = object["metadata"].as_object_mut() {
        let lines = "{{- with .Values.serviceAccount.annotations }}\nannotations: {{- toYaml . | nindent <inner> }}\n{{- end }}";
        metadata.insert(actions.lines(lines), Value::Null);
    }
}

fn subjects(object: &mut Value, account: &str, actions: &mut Actions) {
    for subject in object["subjects"].as_array_mut().into_iter().flatten() {
        if subject["kind"] == "ServiceAccount" && subject["name"] == account {
            subject["name"] = actions.inline("{{ .Values.serviceAccount.name }}").into();
        }
    }
}

/// Returns `maxUnavailable` of a `PodDisruptionBudget`, if it has the field.
fn max_unavailable(object: &Value) -> Option<&Value> {
    object.pointer("/spec/maxUnavailable").filter(|_| object["kind"] == "PodDisruptionBudget")
}

/// Returns the condition on the chart's values under which the object is rendered.
fn condition(object: &Value) -> Option<String> {
    let kind = text(object, "/kind");
    let metrics = is_about_metrics(object).then_some(".Values.metrics.enabled");
    let own = match kind.as_str() {
        "CustomResourceDefinition" => Some(".Values.crds.enabled"),
        "ServiceMonitor" => Some(".Values.prometheus.enabled"),
        "NetworkPolicy" => Some(".Values.networkPolicy.enabled"),
        "PodDisruptionBudget" if max_unavailable(object).is_some() => Some(".Values.podDisruptionBudget.enabled"),
        "ServiceAccount" => Some(".Values.serviceAccount.create"),
        "ClusterRole" if is_for_people(object) => Some(".Values.rbac.helpers"),
        "ClusterRole" | "ClusterRoleBinding" | "Role" | "RoleBinding" => Some(".Values.rbac.create"),
        _ => None,
    };
    match (own, metrics) {
        (Some(own), Some(metrics)) => Some(format!("and {own} {metrics}")),
        (one, other) => one.or(other).map(str::to_owned),
    }
}

/// Returns true if the object is of no use without metrics.
fn is_about_metrics(object: &Value) -> bool {
    let name = text(object, "/metadata/name");
    let kind = text(object, "/kind");
    let ends =
        ["-metrics-auth-role", "-metrics-auth-rolebinding", "-metrics-reader", "-metrics-service", "-metrics-monitor"];
    kind != "CustomResourceDefinition" && ends.iter().any(|end| name.ends_with(end))
}

/// Returns true for a role that `create api` generates for the users of an API.
fn is_for_people(role: &Value) -> bool {
    let name = text(role, "/metadata/name");
    ["-admin-role", "-editor-role", "-viewer-role"].iter().any(|end| name.ends_with(end))
}

/// Returns a value as a block below its key in values.yaml, or `empty`.
fn block(value: &Value, empty: &str) -> String {
    let is_empty = match value {
        Value::Object(map) => map.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => true,
    };
    if is_empty {
        return empty.to_owned();
    }
    yaml::document(value).trim_end().lines().flat_map(|line| ["\n  ", line]).collect()
}

fn text(value: &Value, pointer: &str) -> String {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Returns the mapping at `key`; inserts an empty one if there is none.
fn inner<'a>(map: &'a mut Map<String, Value>, key: &str) -> &'a mut Map<String, Value> {
    let entry = map.entry(key).or_insert_with(|| Value::Object(Map::new()));
    if !entry.is_object() {
        *entry = Value::Object(Map::new());
    }
    match entry {
        Value::Object(object) => object,
        _ => unreachable!("it was just made an object"),
    }
}
