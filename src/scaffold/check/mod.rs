//! Checks an intent of `create api` against the project, and builds the resource from it.

mod collisions;
mod controllers;
mod fields;
mod runtime;

use super::controlled::Controlled;
use super::copy::copied_version;
use super::storage::type_file;
use super::{ApiIntent, flags};
use crate::error::{Hint, hint};
use crate::model::{BuiltIn, External, Origin, Plural, Project, Resource};
use crate::{Error, Result};

use collisions::{check_collisions, check_controller, check_lengths, check_version};
use fields::check_fields;
pub use runtime::{check_runtime, check_webhook_runtime};

/// Returns the resource that the intent requests, based on the resources of the project.
///
/// # Errors
/// Fails if the options differ from those of an existing resource (unless forced), if names collide with those of
/// another resource in Rust or in the API server, or if a controller has no type.
pub fn resource_of(intent: &ApiIntent, project: &Project) -> Result<Resource> {
    let known = project.resource(&intent.key);
    check_origin(known, intent)?;
    let own = intent.api && intent.origin == Origin::Own && known.is_none_or(|known| !known.api || intent.force);
    let copied = own.then(|| copied_version(&intent.key, project)).flatten();
    if let Some(copied) = copied {
        check_copied(intent, copied)?;
    }
    let before = known.filter(|known| known.api).or(copied);
    let mut resource = Resource {
        key: intent.key.clone(),
        origin: intent.origin.clone(),
        plural: intent.key.kind.default_plural(),
        namespaced: true,
        short_names: Vec::new(),
        categories: Vec::new(),
        image: intent.image.clone().or_else(|| before.and_then(|before| before.image.clone())),
        fields: intent.fields.clone().or_else(|| before.map(|before| before.fields.clone())).unwrap_or_default(),
        api: intent.api || known.is_some_and(|known| known.api),
        controllers: known.map(|known| known.controllers.clone()).unwrap_or_default(),
        webhooks: known.map(|known| known.webhooks).unwrap_or_default(),
        spokes: known.map(|known| known.spokes.clone()).unwrap_or_default(),
        policies: known.map(|known| known.policies).unwrap_or_default(),
        storage: true,
        copied: copied.is_some() || known.is_some_and(|known| known.copied),
        imported: known.or(copied).and_then(|like| like.imported.clone()),
    };
    let other_version =
        project.resources.iter().find(|other| other.is_of_kind_of(&resource) && other.key != resource.key);
    if known.is_none() && !intent.api && intent.origin == Origin::Own {
        return Err(no_types(intent, other_version.is_some()));
    }
    let model = known.or(other_version);
    let plural = intent.plural.clone().or_else(|| model.map(|model| model.plural.clone()));
    resource.plural = plural.unwrap_or(resource.plural);
    resource.namespaced = intent.namespaced.or(model.map(|model| model.namespaced)).unwrap_or(true);
    if let Origin::Core(built_in) = intent.origin {
        (resource.plural, resource.namespaced) = (Plural::parse(built_in.plural)?, built_in.namespaced);
    }
    resource.short_names =
        intent.short_names.clone().or(model.map(|model| model.short_names.clone())).unwrap_or_default();
    resource.categories = intent.categories.clone().or(model.map(|model| model.categories.clone())).unwrap_or_default();
    resource.storage = intent.storage || known.map_or(other_version.is_none(), |known| known.storage);
    // Only one version of a kind has controllers.
    let elsewhere = other_version.filter(|other| !other.controllers.is_empty());
    controllers::set(&mut resource, intent, elsewhere)?;

    super::scope::check(project, &resource)?;
    check_lengths(&resource, project)?;
    let wanted = resource.controller(intent.controller_name.as_ref());
    let wanted = wanted.map(|controller| Controlled { resource: &resource, controller });
    check_image(&resource)?;
    if let Some(wanted) = wanted {
        controllers::check(wanted, project)?;
    }
    check_fields(&resource)?;
    if let Some(known) = known {
        check_same(known, &resource, intent)?;
    }
    if let Some(other) = other_version {
        check_version(other, &resource)?;
    }
    for other in project.resources.iter().filter(|other| other.key != resource.key) {
        check_collisions(other, &resource)?;
    }
    if let Some(wanted) = wanted {
        check_controller(wanted, project)?;
    }
    Ok(resource)
}

/// Checks a renamed resource of a project against all others.
pub(super) fn check_renamed(resource: &Resource, project: &Project) -> Result<()> {
    check_lengths(resource, project)?;
    check_image(resource)?;
    for other in project.resources.iter().filter(|other| other.key != resource.key) {
        check_collisions(other, resource)?;
    }
    for controller in &resource.controllers {
        let controlled = Controlled { resource, controller };
        controllers::check(controlled, project)?;
        check_controller(controlled, project)?;
    }
    Ok(())
}

