//! The files beside `config/webhook/manifests.yaml`.

use super::values::Values;
use crate::Result;
use crate::model::Project;
use crate::template::Templates;

/// The folder that kustomize reads: each file's path and its content.
///
/// # Errors
/// Only a defect of opctl's own templates.
pub fn webhook_folder(project: &Project) -> Result<Vec<(&'static str, String)>> {
    let templates = Templates::load("webhook")?;
    let values = Values::of_project(project);
    templates.names().iter().map(|name| Ok((*name, templates.render(name, &values)?))).collect()
}
