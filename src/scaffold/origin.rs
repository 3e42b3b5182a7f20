//! Determines the origin of a command's kind: the project, Kubernetes (a built-in kind), or another crate.

use super::{ApiIntent, flags};
use crate::error::hint;
use crate::model::{BuiltIn, External, Group, Key, Kind, Origin, Project, Resource, Version};
use crate::{Error, Result};

/// Sets the origin of the type in `intent`: the project, Kubernetes or another crate. Changes the group of a built-in
/// kind to the spelling that `PROJECT` uses.
///
/// If the command creates no types (`--resource=false`) and names no type from another crate, a kind that the project
/// already has keeps its origin. A kind that the project does not have is a built-in kind if its group is a built-in
/// group.
///
/// # Errors
/// Fails if Kubernetes does not have the kind, if an option is only for kinds that the project defines, or if the
/// intent requests both new types and a type from another crate.
pub fn locate(intent: &mut ApiIntent, project: &Project) -> Result<()> {
    if intent.api {
        return if intent.external.is_some() { Err(types_of_another_crate(intent)) } else { Ok(()) };
    }
    let known = project.resource(&intent.key).map(|known| known.origin.clone());
    let is_version_of =
        |own: &Resource, key: &Key| own.origin == Origin::Own && own.key.group == key.group && own.key.kind == key.kind;
    let own_version = |key: &Key| project.resources.iter().any(|own| is_version_of(own, key));
    intent.origin = match (&intent.external, known) {
        (Some(external), known) => {
            // Options that are not given again stay as they were.
            let (domain, dependency) = match known {
                Some(Origin::External(known)) => (known.domain, known.dependency),
                _ => (None, None),
            };
            let domain = external.domain.clone().or(domain);
            let dependency = external.dependency.clone().or(dependency);
            let path = module_of(external, &intent.key.kind)?;
            Origin::External(External::new(&intent.key.group, domain.as_deref(), path, dependency)?)
        }
        (None, Some(known)) => known,
        (None, None) if !own_version(&intent.key) && BuiltIn::is_group(intent.key.group.as_str()) => {
            let version = intent.version_said.then_some(&intent.key.version);
            let found = BuiltIn::find(intent.key.group.as_str(), version, intent.key.kind.as_str())?;
            intent.key.group = Group::parse(found.written_group().0)?;
            intent.key.version = Version::parse(found.version)?;
            Origin::Core(found)
        }
        (None, None) => Origin::Own,
    };
    refuse_options(intent)
}

/// Returns the module of the type; fails if the path names the type itself.
fn module_of(external: &super::ExternalIntent, kind: &Kind) -> Result<crate::model::RustPath> {
    match external.path.without_last(&kind.rust_name()) {
        Some(module) => Err(Error::usage(format!("`{}` is the path of the type, not of its module", external.path))
            .caused_by(format!("`--external-api-path` names the module that contains the type `{}`", kind.rust_name()))
            .hint(hint!("--external-api-path {module}", module))),
        None => Ok(external.path.clone()),
    }
}

fn types_of_another_crate(intent: &ApiIntent) -> Error {
    let mut without = intent.clone();
    (without.api, without.controller) = (false, true);
    Error::usage("`--external-api-path` needs `--resource=false`")
        .caused_by("another crate defines the types, so opctl can create only a controller for them")
        .hint(hint!("opctl create api{}", flags(&without)))
}

/// Refuses options that only make sense for types that opctl generates.
fn refuse_options(intent: &ApiIntent) -> Result<()> {
    let core = match intent.origin {
        Origin::Own => return Ok(()),
        Origin::Core(_) => true,
        Origin::External(_) => false,
    };
    let given = [
        ("domain", intent.domain.is_some()),
        ("plural", core && intent.plural.is_some()),
        ("namespaced", core && intent.namespaced.is_some()),
        ("short-name", intent.short_names.is_some()),
        ("category", intent.categories.is_some()),
        ("image", intent.image.is_some()),
        ("field", intent.fields.is_some()),
        ("storage-version", intent.storage),
    ];
    let Some((flag, _)) = given.into_iter().find(|(_, given)| *given) else { return Ok(()) };
    let mut without = intent.clone();
    (without.short_names, without.categories, without.image, without.fields) = (None, None, None, None);
    (without.storage, without.domain) = (false, None);
    if core {
        (without.plural, without.namespaced) = (None, None);
    }
    let whose = if core { "Kubernetes has" } else { "another crate defines" };
    Err(Error::usage(format!("`--{flag}` is for kinds that the project defines"))
        .caused_by(format!("`{}` is a kind that {whose}, so opctl creates only a controller for it", intent.key.kind))
        .hint(hint!("opctl create api{}", flags(&without))))
}
