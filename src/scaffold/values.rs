//! What templates are rendered with.

use crate::model::{CONTROLLER_NAMES, IMAGE_CONTROLLER_NAMES, Image, License, Project, Resource};
use serde::Serialize;

/// The values of every template.
#[derive(Serialize)]
pub(super) struct Values<'a> {
    project: ProjectValues<'a>,
    header: String,
    opctl_version: &'a str,
    resource: Option<ResourceValues>,
}

#[derive(Serialize)]
struct ProjectValues<'a> {
    name: &'a str,
    crate_name: String,
    domain: &'a str,
    repo: &'a str,
    license: &'static str,
    owner: &'a str,
    namespaced: bool,
}

#[derive(Serialize)]
struct ResourceValues {
    kind: String,
    rust_kind: String,
    group: String,
    api_group: String,
    version: String,
    plural: String,
    singular: String,
    short_names: Vec<String>,
    categories: Vec<String>,
    namespaced: bool,
    storage: bool,
    module: String,
    module_path: String,
    controller: String,
    controller_path: String,
    sample_name: String,
    file_prefix: String,
    image: String,
    port: u16,
}

impl<'a> Values<'a> {
    pub(super) fn of_project(project: &'a Project) -> Self {
        Values {
            project: ProjectValues {
                name: project.name.as_str(),
                crate_name: project.name.crate_name(),
                domain: project.domain.as_str(),
                repo: project.repo.as_deref().unwrap_or_default(),
                license: project.license.name(),
                owner: project.owner.as_deref().unwrap_or_default(),
                namespaced: project.namespaced,
            },
            header: header(project),
            opctl_version: &project.cli_version,
            resource: None,
        }
    }

    pub(super) fn of_resource(project: &'a Project, resource: &Resource) -> Self {
        let key = &resource.key;
        let kind = key.kind.to_string();
        let singular = key.kind.singular();
        let imported = CONTROLLER_NAMES.contains(&kind.as_str())
            || (resource.image.is_some() && IMAGE_CONTROLLER_NAMES.contains(&kind.as_str()));
        let rust_kind = if imported { format!("{kind}Resource") } else { kind.clone() };
        let values = ResourceValues {
            rust_kind,
            group: key.group.to_string(),
            api_group: resource.api_group(&project.domain),
            version: key.version.to_string(),
            plural: resource.plural.to_string(),
            short_names: resource.short_names.iter().map(ToString::to_string).collect(),
            categories: resource.categories.iter().map(ToString::to_string).collect(),
            namespaced: resource.namespaced,
            storage: resource.storage,
            module: key.kind_module(),
            module_path: key.version_module(),
            controller: controller_name(resource),
            controller_path: controller_path(resource),
            sample_name: format!("{singular}-sample"),
            file_prefix: file_prefix(resource),
            image: resource.image.as_ref().map_or_else(String::new, |image| image.reference().to_owned()),
            port: resource.image.as_ref().map_or(0, Image::port),
            singular,
            kind,
        };
        Values { resource: Some(values), ..Values::of_project(project) }
    }
}

/// The controller's name, unique in the project: the second half of its field manager.
pub(super) fn controller_name(resource: &Resource) -> String {
    let singular = resource.key.kind.singular();
    if resource.key.group.is_none() { singular } else { format!("{}-{singular}", resource.key.group) }
}

/// The controller's module below `controller`.
pub(super) fn controller_path(resource: &Resource) -> String {
    let kind = resource.key.kind_module();
    resource.key.group_module().map_or(kind.clone(), |group| format!("{group}::{kind}"))
}

/// The beginning of file names below `config/`, as kubebuilder has it in projects of several groups.
pub(super) fn file_prefix(resource: &Resource) -> String {
    if resource.key.group.is_none() { String::new() } else { format!("{}_", resource.key.group) }
}

/// The licence header of a Rust file, with the blank line below it.
fn header(project: &Project) -> String {
    let identifier = match project.license {
        License::Apache2 => "Apache-2.0",
        License::Mit => "MIT",
        License::None => return String::new(),
    };
    match &project.owner {
        Some(owner) => format!("// Copyright {owner}\n// SPDX-License-Identifier: {identifier}\n\n"),
        None => format!("// SPDX-License-Identifier: {identifier}\n\n"),
    }
}
