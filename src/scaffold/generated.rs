//! Generates all files of a project again from `PROJECT`, for commands such as `opctl update`.

use super::controlled::ControllerOfKind;
use super::conversion::{conversion_file, create_conversion};
use super::copy::sample_file;
use super::create_api::{NewApi, create_api};
use super::insertions::intents;
use super::policy::create_policy;
use super::scope::PATCH;
use super::storage::{type_file, type_folder};
use super::webhook::create_webhook;
use super::{adopt, init, integration, parts};
use crate::Result;
use crate::model::{Policies, Project, ProjectPath, Resource, Webhooks};
use crate::plan::reconcile::Rendering;
use crate::plan::{Edit, Existing, Operation};

/// Generates all files of a project again. The files of a resource may depend on the resources that the project had
/// when the resource was created. Therefore, this function generates the files of each resource for a project that
/// contains only the resource itself and the resources created before it.
///
/// # Errors
/// Fails only on a defect in opctl's own templates.
pub fn generate_project(project: &Project) -> Result<Rendering> {
    if project.adopted.is_some() {
        let mut adopted = Rendering { made: adopt::config(project, Existing::Keep)?, ..Rendering::default() };
        adopted.left.insert(adopt::operator_role_file());
        return Ok(adopted);
    }
    let mut so_far = project.clone();
    so_far.resources.clear();
    let mut generated = Rendering { made: init(project)?, ..Rendering::default() };
    if !project.namespaced {
        // The file stays in the project when its entry is removed.
        generated.left.insert(PATCH.into());
    }
    generated.left.extend(parts::remaining_files(project));
    for resource in &project.resources {
        let resource = Resource { storage: !resource.copied, ..resource.clone() };
        so_far.upsert(resource.clone());
        for intent in intents(&resource) {
            generated.added.extend(create_api(&NewApi::of(&so_far, &resource, &intent))?);
        }
        if resource.webhooks.any() {
            generated.added.extend(create_webhook(&so_far, Webhooks::default(), &resource, false)?);
        }
        if resource.policies.any() {
            generated.added.extend(create_policy(&so_far, Policies::default(), &resource, false)?);
        }
        let controlled =
            resource.controllers.iter().map(|controller| ControllerOfKind { resource: &resource, controller });
        for controlled in controlled {
            generated.moved.push(integration::moved_test(controlled)?);
        }
        if resource.imported.is_some() {
            // Files that were generated from a CRD belong to the user.
            for file in [type_file(&resource.key), sample_file(&resource)] {
                generated.left.insert(ProjectPath::parse(file)?);
            }
        }
        if resource.copied {
            // Files that were copied from another version belong to the user.
            let version_module = format!("{}/mod.rs", type_folder(&resource.key));
            for file in [type_file(&resource.key), version_module, sample_file(&resource)] {
                generated.left.insert(ProjectPath::parse(file)?);
            }
        }
    }
    for hub in project.resources.iter().filter(|resource| !resource.spokes.is_empty()) {
        generated.added.extend(create_conversion(project, &[], hub, Vec::new(), false)?);
        // Conversions that were generated from the types as they were belong to the user.
        for spoke in &hub.spokes {
            generated.left.insert(ProjectPath::parse(conversion_file(&hub.key.of_version(spoke)))?);
        }
    }
    for resource in project.resources.iter().filter(|resource| resource.has_types()) {
        generated.added.push(storage_edit(resource)?);
    }
    Ok(generated)
}

/// Returns the edit that sets `storage` in the `#[kube(..)]` attribute of a version's type, because the storage version
/// may have changed after `create api`.
fn storage_edit(resource: &Resource) -> Result<Operation> {
    let (kind, version) = (resource.key.kind.to_string(), resource.key.version.to_string());
    let file = ProjectPath::parse(type_file(&resource.key))?;
    Ok(Operation::edit(file, Edit::Storage { kind, version, stored: resource.storage }))
}
