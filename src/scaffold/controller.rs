//! The files of a controller.

use super::Known;
use super::controlled::Controlled;
use super::integration;
use super::layout::{layout, split_uses, type_names};
use super::module_line::module;
use super::values::Values;
use crate::Result;
use crate::model::{Origin, Project};
use crate::plan::{Edit, Existing, Operation};
use crate::template::Templates;

const CONTROLLERS: &str = "// +opctl:scaffold:controllers";

/// Returns the operations for the controller's file, for its test, and for the line that adds it to the manager.
pub(super) fn controller(
    project: &Project,
    controlled: Controlled<'_>,
    templates: &Templates,
    existing: Existing,
    made: Known<'_>,
) -> Result<Vec<Operation>> {
    let values = &Values::of_controller(project, controlled);
    let name = controlled.module();
    let mut operations = Vec::new();
    let folder = match controlled.resource.key.group_module() {
        Some(group) => {
            operations.push(module("src/controller/mod.rs", "pub", &group));
            let folder = format!("src/controller/{group}");
            let text = templates.render("controller_group_mod.rs", values)?;
            operations.push(Operation::create(format!("{folder}/mod.rs"), text, Existing::Keep));
            folder
        }
        None => "src/controller".to_owned(),
    };
    operations.push(module(&format!("{folder}/mod.rs"), "pub", &name));
    let text = rust(values, &|values| reconciler(controlled, templates, values))?;
    operations.push(Operation::create(format!("{folder}/{name}.rs"), text, existing));
    let text = rust(values, &|values| templates.render(test(controlled), values))?;
    operations.extend(integration::test(controlled, templates, values, text, existing, made)?);
    let added = format!("{}::controller::{}::controller()", project.name.crate_name(), controlled.path());
    let fragment = format!("manager.add({added});");
    // rustfmt breaks a line that does not fit into 100 columns with the indentation in `main`.
    let fragment = if fragment.len() > 96 { format!("manager.add(\n    {added},\n);") } else { fragment };
    operations.push(Operation::edit("src/main.rs", Edit::AtMarker { marker: CONTROLLERS.to_owned(), fragment }));
    Ok(operations)
}

/// Renders the reconciler's file: the part that all reconcilers have, the functions that build the children, and the
/// status.
fn reconciler(controlled: Controlled<'_>, templates: &Templates, values: &Values<'_>) -> Result<String> {
    let head = templates.render("controller.rs", values)?;
    let mut parts = Vec::new();
    if values.has_children() {
        parts.push(templates.render("children/support.rs", values)?);
        for (template, values) in values.children() {
            parts.push(templates.render(&template, &values)?);
        }
    }
    if let Some(last) = last_part(controlled) {
        parts.push(templates.render(last, values)?);
    }
    let (mut uses, mut code) = (String::new(), head.trim_end().to_owned());
    for part in &parts {
        let (part_uses, part_code) = split_uses(part.trim_start());
        uses.push_str(&format!("{part_uses}\n"));
        code.push_str(&format!("\n\n{part_code}"));
    }
    let uses: Vec<&str> = uses.lines().filter(|line| !line.is_empty()).collect();
    let uses = if uses.is_empty() { String::new() } else { uses.join("\n") + "\n" };
    Ok(format!("{}\n", code.replacen("\nuse ", &format!("\n{uses}use "), 1)))
}

/// Returns the template of the status and its unit tests; without a status to report, that of unit tests for the
/// children.
fn last_part(controlled: Controlled<'_>) -> Option<&'static str> {
    match (controlled.reports(), controlled.image()) {
        (_, Some(_)) => Some("image_status.rs"),
        (true, None) => Some("status.rs"),
        // The fields of a type from another crate are not known here.
        (false, None) if matches!(controlled.resource.origin, Origin::External(_)) => None,
        (false, None) => (!controlled.controller.owns.is_empty()).then_some("children_unit_test.rs"),
    }
}

fn test(controlled: Controlled<'_>) -> &'static str {
    match (controlled.reports(), controlled.image()) {
        (_, Some(_)) => "image_test.rs",
        (true, None) => "test.rs",
        (false, None) => "watched_test.rs",
    }
}

/// Renders Rust code, laid out as by rustfmt. If the code uses the kind's name for something else, the kind is imported
/// under another name.
fn rust(values: &Values<'_>, render: &dyn Fn(&Values<'_>) -> Result<String>) -> Result<String> {
    let text = render(values)?;
    let taken = values.own_type().is_some_and(|(kind, module)| type_names(&text, &module).contains(kind));
    let text = if taken { render(&values.clone().renamed())? } else { text };
    Ok(layout(&text))
}
