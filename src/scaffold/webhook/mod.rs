//! The operations of `create webhook`.

mod check;
mod config;

pub use check::with_webhooks;
pub use config::{webhook_entries, webhook_folder, without_webhook_entries};

use super::controlled::Controlled;
use super::layout::{layout, type_names};
use super::module_line::module;
use super::values::Values;
use crate::Result;
use crate::model::{Controller, Group, Kind, Project, Resource, Version, Webhooks};
use crate::plan::{Edit, Existing, Operation};
use crate::template::Templates;

const MAIN: &str = "src/main.rs";
const MAIN_MARKER: &str = "// +opctl:scaffold:controllers";

/// The arguments of `create webhook`.
#[derive(Clone, Debug)]
pub struct WebhookIntent {
    /// The part of the API group before the domain.
    pub group: Group,
    /// The version, where one was given.
    pub version: Option<Version>,
    /// The kind.
    pub kind: Kind,
    /// The webhooks that are wanted.
    pub webhooks: Webhooks,
    /// True if files of other content are replaced.
    pub force: bool,
}

impl WebhookIntent {
    /// The command line of the intent, for hints that are run as they stand.
    pub fn command(&self) -> String {
        let mut command = "opctl create webhook".to_owned();
        if !self.group.is_none() {
            command.push_str(&format!(" --group {}", self.group));
        }
        if let Some(version) = &self.version {
            command.push_str(&format!(" --version {version}"));
        }
        command.push_str(&format!(" --kind {}", self.kind));
        let flags = [("--defaulting", self.webhooks.defaulting), ("--validation", self.webhooks.validation)];
        for (flag, _) in flags.iter().filter(|(_, wanted)| *wanted) {
            command.push_str(&format!(" {flag}"));
        }
        command
    }
}

/// The webhooks of `resource` in code and configuration. `known` are those that the project has already: what is new is merged
/// into their file.
///
/// # Errors
/// Only a defect of opctl's own templates.
pub fn create_webhook(project: &Project, known: Webhooks, resource: &Resource, force: bool) -> Result<Vec<Operation>> {
    let templates = Templates::load("resource")?;
    let text = code(project, resource, &templates)?;
    let file = file(resource);
    let mut operations = modules(project, resource, &templates)?;
    let existing = match (force, known.any()) {
        (true, _) => Existing::Overwrite,
        (false, true) => Existing::Keep,
        (false, false) => Existing::Conflict,
    };
    if known.any() && known != resource.webhooks && !force {
        let before = Resource { webhooks: known, ..resource.clone() };
        let base = code(project, &before, &templates)?;
        operations.push(Operation::edit(file, Edit::Merge { base, new: text }));
    } else {
        operations.push(Operation::create(file, text, existing));
    }
    let fragment = format!("{}::webhook::{}::setup(&mut manager);", project.name.crate_name(), path(resource));
    operations.push(Operation::edit(MAIN, Edit::AtMarker { marker: MAIN_MARKER.to_owned(), fragment }));
    let (dependency, feature) = ("runtime".to_owned(), "webhooks".to_owned());
    operations.push(Operation::edit("Cargo.toml", Edit::Feature { dependency, feature }));
    operations.extend(webhook_entries(project)?);
    Ok(operations)
}

fn modules(project: &Project, resource: &Resource, templates: &Templates) -> Result<Vec<Operation>> {
    let controller = Controller::default();
    let values = Values::of_controller(project, Controlled { resource, controller: &controller });
    let top = "src/webhook/mod.rs";
    let mut operations = vec![
        module("src/lib.rs", "pub", "webhook"),
        Operation::create(top, templates.render("webhook_mod.rs", &values)?, Existing::Keep),
    ];
    let kind = resource.key.kind_module();
    match resource.key.group_module() {
        Some(group) => {
            let inner = format!("src/webhook/{group}/mod.rs");
            operations.push(module(top, "pub", &group));
            let text = templates.render("webhook_group_mod.rs", &values)?;
            operations.push(Operation::create(&inner, text, Existing::Keep));
            operations.push(module(&inner, "pub", &kind));
        }
        None => operations.push(module(top, "pub", &kind)),
    }
    Ok(operations)
}

/// The file of the webhooks, as rustfmt has it.
fn code(project: &Project, resource: &Resource, templates: &Templates) -> Result<String> {
    let controller = Controller::default();
    let values = Values::of_controller(project, Controlled { resource, controller: &controller });
    let text = templates.render("webhook.rs", &values)?;
    // The tests import names too.
    let flat: String = text.lines().flat_map(|line| [line.trim_start(), "\n"]).collect();
    let taken = values.own_type().is_some_and(|(kind, module)| type_names(&flat, &module).contains(kind));
    let text = if taken { templates.render("webhook.rs", &values.renamed())? } else { text };
    Ok(layout(&text))
}

/// The module below `webhook`.
fn path(resource: &Resource) -> String {
    let module = resource.key.kind_module();
    resource.key.group_module().map_or(module.clone(), |group| format!("{group}::{module}"))
}

fn file(resource: &Resource) -> String {
    format!("src/webhook/{}.rs", path(resource).replace("::", "/"))
}
