//! Generates the files of conversions from the sources of the types.

use super::impls;
use super::paths::conversion_file;
use super::template_values::values;
use crate::error::hint;
use crate::model::{Key, Project, Resource, Version};
use crate::scaffold::conversion::{impl_text, version_types};
use crate::scaffold::copy::Files;
use crate::scaffold::layout::layout;
use crate::source::discover::{self, ApiType, Features};
use crate::template::Templates;
use crate::{Error, Result};
use std::path::Path;

const LIB: &str = "api/src/lib.rs";

/// The file with the `From` impls between a spoke and its hub.
#[derive(Debug)]
pub struct Conversion {
    /// The spoke: the version that the file converts to and from the hub version.
    pub spoke: Version,
    /// The path of the file with the conversions.
    pub file: String,
    /// The content of the file with the conversions.
    pub content: String,
    /// The parts that the user has to write before the file compiles, one line each.
    pub by_hand: Vec<String>,
}

/// Generates the conversions between `hub` and each of `spokes` from the sources of their types.
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
    let hub_types = version_types::version_types(&hub.key, find_api_type(project, hub, &hub.key, &all)?, &all, files)?;
    let each = spokes.iter().map(|spoke| {
        let key = hub.key.of_version(spoke);
        let spoke_types = version_types::version_types(&key, find_api_type(project, hub, &key, &all)?, &all, files)?;
        let impl_text::Impls { text, by_hand } = impls::impls(&hub.key.kind.rust_name(), &spoke_types, &hub_types);
        let values = values(project, hub, std::slice::from_ref(spoke));
        let head = layout(&templates.render("api/src/version/conversion.rs", &values)?);
        Ok(Conversion { spoke: spoke.clone(), file: conversion_file(&key), content: head + &text, by_hand })
    });
    each.collect()
}

fn find_api_type<'a>(project: &Project, hub: &Resource, key: &Key, all: &'a [ApiType]) -> Result<&'a ApiType> {
    let group = hub.api_group(&project.domain);
    let is = |one: &&ApiType| {
        let kube = &one.resource;
        kube.group == group && kube.kind == key.kind.as_str() && kube.version == key.version.as_str()
    };
    all.iter().find(is).ok_or_else(|| {
        let (kind, version) = (&key.kind, &key.version);
        Error::user(format!("`api/src` has no type of `{kind}` in version `{version}`"))
            .caused_by("a conversion is written from the types of both versions")
            .hint(hint!(
                "git checkout api    # restores the committed types; or create the type: opctl create api \
                         --kind {kind} --version {version}",
                kind,
                version
            ))
    })
}