/// Fails if the project has the group, version and kind with another origin.
fn check_origin(known: Option<&Resource>, intent: &ApiIntent) -> Result<()> {
    let Some(known) = known.filter(|known| !known.origin.is_like(&intent.origin)) else { return Ok(()) };
    let whose = match known.origin {
        Origin::Own => "the project defines it",
        Origin::Core(_) => "it stands for the kind that Kubernetes has",
        Origin::External(_) => "it stands for the kind of another crate",
    };
    Err(Error::conflict(format!("`{}` is in the project already", known.key))
        .caused_by(whose)
        .hint(hint!("--group my-{}    # or any other that is free", known.key.group)))
}

fn no_types(intent: &ApiIntent, has_other_version: bool) -> Error {
    let (kind, mut with_types) = (&intent.key.kind, intent.clone());
    with_types.api = true;
    let error = Error::user(format!("`{kind}` has no types in this project"))
        .caused_by("with `--resource=false` only a controller is made, for a kind that is there already");
    if intent.key.group.is_none()
        && let Some(group) = BuiltIn::group_of(kind.as_str())
    {
        return error.hint(hint!(
            "opctl create api --resource=false --group {group} --kind {kind}    # Kubernetes' own",
            group,
            kind
        ));
    }
    let flags = flags(&with_types);
    if has_other_version {
        return error.hint(hint!("opctl create api{flags}", flags));
    }
    error.hint(hint!(
        "opctl create api{flags}    # makes the types\n\
         opctl create api --resource=false{flags} --external-api-path CRATE::MODULE    # for those of another crate",
        flags
    ))
}

fn check_same(known: &Resource, wanted: &Resource, intent: &ApiIntent) -> Result<()> {
    let mut differences = Vec::new();
    let mut differ = |flag: &str, known: String, wanted: String| {
        if known != wanted {
            let known = if known.is_empty() { "not given".to_owned() } else { format!("`{known}`") };
            differences.push(format!("`--{flag}` is {known} in the project, not `{wanted}`"));
        }
    };
    differ("plural", known.plural.to_string(), wanted.plural.to_string());
    differ("namespaced", known.namespaced.to_string(), wanted.namespaced.to_string());
    differ("short-name", joined(&known.short_names), joined(&wanted.short_names));
    let image =
        |resource: &Resource| resource.image.as_ref().map_or(String::new(), |image| image.reference().to_owned());
    let port = |resource: &Resource| resource.image.as_ref().map_or(String::new(), |image| image.port().to_string());
    differ("image", image(known), image(wanted));
    differ("port", port(known), port(wanted));
    differ("field", joined(&known.fields), joined(&wanted.fields));
    differ("category", joined(&known.categories), joined(&wanted.categories));
    if let (Origin::External(known), Origin::External(wanted)) = (&known.origin, &wanted.origin) {
        let module = |external: &External| external.dependency.as_ref().map_or(String::new(), ToString::to_string);
        differ("external-api-path", known.path.to_string(), wanted.path.to_string());
        differ(
            "external-api-domain",
            known.domain.clone().unwrap_or_default(),
            wanted.domain.clone().unwrap_or_default(),
        );
        differ("external-api-module", module(known), module(wanted));
    }
    if differences.is_empty() || intent.force {
        return Ok(());
    }
    let error = Error::conflict(format!("`{}` exists with other options", known.key.kind));
    let error = differences.into_iter().fold(error, Error::caused_by);
    Err(error.hint(hint!("change the code by hand, or generate it again:\nopctl create api{} --force", flags(intent))))
}

/// Fails if the fields or the image of a further version differ from those of the version that it is copied from.
fn check_copied(intent: &ApiIntent, copied: &Resource) -> Result<()> {
    let other_fields = intent.fields.as_ref().is_some_and(|fields| *fields != copied.fields);
    let other_image = intent.image.is_some() && intent.image != copied.image;
    if !other_fields && !other_image {
        return Ok(());
    }
    let (key, mut without) = (&intent.key, intent.clone());
    (without.fields, without.image) = (None, None);
    let (flag, what) = if other_fields { ("field", "add the field") } else { ("image", "change the default") };
    Err(Error::usage(format!("`--{flag}` is for the first version of `{}`", key.kind))
        .caused_by(format!(
            "{} begins as a copy of {}, with the fields that objects are stored with",
            key.version, copied.key.version
        ))
        .hint(hint!(
            "opctl create api{}    # then {what} in {}",
            flags(&without),
            type_file(key),
            what = Hint::from(what)
        )))
}

/// Checks that the resource can have the children of an image.
fn check_image(resource: &Resource) -> Result<()> {
    if resource.image.is_none() {
        return Ok(());
    }
    let kind = &resource.key.kind;
    if !resource.namespaced {
        return Err(Error::usage(format!("`--image` needs objects of `{kind}` to live in namespaces"))
            .caused_by("each object owns a Deployment and a Service, which live in its namespace")
            .hint("--namespaced=true"));
    }
    let name = resource.controllers.first().map_or_else(String::new, |first| resource.controller_name(first));
    if name.len() > 63 {
        return Err(Error::usage(format!("`{name}` is too long a name"))
            .caused_by("it is the value of a label, which has at most 63 characters")
            .hint("choose a shorter `--group`"));
    }
    Ok(())
}

fn joined<T: ToString>(names: &[T]) -> String {
    names.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}
