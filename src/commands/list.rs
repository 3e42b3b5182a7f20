//! Implements `opctl list`, which shows the project's kinds, controllers, webhooks and policies.

use super::command::OpctlCommand;
use super::context::Context;
use super::write::read_project;
use crate::Result;
use crate::model::{Origin, Project, Resource};
use crate::report::Report;
use crate::workspace::{Workspace, discover};
use clap::Args;
use serde_json::json;

const EXAMPLES: &str = "\
Examples:
    opctl list
    opctl list -o json";

/// Show the project's kinds, controllers, webhooks and policies
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ListArgs {}

impl OpctlCommand for ListArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        let workspace = Workspace::look(&discover(&context.directory)?, &context.console);
        let project = read_project(&workspace)?;
        let report = Report::shown("list", table(&project), data(&project));
        Ok(if project.resources.is_empty() { report.next("opctl create api --kind WebServer") } else { report })
    }
}

fn data(project: &Project) -> serde_json::Value {
    let resource = |resource: &Resource| {
        json!({
            "group": resource.api_group(&project.domain),
            "version": resource.key.version.as_str(),
            "kind": resource.key.kind.as_str(),
            "plural": resource.plural.as_str(),
            "namespaced": resource.namespaced,
            "api": resource.api,
            "core": matches!(resource.origin, Origin::Core(_)),
            "external": matches!(resource.origin, Origin::External(_)),
            "controller": !resource.controllers.is_empty(),
            "controllers": controllers(resource),
            "webhooks": webhooks(resource),
            "policies": resource.policies.names(),
        })
    };
    json!({
        "name": project.name.as_str(),
        "domain": project.domain.as_str(),
        "resources": project.resources.iter().map(resource).collect::<Vec<_>>(),
    })
}

fn controllers(resource: &Resource) -> Vec<String> {
    resource.controllers.iter().map(|controller| resource.controller_name(controller)).collect()
}

fn webhooks(resource: &Resource) -> Vec<&'static str> {
    let all = [
        ("defaulting", resource.webhooks.defaulting),
        ("validation", resource.webhooks.validation),
        ("conversion", !resource.spokes.is_empty()),
    ];
    all.into_iter().filter(|(_, is_there)| *is_there).map(|(name, _)| name).collect()
}

fn join_names(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn table(project: &Project) -> String {
    let mut rows =
        vec![["KIND", "API VERSION", "PLURAL", "SCOPE", "CONTROLLERS", "WEBHOOKS", "POLICIES"].map(str::to_owned)];
    for resource in &project.resources {
        rows.push([
            resource.key.kind.to_string(),
            resource.api_version(&project.domain),
            resource.plural.to_string(),
            if resource.namespaced { "Namespaced" } else { "Cluster" }.to_owned(),
            if resource.controllers.is_empty() { "none".to_owned() } else { controllers(resource).join(", ") },
            join_names(&webhooks(resource)),
            join_names(&resource.policies.names()),
        ]);
    }
    let heading = format!("{} ({})", project.name, project.domain);
    if project.resources.is_empty() { heading } else { format!("{heading}\n\n{}", crate::report::columns(&rows)) }
}
