//! The files of a controller.

use super::IsGenerated;
use super::controlled::ControllerOfKind;
use super::controller_test::controller_test;
use super::integration;
use super::layout::{layout, type_names};
use super::module_line::module;
use super::values::Values;
use crate::model::{Project, ProjectPath};
use crate::plan::{Edit, Existing, Operation};
use crate::template::Templates;
use crate::{Error, Result};

const CONTROLLERS: &str = "// +opctl:scaffold:controllers";

/// Returns the operations for the controller's file, for its test, and for the line that adds the controller to the
/// manager. `before` is the existing controller, if any: opctl merges new children and a new finalizer into its files.
pub(super) fn controller(
    project: &Project,
    controlled: ControllerOfKind<'_>,
    templates: &Templates,
    (before, existing): (Option<ControllerOfKind<'_>>, Existing),
    made: IsGenerated<'_>,
) -> Result<Vec<Operation>> {
    let values = &Values::of_controller(project, controlled);
    let grown = before.filter(|before| before.controller != controlled.controller && existing == Existing::Keep);
    let file = |path: ProjectPath, render: &dyn Fn(ControllerOfKind<'_>, &Values<'_>) -> Result<String>| {
        let text = |of, values: &Values<'_>| rust(values, &|values| render(of, values));
        let new = text(controlled, values)?;
        Ok::<_, Error>(match grown {
            None => Operation::create(path, new, existing),
            Some(before) => {
                let base = text(before, &Values::of_controller(project, before))?;
                Operation::edit(path, Edit::Merge { base, new })
            }
        })
    };
    let name = controlled.module();
    let mut operations = Vec::new();
    let folder = match controlled.resource.key.group_module() {
        Some(group) => {
            operations.push(module("src/controller/mod.rs", "pub", &group));
            let folder = ProjectPath::from("src/controller").join(&group)?;
            let text = templates.render("src/controller/group/mod.rs", values)?;
            operations.push(Operation::create(folder.join("mod.rs")?, text, Existing::Keep));
            folder
        }
        None => ProjectPath::from("src/controller"),
    };
    operations.push(module(folder.join("mod.rs")?, "pub", &name));
    let path = folder.join(&format!("{name}.rs"))?;
    operations.push(file(path, &|of, values| reconciler(of, templates, values))?);
    let test = |path| file(path, &|of, values| controller_test(of, templates, values));
    operations.extend(integration::test(controlled, templates, values, &test, existing, made)?);
    let added = format!("{}::controller::{}::controller()", project.name.crate_name(), controlled.path());
    let fragment = format!("manager.add({added});");
    // rustfmt breaks a line that does not fit into 100 columns with the indentation in `main`.
    let fragment = if fragment.len() > 96 { format!("manager.add(\n    {added},\n);") } else { fragment };
    operations.push(Operation::edit("src/main.rs", Edit::AtMarker { marker: CONTROLLERS.to_owned(), fragment }));
    Ok(operations)
}

/// Renders the reconciler's file: the part that all reconcilers have, the functions that build the children, and the
/// status.
fn reconciler(controlled: ControllerOfKind<'_>, templates: &Templates, values: &Values<'_>) -> Result<String> {
    let body = templates.render(body(controlled), values)?.trim_end().to_owned();
    let mut parts = vec![templates.render("src/controller/kind.rs", &values.clone().with_body(body))?];
    if controlled.controller.finalizer {
        parts.push(templates.render("src/controller/cleanup.rs", values)?);
    }
    for template in values.shared_templates() {
        parts.push(templates.render(template, values)?);
    }
    for (template, values) in values.children() {
        parts.push(templates.render(&template, &values)?);
    }
    if let Some(last) = last_part(controlled) {
        parts.push(templates.render(last, values)?);
    }
    let parts: Vec<&str> = parts.iter().map(|part| part.trim_end()).collect();
    Ok(format!("{}\n", parts.join("\n\n")))
}

/// Returns the template of the function `reconcile`.
fn body(controlled: ControllerOfKind<'_>) -> &'static str {
    let has_children = !controlled.controller.owns.is_empty();
    match (controlled.reports(), controlled.image()) {
        (_, Some(_)) => "src/controller/reconcile/image.rs",
        (true, None) if has_children => "src/controller/reconcile/status.rs",
        (true, None) => "src/controller/reconcile/example.rs",
        (false, None) if has_children => "src/controller/reconcile/owned.rs",
        (false, None) => "src/controller/reconcile/nothing.rs",
    }
}

/// Returns the template of the last part of the reconciler's file: the status with its unit tests or, for a
/// controller that reports no status, the unit tests of the children.
fn last_part(controlled: ControllerOfKind<'_>) -> Option<&'static str> {
    match (controlled.reports(), controlled.image()) {
        (_, Some(_)) => Some("src/controller/image_status.rs"),
        (true, None) => Some("src/controller/status.rs"),
        // The fields of a type of another crate are not known here.
        (false, None) if controlled.is_external() => None,
        (false, None) => (!controlled.controller.owns.is_empty()).then_some("src/controller/children_tests.rs"),
    }
}

/// Renders Rust code, laid out as by rustfmt. If the code uses the name of the kind's type for another item, the code
/// imports the kind's type under another name.
fn rust(values: &Values<'_>, render: &dyn Fn(&Values<'_>) -> Result<String>) -> Result<String> {
    let text = render(values)?;
    let taken = values.own_type().is_some_and(|(kind, module)| type_names(&text, &module).contains(kind));
    let text = if taken { render(&values.clone().with_renamed_type())? } else { text };
    Ok(layout(&text))
}
