//! The operations of `create webhook`.

mod check;
mod code;
mod config;
mod foreign;
mod values;

pub use check::with_webhooks;
pub use config::{
    WEBHOOK_ENTRY, WEBHOOK_KUSTOMIZATION, WEBHOOK_LINE, conversion_right, webhook_entries, webhook_folder,
    without_webhook_entries,
};

pub(super) use values::{WebhookCode, WebhookValues, webhook_names};

use super::ExternalIntent;
use super::controlled::Controlled;
use super::flags::external_flags;
use super::layout::{layout, type_names};
use super::module_line::module;
use super::own_kind::group_flag;
use super::values::Values;
use crate::Result;
use crate::error::{Hint, hint};
use crate::model::{Controller, Group, Kind, Plural, Project, ProjectPath, Resource, Version, Webhooks};
use crate::plan::{Edit, Existing, Operation};
use crate::template::Templates;
use code::webhook_code;

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
    /// The type of another crate, where one was named.
    pub external: Option<ExternalIntent>,
    /// The plural of a kind from another crate, where it is not the usual one.
    pub plural: Option<Plural>,
    /// The scope of a kind from another crate, where one was given.
    pub namespaced: Option<bool>,
    /// The admission webhooks that are wanted.
    pub webhooks: Webhooks,
    /// True if a conversion is wanted.
    pub conversion: bool,
    /// The versions that the conversion converts to the hub and from it.
    pub spokes: Vec<Version>,
    /// True if files of other content are replaced.
    pub force: bool,
}

impl WebhookIntent {
    /// Returns the command line of the intent, for hints that users run as they are.
    pub fn command(&self) -> Hint {
        let mut command = Hint::from("opctl create webhook");
        command.push(self.group_flag());
        if let Some(version) = &self.version {
            command.push(hint!(" --version {version}", version));
        }
        command.push(hint!(" --kind {}", self.kind));
        let flags = [
            ("--defaulting", self.webhooks.defaulting),
            ("--validation", self.webhooks.validation),
            ("--conversion", self.conversion),
        ];
        for (flag, _) in flags.iter().filter(|(_, wanted)| *wanted) {
            command.push(hint!(" {flag}", flag));
        }
        for spoke in &self.spokes {
            command.push(hint!(" --spoke {spoke}", spoke));
        }
        if let Some(external) = &self.external {
            command.push(external_flags(external));
        }
        if let Some(plural) = &self.plural {
            command.push(hint!(" --plural {plural}", plural));
        }
        if let Some(namespaced) = self.namespaced {
            command.push(hint!(" --namespaced={namespaced}", namespaced));
        }
        command
    }

    /// Returns ` --group GROUP`, or an empty text if there is no group.
    pub(super) fn group_flag(&self) -> Hint {
        group_flag(&self.group)
    }
}

/// Returns the operations for the webhooks of `resource` in code and configuration. `known` are the webhooks that the
/// project has already: new ones are merged into their file.
///
/// # Errors
/// Fails only on a defect in opctl's own templates.
pub fn create_webhook(project: &Project, known: Webhooks, resource: &Resource, force: bool) -> Result<Vec<Operation>> {
    let templates = Templates::load("resource")?;
    let text = code(project, resource, &templates)?;
    let file = ProjectPath::parse(file(resource))?;
    let module = resource.key.kind_module();
    let mut operations = modules(project, resource, &templates, &module)?;
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
    operations.extend(registered(project, resource, &module)?);
    Ok(operations)
}

/// Returns the operations that make the operator serve the webhooks of a module: the line in `src/main.rs`, the
/// runtime's feature, and the configuration.
pub(super) fn registered(project: &Project, resource: &Resource, module: &str) -> Result<Vec<Operation>> {
    let path = path(resource, module);
    let fragment = format!("{}::webhook::{path}::setup(&mut manager);", project.name.crate_name());
    let (dependency, feature) = ("runtime".to_owned(), "webhooks".to_owned());
    let mut operations = vec![
        Operation::edit(MAIN, Edit::AtMarker { marker: MAIN_MARKER.to_owned(), fragment }),
        Operation::edit("Cargo.toml", Edit::Feature { dependency, feature }),
    ];
    operations.extend(webhook_entries(project)?);
    Ok(operations)
}

/// Returns the operations that declare a module of webhooks, and the modules above it.
pub(super) fn modules(
    project: &Project,
    resource: &Resource,
    templates: &Templates,
    name: &str,
) -> Result<Vec<Operation>> {
    let controller = Controller::default();
    let values = Values::of_controller(project, Controlled { resource, controller: &controller });
    let top = "src/webhook/mod.rs";
    let mut operations = vec![
        module("src/lib.rs", "pub", "webhook"),
        Operation::create(top, templates.render("src/webhook/mod.rs", &values)?, Existing::Keep),
    ];
    match resource.key.group_module() {
        Some(group) => {
            let inner = ProjectPath::parse(format!("src/webhook/{group}/mod.rs"))?;
            operations.push(module(top, "pub", &group));
            let text = templates.render("src/webhook/group/mod.rs", &values)?;
            operations.push(Operation::create(&inner, text, Existing::Keep));
            operations.push(module(&inner, "pub", name));
        }
        None => operations.push(module(top, "pub", name)),
    }
    Ok(operations)
}

/// Renders the file of the webhooks, laid out as by rustfmt.
fn code(project: &Project, resource: &Resource, templates: &Templates) -> Result<String> {
    let controller = Controller::default();
    let values = Values::of_controller(project, Controlled { resource, controller: &controller });
    let render = |values: Values<'_>| {
        let wanted = webhook_code(resource, templates, &values)?;
        templates.render("src/webhook/kind.rs", &values.with_webhooks(wanted))
    };
    let text = render(values.clone())?;
    // The tests import names too.
    let flat: String = text.lines().flat_map(|line| [line.trim_start(), "\n"]).collect();
    let taken = values.own_type().is_some_and(|(kind, module)| type_names(&flat, &module).contains(kind));
    let text = if taken { render(values.renamed())? } else { text };
    Ok(layout(&text))
}

/// Returns the path of a module below `webhook`.
fn path(resource: &Resource, module: &str) -> String {
    resource.key.group_module().map_or(module.to_owned(), |group| format!("{group}::{module}"))
}

fn file(resource: &Resource) -> String {
    format!("src/webhook/{}.rs", path(resource, &resource.key.kind_module()).replace("::", "/"))
}
