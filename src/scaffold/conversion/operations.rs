//! The operations for the conversion of a kind.

use super::conversions::Conversion;
use super::paths::conversion_module;
use super::template_values::values;
use crate::model::{Project, ProjectPath, Resource, Version};
use crate::plan::{Edit, Existing, Operation};
use crate::scaffold::controlled::ControllerOfKind;
use crate::scaffold::layout::layout;
use crate::scaffold::module_line::module;
use crate::scaffold::storage::type_folder;
use crate::scaffold::webhook::{modules, registration_operations};
use crate::template::Templates;
use crate::{Error, Result};

/// Returns the operations that generate the conversion of `hub`'s kind between its versions. They add the `mod` lines,
/// create or update the webhook that calls the conversions, and create the file of each conversion in `conversions`.
/// `known` are the spokes (the versions besides the hub) that the project already has.
///
/// # Errors
/// Fails only on a defect in opctl's own templates.
pub fn create_conversion(
    project: &Project,
    known: &[Version],
    hub: &Resource,
    conversions: Vec<Conversion>,
    force: bool,
) -> Result<Vec<Operation>> {
    let templates = Templates::load("resource")?;
    let code = |spokes: &[Version]| {
        Ok::<_, Error>(layout(&templates.render("src/webhook/conversion.rs", &values(project, hub, spokes))?))
    };
    let name = conversion_module(&hub.key);
    let mut operations = Vec::new();
    for spoke in &hub.spokes {
        let key = hub.key.of_version(spoke);
        operations.push(module(ProjectPath::parse(format!("{}/mod.rs", type_folder(&key)))?, "", &name));
    }
    for Conversion { spoke, file, content, .. } in conversions {
        // A spoke that is requested again keeps its file.
        let existing = match (force, known.contains(&spoke)) {
            (true, _) => Existing::Overwrite,
            (false, true) => Existing::Keep,
            (false, false) => Existing::Conflict,
        };
        operations.push(Operation::create(ProjectPath::parse(file)?, content, existing));
    }
    operations.extend(modules(project, hub, &templates, &name)?);
    let folder = hub.key.group_module().map(|group| format!("{group}/")).unwrap_or_default();
    let (file, text) = (ProjectPath::parse(format!("src/webhook/{folder}{name}.rs"))?, code(&hub.spokes)?);
    if known.is_empty() || known == hub.spokes || force {
        let existing = match (force, known.is_empty()) {
            (true, _) => Existing::Overwrite,
            (false, true) => Existing::Conflict,
            (false, false) => Existing::Keep,
        };
        operations.push(Operation::create(file, text, existing));
    } else {
        operations.push(Operation::edit(file, Edit::Merge { base: code(known)?, new: text }));
    }
    operations.extend(registration_operations(project, hub, &name)?);
    Ok(operations)
}

/// Returns advice if a controller watches a spoke instead of the hub.
pub fn watched_spoke(project: &Project, hub: &Resource) -> Option<String> {
    let watched = project.resources.iter().find(|one| one.is_of_kind_of(hub) && !one.controllers.is_empty())?;
    let (spoke, version) = (&watched.key.version, &hub.key.version);
    (spoke != version).then(|| {
        let controller =
            watched.controllers.first().map(|controller| ControllerOfKind { resource: watched, controller });
        let path = controller.map(ControllerOfKind::path).unwrap_or_default().replace("::", "/");
        let (old, new) = (watched.type_module(), hub.type_module());
        format!(
            "`src/controller/{path}.rs` watches `{spoke}`, so each object is converted to that version: replace \
             `{old}` with `{new}` in this file to read objects in the stored version `{version}`"
        )
    })
}
