//! The operations of `create api`.

use super::controlled::ControllerOfKind;
use super::controller::controller;
use super::copy::{VersionCopy, sample_file};
use super::layout::layout;
use super::module_line::module;
use super::storage::type_folder;
use super::values::{Values, file_prefix};
use super::{ApiIntent, IsGenerated, children};
use crate::Result;
use crate::model::{Controller, Project, ProjectPath, Resource};
use crate::plan::{Edit, Existing, Operation};
use crate::template::Templates;

pub(super) const SAMPLES: &str = "# +opctl:scaffold:samples";
const ROLES: &str = "# +opctl:scaffold:rbac";

/// A resource that a command adds to a project, or extends.
#[derive(Clone, Copy)]
pub struct NewApi<'a> {
    /// The project, including the resource.
    pub project: &'a Project,
    /// The resource before the command, if the project already had the resource.
    pub known: Option<&'a Resource>,
    /// The resource as it is after the command has run.
    pub resource: &'a Resource,
    /// The intent of the command: its parsed arguments.
    pub intent: &'a ApiIntent,
    /// The copied files, if the resource is a further version of a kind.
    pub copied: Option<&'a VersionCopy>,
    /// A function that returns true for the path of an existing file that opctl generated.
    pub made: IsGenerated<'a>,
}

impl<'a> NewApi<'a> {
    /// Creates a `NewApi` for a resource that is completely new to the project.
    pub fn of(project: &'a Project, resource: &'a Resource, intent: &'a ApiIntent) -> Self {
        NewApi { project, known: None, resource, intent, copied: None, made: &|_| false }
    }
}

/// Returns the operations for the files of a resource: its types, and the controller that the user requests. Existing
/// parts of the resource keep their files, unless the user passed `--force`.
///
/// # Errors
/// Fails only on a defect in opctl's own templates.
pub fn create_api(api: &NewApi<'_>) -> Result<Vec<Operation>> {
    let NewApi { project, known, resource, intent, copied, made } = *api;
    let templates = Templates::load("resource")?;
    let without = Controller::default();
    let first = ControllerOfKind { resource, controller: resource.controllers.first().unwrap_or(&without) };
    let values = Values::of_controller(project, first);
    let existing = |force: bool, made_before: bool| match (force, made_before) {
        (true, _) => Existing::Overwrite,
        (false, true) => Existing::Keep,
        (false, false) => Existing::Conflict,
    };
    let mut operations = Vec::new();
    if resource.api {
        let force = intent.force && intent.api;
        let existing = existing(force, known.is_some_and(|known| known.api));
        let render = |template: &str| templates.render(template, &values);
        let text = match copied {
            Some(copied) => copied.types.clone(),
            None => layout(&render(of_image(resource, "api/src/version/kind.rs", "api/src/version/image_kind.rs"))?),
        };
        operations.extend(types(resource, &text, &render("api/src/version/mod.rs")?, existing)?);
        if let Some(copied) = copied {
            operations.extend(modules(resource, copied)?);
        }
        if let Some(group) = resource.key.group_module() {
            let path = ProjectPath::parse(format!("api/src/{group}/mod.rs"))?;
            operations.push(Operation::create(&path, render("api/src/group/mod.rs")?, Existing::Keep));
            operations.push(module(&path, "pub", resource.key.version.as_str()));
        }
        // The roles are the same for all versions of a kind.
        let is_version = |other: &Resource| other.api && other.is_of_kind_of(resource) && other.key != resource.key;
        let other_version = project.resources.iter().any(is_version);
        let roles = if other_version && !force { Existing::Keep } else { existing };
        let sample = match copied.and_then(|copied| copied.sample.clone()) {
            Some(sample) => sample,
            None => render(of_image(resource, "config/samples/kind.yaml", "config/samples/image_kind.yaml"))?,
        };
        operations.extend(config(resource, &render, sample, existing, roles)?);
    }
    let name = intent.controller_name.as_ref();
    if let Some(wanted) = resource.controller(name) {
        let before =
            known.and_then(|resource| Some(ControllerOfKind { resource, controller: resource.controller(name)? }));
        let controlled = ControllerOfKind { resource, controller: wanted };
        let existing = existing(intent.force, before.is_some());
        operations.extend(controller(project, controlled, &templates, (before, existing), made)?);
    }
    Ok(operations)
}

