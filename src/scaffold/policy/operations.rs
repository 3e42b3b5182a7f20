//! The operations for the policies of a resource.

use crate::Result;
use crate::model::{Controller, Policies, Project, ProjectPath, Resource};
use crate::plan::{Edit, Existing, Operation};
use crate::scaffold::controlled::ControllerOfKind;
use crate::scaffold::layout::{layout, type_names};
use crate::scaffold::module_line::module;
use crate::scaffold::values::{Values, file_prefix};
use crate::template::Templates;

const DEFAULT: &str = "config/default/kustomization.yaml";

const KUSTOMIZATION: &str = "config/policy/kustomization.yaml";

const MAIN: &str = "tests/it/main.rs";

const TOP: &str = "tests/it/policies/mod.rs";

/// Returns the operations for the policies of `resource` in `config/policy`, for the test of each policy, and for
/// the kustomization entries of the policies. `known` are the policies that the project already has.
///
/// # Errors
/// Fails only on a defect in opctl's own templates.
pub fn create_policy(project: &Project, known: Policies, resource: &Resource, force: bool) -> Result<Vec<Operation>> {
    let templates = Templates::load("resource")?;
    let mut operations = folder(project)?;
    let policies = resource.policies;
    for (is_wanted, is_known, name, suffix) in [
        (policies.validating, known.validating, "validating", ""),
        (policies.mutating, known.mutating, "mutating", "_mutating"),
    ] {
        if !is_wanted {
            continue;
        }
        let existing = match (force, is_known) {
            (true, _) => Existing::Overwrite,
            (false, true) => Existing::Keep,
            (false, false) => Existing::Conflict,
        };
        let file = format!("{}{}{suffix}_policy.yaml", file_prefix(resource), resource.key.kind.singular());
        let text = templates.render(&format!("config/policy/{name}.yaml"), &values(project, resource))?;
        operations.push(Operation::create(ProjectPath::from("config/policy").join(&file)?, text, existing));
        operations.push(entry(KUSTOMIZATION, "# +opctl:scaffold:policies", format!("- {file}")));
        let module = format!("{}{suffix}", resource.key.kind_module());
        operations.extend(test(project, resource, &templates, &module, name, existing)?);
    }
    Ok(operations)
}

/// Returns the operations for the fixed files of `config/policy`, and for the folder's entry in `config/default`.
fn folder(project: &Project) -> Result<Vec<Operation>> {
    let templates = Templates::load("policy")?;
    let values = Values::of_project(project);
    let mut operations = Vec::new();
    for name in templates.names() {
        operations.push(Operation::create(name, templates.render(name, &values)?, Existing::Keep));
    }
    operations.push(entry(DEFAULT, "# +opctl:scaffold:resources", "- ../policy".to_owned()));
    Ok(operations)
}

fn entry(file: &'static str, marker: &str, fragment: String) -> Operation {
    Operation::edit(file, Edit::AtMarker { marker: marker.to_owned(), fragment })
}

/// Returns the operations for the test of a policy, and for the `mod` lines that declare the test's module.
fn test(
    project: &Project,
    resource: &Resource,
    templates: &Templates,
    name: &str,
    policy: &str,
    existing: Existing,
) -> Result<Vec<Operation>> {
    let values = values(project, resource);
    let mut operations = vec![
        Operation::create(MAIN, templates.render("tests/it/main.rs", &values)?, Existing::Keep),
        module(MAIN, "", "policies"),
        Operation::create(TOP, templates.render("tests/it/policies/mod.rs", &values)?, Existing::Keep),
    ];
    let folder = match resource.key.group_module() {
        Some(group) => {
            let inner = ProjectPath::parse(format!("tests/it/policies/{group}/mod.rs"))?;
            operations.push(module(TOP, "", &group));
            operations.push(Operation::create(
                &inner,
                templates.render("tests/it/policies/mod.rs", &values)?,
                Existing::Keep,
            ));
            operations.push(module(&inner, "", name));
            format!("{group}/")
        }
        None => {
            operations.push(module(TOP, "", name));
            String::new()
        }
    };
    let template = format!("tests/it/policies/{policy}.rs");
    let text = templates.render(&template, &values)?;
    let taken = values.own_type().is_some_and(|(kind, module)| type_names(&text, &module).contains(kind));
    let text = if taken { templates.render(&template, &values.with_renamed_type())? } else { text };
    let file = ProjectPath::parse(format!("tests/it/policies/{folder}{name}.rs"))?;
    operations.push(Operation::create(file, layout(&text), existing));
    Ok(operations)
}

fn values<'a>(project: &'a Project, resource: &Resource) -> Values<'a> {
    let controller = Controller::default();
    Values::of_controller(project, ControllerOfKind { resource, controller: &controller })
}
