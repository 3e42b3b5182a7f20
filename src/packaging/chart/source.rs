//! The input from which opctl generates a chart.

use super::namespaces::bindings_about_namespaces;
use super::port::Port;
use super::release_names::Names;
use crate::model::{Project, manager};
use crate::packaging::operator_objects::OperatorObjects;
use serde_json::Value;

/// The input of a chart: facts about the project and about the rendered objects.
pub(super) struct Source<'a> {
    /// The project's name.
    pub(super) project: &'a str,
    pub(super) operator: OperatorObjects<'a>,
    pub(super) names: Names<'a>,
    /// The ports that are values of the chart.
    pub(super) ports: Vec<Port>,
    /// The operator's bindings that the chart creates once in each watched namespace. If empty, users cannot set the
    /// watched namespaces in the chart's values.
    pub(super) namespaced: Vec<&'a Value>,
}

impl<'a> Source<'a> {
    pub(super) fn of(project: &'a Project, operator: OperatorObjects<'a>, objects: &'a [Value]) -> Self {
        let name = project.name.as_str();
        // The flags of another operator than a scaffolded one are not known.
        let has_flags = project.adopted.is_none() && has_arguments(&operator);
        let ports = if has_flags { Port::of(manager(operator.deployment)) } else { Vec::new() };
        let may_choose = has_flags && !project.namespaced;
        let namespaced = if may_choose { bindings_about_namespaces(project, &operator) } else { Vec::new() };
        let names = Names::of(name, &operator, objects);
        Source { project: name, operator, names, ports, namespaced }
    }
}

/// Returns true if the operator's container has arguments, so that a template can append further arguments.
fn has_arguments(operator: &OperatorObjects<'_>) -> bool {
    manager(operator.deployment)["args"].as_array().is_some_and(|arguments| !arguments.is_empty())
}
