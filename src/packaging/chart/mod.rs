//! A Helm chart of the objects that `config/default` renders.

mod chart_values;
mod condition;
mod container;
mod deployment;
mod helm_yaml;
mod namespaces;
mod object;
mod port;
mod release_names;
mod setting;
mod source;
mod webhook;

use self::condition::is_about_metrics;
use self::source::Source;
use super::object_files::object_files;
use super::operator_objects::OperatorObjects;
use super::read_strings::text;
use crate::model::{Project, ProjectPath};
use crate::plan::{Existing, Operation};
use crate::template::Templates;
use crate::{Error, Result, yaml};
use chart_values::ChartValues;
use serde_json::Value;

const FOLDER: &str = "dist/chart";
const INSTALLER: &str = "dist/install.yaml";

/// A Helm chart of the operator.
pub struct Chart {
    /// The operations that write `dist/chart`.
    pub operations: Vec<Operation>,
    /// The release name that gives the objects the same names as in `dist/install.yaml`.
    pub release: String,
}

/// Returns the operation that writes `dist/install.yaml`, with all objects in one file.
pub fn installer(objects: &[Value], force: bool) -> Operation {
    Operation::generate(INSTALLER, yaml::documents(objects), force)
}

/// Creates the chart: the objects as templates, with values for the settings that differ between clusters. opctl
/// generates the templates on each run, but does not replace any other file of the chart that the user has edited,
/// unless `force` is true.
///
/// # Errors
/// Fails if `objects` contains no `Deployment`, or on a defect in opctl's own templates.
pub fn chart(project: &Project, objects: &[Value], force: bool) -> Result<Chart> {
    let operator = OperatorObjects::find(objects).ok_or_else(|| {
        Error::user("`config/default` has no Deployment of the operator")
            .hint("git checkout config/default config/manager")
    })?;
    let source = Source::of(project, operator, objects);
    let (names, operator) = (&source.names, &source.operator);
    let values = ChartValues::of(&source);
    let templates = Templates::load("chart")?;
    let mut operations = Vec::new();
    for name in templates.names() {
        let existing = if force { Existing::Overwrite } else { Existing::KeepEdits };
        let path = ProjectPath::from(FOLDER).join(name)?;
        operations.push(Operation::create(path, templates.render(name, &values)?, existing));
    }
    let objects: Vec<&Value> = objects.iter().filter(|object| !operator.is_namespace(object)).collect();
    let place = |object: &Value| (folder(object), names.short(text(object, "/metadata/name")).to_owned());
    for (object, file) in objects.iter().zip(object_files(&objects, place, false)) {
        let path = ProjectPath::parse(format!("{FOLDER}/templates/{file}.yaml"))?;
        operations.push(Operation::generate(path, object::template(object, &source), force));
    }
    Ok(Chart { operations, release: names.release().to_owned() })
}

/// Returns the folder of an object's template, the same as in kubebuilder's charts.
fn folder(object: &Value) -> String {
    let folder = match text(object, "/kind") {
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
    format!("{folder}/")
}