/// Returns a warning if the user has to choose a namespace for the children of the requested controller, because the
/// kind is cluster-scoped. The warning consists of the path of the controller's file and a sentence.
pub fn choice(resource: &Resource, intent: &ApiIntent) -> Option<(String, String)> {
    let asked = ControllerOfKind { resource, controller: resource.controller(intent.controller_name.as_ref())? };
    if !children::share_a_namespace(asked, &children::owned_children(asked)) {
        return None;
    }
    let (kind, file) = (&resource.key.kind, asked.file());
    let said = format!(
        "`{kind}` is cluster-scoped, so its children are created in the namespace `default`: choose another namespace \
         with `NAMESPACE` in `{file}`, or create a namespace for each object with `--owns Namespace`"
    );
    Some((file, said))
}

fn types(resource: &Resource, types: &str, version_mod: &str, existing: Existing) -> Result<Vec<Operation>> {
    let key = &resource.key;
    let folder = ProjectPath::parse(type_folder(key))?;
    let version_file = folder.join("mod.rs")?;
    let kind = key.kind_module();
    let top = key.group_module().unwrap_or_else(|| key.version.to_string());
    Ok(vec![
        module("api/src/lib.rs", "pub", &top),
        Operation::create(&version_file, version_mod, Existing::Keep),
        module(&version_file, "", &kind),
        Operation::edit(&version_file, Edit::Use { line: format!("pub use {kind}::*;"), name: kind.clone() }),
        Operation::create(folder.join(&format!("{kind}.rs"))?, types, existing),
    ])
}

/// Returns the operations for the modules copied with the types, and for the lines that declare these modules.
fn modules(resource: &Resource, copied: &VersionCopy) -> Result<Vec<Operation>> {
    let version_file = ProjectPath::parse(format!("{}/mod.rs", type_folder(&resource.key)))?;
    let mut operations = Vec::new();
    for (visibility, name, uses) in &copied.declared {
        operations.push(module(&version_file, visibility, name));
        if let Some(line) = uses.clone() {
            operations.push(Operation::edit(&version_file, Edit::Use { line, name: name.clone() }));
        }
    }
    for (path, text) in &copied.modules {
        operations.push(Operation::create(ProjectPath::parse(path)?, text, Existing::Keep));
    }
    Ok(operations)
}

fn config(
    resource: &Resource,
    render: &dyn Fn(&str) -> Result<String>,
    sample: String,
    existing: Existing,
    roles: Existing,
) -> Result<Vec<Operation>> {
    let singular = resource.key.kind.singular();
    let prefix = file_prefix(resource);
    let file = sample_file(resource);
    let listed = list_item("config/samples/kustomization.yaml", SAMPLES, file.trim_start_matches("config/samples/"));
    let mut operations = vec![Operation::create(ProjectPath::parse(file)?, sample, existing), listed];
    for role in ["admin", "editor", "viewer"] {
        let file = format!("{prefix}{singular}_{role}_role.yaml");
        let text = render(&format!("config/rbac/{role}_role.yaml"))?;
        operations.push(Operation::create(ProjectPath::from("config/rbac").join(&file)?, text, roles));
        operations.push(list_item("config/rbac/kustomization.yaml", ROLES, &file));
    }
    Ok(operations)
}

/// Returns the template `of_image` if the resource has an image, otherwise the template `other`.
fn of_image<'a>(resource: &Resource, other: &'a str, of_image: &'a str) -> &'a str {
    if resource.image.is_some() { of_image } else { other }
}

fn list_item(path: &'static str, marker: &str, file: &str) -> Operation {
    Operation::edit(path, Edit::AtMarker { marker: marker.to_owned(), fragment: format!("- {file}") })
}
