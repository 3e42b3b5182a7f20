//! Generates again, from `PROJECT`, all lines that opctl inserts into the files of a project. `opctl resolve` uses them
//! to finish a merge.

use super::conversion::create_conversion;
use super::policy::create_policy;
use super::values::Values;
use super::webhook::create_webhook;
use super::{ApiIntent, NewApi, create_api, edit, scope};
use crate::Result;
use crate::model::{ControllerName, Part, Policies, Project, Resource, Webhooks};
use crate::plan::{Existing, Operation, Step};

/// Returns the operations that insert opctl's lines into the project's files, and the operations for the files that
/// several kinds share.
///
/// # Errors
/// Fails only on a defect in opctl's own templates.
pub fn insertions(project: &Project) -> Result<Vec<Operation>> {
    let mut operations = edit(project, Part::all(), project.has_webhooks())?;
    if project.namespaced {
        operations.extend(scope::patch(project, &Values::of_project(project))?);
    }
    for resource in &project.resources {
        for intent in intents(resource) {
            operations.extend(create_api(&NewApi::of(project, resource, &intent))?);
        }
        if resource.webhooks.any() {
            operations.extend(create_webhook(project, Webhooks::default(), resource, false)?);
        }
        if resource.policies.any() {
            operations.extend(create_policy(project, Policies::default(), resource, false)?);
        }
        if !resource.spokes.is_empty() {
            operations.extend(create_conversion(project, &[], resource, Vec::new(), false)?);
        }
    }
    operations
        .retain(|operation| matches!(operation.step, Step::Edit(_) | Step::Create { existing: Existing::Keep, .. }));
    Ok(operations)
}

/// Returns the arguments of the `create api` commands that create the resource with its first controller, and then each
/// further controller.
pub(super) fn intents(resource: &Resource) -> Vec<ApiIntent> {
    let mut names: Vec<Option<&ControllerName>> =
        resource.controllers.iter().map(|controller| controller.name.as_ref()).collect();
    if names.is_empty() {
        names.push(None);
    }
    names.into_iter().map(|name| create_api_intent(resource, name)).collect()
}

fn create_api_intent(resource: &Resource, controller: Option<&ControllerName>) -> ApiIntent {
    ApiIntent {
        key: resource.key.clone(),
        version_said: true,
        external: None,
        domain: resource.domain.clone(),
        origin: resource.origin.clone(),
        plural: None,
        namespaced: None,
        short_names: None,
        categories: None,
        image: None,
        fields: None,
        imported: None,
        owns: None,
        finalizer: false,
        storage: false,
        api: resource.api,
        controller: !resource.controllers.is_empty(),
        controller_name: controller.cloned(),
        force: false,
    }
}
