//! The operations for the webhooks of a resource.

use super::code::webhook_code;
use super::config::webhook_entries;
use crate::Result;
use crate::model::{Controller, Project, ProjectPath, Resource, Webhooks};
use crate::plan::{Edit, Existing, Operation};
use crate::scaffold::controlled::ControllerOfKind;
use crate::scaffold::layout::{layout, type_names};
use crate::scaffold::module_line::module;
use crate::scaffold::values::Values;
use crate::template::Templates;

const MAIN: &str = "src/main.rs";

const MAIN_MARKER: &str = "// +opctl:scaffold:controllers";

/// Returns the operations that add the webhooks of `resource` to the code and the configuration. `known` are the
/// webhooks that the kind has in the project before the command. If `known` contains webhooks, opctl merges the new
/// webhooks into the existing file. If `force` is true, opctl overwrites the file.
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
    operations.extend(registration_operations(project, resource, &module)?);
    Ok(operations)
}

/// Returns the operations that make the operator serve the webhooks in the module `module`. The operations add a call
/// to `src/main.rs`, the feature `webhooks` of the dependency `runtime` to `Cargo.toml`, and the entries for webhooks
/// to the configuration.
pub(in crate::scaffold) fn registration_operations(
    project: &Project,
    resource: &Resource,
    module: &str,
) -> Result<Vec<Operation>> {
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

/// Returns the operations that declare the module `name`, which contains a kind's webhooks, and the parent modules of
/// this module.
pub(in crate::scaffold) fn modules(
    project: &Project,
    resource: &Resource,
    templates: &Templates,
    name: &str,
) -> Result<Vec<Operation>> {
    let controller = Controller::default();
    let values = Values::of_controller(project, ControllerOfKind { resource, controller: &controller });
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
    let values = Values::of_controller(project, ControllerOfKind { resource, controller: &controller });
    let render = |values: Values<'_>| {
        let wanted = webhook_code(resource, templates, &values)?;
        templates.render("src/webhook/kind.rs", &values.with_webhooks(wanted))
    };
    let text = render(values.clone())?;
    // The tests import names too.
    let flat: String = text.lines().flat_map(|line| [line.trim_start(), "\n"]).collect();
    let taken = values.own_type().is_some_and(|(kind, module)| type_names(&flat, &module).contains(kind));
    let text = if taken { render(values.with_renamed_type())? } else { text };
    Ok(layout(&text))
}

/// Returns the path of the module `module` relative to the module `webhook`: `GROUP::MODULE` if the kind's group has a
/// module, otherwise only `MODULE`.
fn path(resource: &Resource, module: &str) -> String {
    resource.key.group_module().map_or(module.to_owned(), |group| format!("{group}::{module}"))
}

fn file(resource: &Resource) -> String {
    format!("src/webhook/{}.rs", path(resource, &resource.key.kind_module()).replace("::", "/"))
}
