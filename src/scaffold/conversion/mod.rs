//! The operations of `create webhook --conversion`, which converts objects of one version to objects of another.

mod check;
mod impls;
mod text;
mod types;
mod value;
mod variants;

pub use check::with_spokes;

use super::controlled::Controlled;
use super::copy::Files;
use super::layout::layout;
use super::module_line::module;
use super::storage::type_folder;
use super::values::Values;
use super::webhook::{modules, registered};
use crate::error::hint;
use crate::model::{Controller, Key, Project, ProjectPath, Resource, Version};
use crate::plan::{Edit, Existing, Operation};
use crate::source::discover::{self, ApiType, Features};
use crate::template::Templates;
use crate::{Error, Result};
use std::path::Path;

const LIB: &str = "api/src/lib.rs";

/// The file with the `From` impls between a spoke and its hub.
#[derive(Debug)]
pub struct Conversion {
    /// The version that is not the hub.
    pub spoke: Version,
    /// The file's path.
    pub file: String,
    /// The file's content.
    pub content: String,
    /// The parts that the user has to write before the file compiles, one line each.
    pub by_hand: Vec<String>,
}

/// Writes the conversions between `hub` and each of `spokes`, based on the sources of their types.
///
/// # Errors
/// Fails if a source is not Rust, or if a conversion cannot name a type.
pub fn conversions(
    project: &Project,
    hub: &Resource,
    spokes: &[Version],
    files: &Files<'_>,
) -> Result<Vec<Conversion>> {
    let read = |path: &Path| Ok(files.text(&path.to_string_lossy().replace('\\', "/")).map(str::to_owned));
    let (all, _) = discover::types(Path::new(LIB), &read, &Features::default())?;
    let templates = Templates::load("resource")?;
    let hub_types = types::version_types(&hub.key, found(project, hub, &hub.key, &all)?, &all, files)?;
    let each = spokes.iter().map(|spoke| {
        let key = hub.key.of_version(spoke);
        let spoke_types = types::version_types(&key, found(project, hub, &key, &all)?, &all, files)?;
        let text::Impls { text, by_hand } = impls::impls(hub.key.kind.as_str(), &spoke_types, &hub_types);
        let values = values(project, hub, std::slice::from_ref(spoke));
        let head = layout(&templates.render("api/src/version/conversion.rs", &values)?);
        Ok(Conversion { spoke: spoke.clone(), file: conversion_file(&key), content: head + &text, by_hand })
    });
    each.collect()
}

fn found<'a>(project: &Project, hub: &Resource, key: &Key, all: &'a [ApiType]) -> Result<&'a ApiType> {
    let group = hub.api_group(&project.domain);
    let is = |one: &&ApiType| {
        let kube = &one.resource;
        kube.group == group && kube.kind == key.kind.as_str() && kube.version == key.version.as_str()
    };
    all.iter().find(is).ok_or_else(|| {
        let (kind, version) = (&key.kind, &key.version);
        Error::user(format!("`api/src` has no type of `{kind}` in version `{version}`"))
            .caused_by("a conversion is written from the types of both versions")
            .hint(hint!("git checkout api    # or: opctl create api --kind {kind} --version {version}", kind, version))
    })
}

/// Returns the file of a spoke's conversion, in the folder of its types.
pub(super) fn conversion_file(spoke: &Key) -> String {
    format!("{}/{}.rs", type_folder(spoke), conversion_module(spoke))
}

/// Returns the module of the conversions of a kind.
pub(super) fn conversion_module(key: &Key) -> String {
    format!("{}_conversion", key.kind_module())
}

/// Returns the operations for the conversion of `hub`'s kind: the module lines, the webhook that uses the conversions,
/// and the given conversions themselves. `known` are the spokes that the kind had before.
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
    operations.extend(registered(project, hub, &name)?);
    Ok(operations)
}

/// Returns the advice for a controller that watches a version that is not the hub.
pub fn watched_spoke(project: &Project, hub: &Resource) -> Option<String> {
    let watched = project.resources.iter().find(|one| one.is_of_kind_of(hub) && !one.controllers.is_empty())?;
    let (spoke, version) = (&watched.key.version, &hub.key.version);
    (spoke != version).then(|| {
        let controller = watched.controllers.first().map(|controller| Controlled { resource: watched, controller });
        let path = controller.map(Controlled::path).unwrap_or_default().replace("::", "/");
        let (old, new) = (watched.type_module(), hub.type_module());
        format!(
            "`src/controller/{path}.rs` watches `{spoke}`, for which each object is converted: write `{new}` for `{old}` there, and \
             it reads objects as they are stored in `{version}`"
        )
    })
}

fn values<'a>(project: &'a Project, hub: &Resource, spokes: &[Version]) -> Values<'a> {
    let controller = Controller::default();
    let spokes = spokes.iter().filter_map(|spoke| project.resource(&hub.key.of_version(spoke)));
    let spokes: Vec<&Resource> = spokes.collect();
    Values::of_controller(project, Controlled { resource: hub, controller: &controller }).converting(&spokes)
}
