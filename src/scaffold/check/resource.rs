//! Builds the resource that an intent, the arguments of `create api`, requests.

use super::collisions::{check_collisions, check_controller, check_lengths, check_version};
use super::controllers;
use super::fields::check_fields;
use super::image_kind::check_image;
use super::intent::{check_copied, check_origin, check_same, no_types};
use crate::error::hint;
use crate::model::{Domain, Origin, Plural, Project, Resource};
use crate::scaffold::controlled::ControllerOfKind;
use crate::scaffold::source_version::copied_version;
use crate::scaffold::{ApiIntent, scope};
use crate::{Error, Result};

/// Returns the resource that the intent (the arguments of `create api`) requests, based on the resources of the
/// project.
///
/// # Errors
/// Fails if the options differ from the options of an existing resource (unless forced), if names collide with names of
/// another resource in Rust or in the API server, or if a controller is requested for a kind without types.
pub fn resource_of(intent: &ApiIntent, project: &Project) -> Result<Resource> {
    let known = project.resource(&intent.key);
    let own_domain = domain(intent, project)?;
    check_origin(known, intent)?;
    let own = intent.api && intent.origin == Origin::Own && known.is_none_or(|known| !known.api || intent.force);
    let copied = own.then(|| copied_version(&intent.key, project)).flatten();
    if let Some(copied) = copied {
        check_copied(intent, copied)?;
    }
    let before = known.filter(|known| known.api).or(copied);
    let mut resource = Resource {
        key: intent.key.clone(),
        domain: own_domain,
        origin: intent.origin.clone(),
        plural: intent.key.kind.default_plural(),
        namespaced: true,
        short_names: Vec::new(),
        categories: Vec::new(),
        image: intent.image.clone().or_else(|| before.and_then(|before| before.image.clone())),
        fields: before
            .map(|before| &before.fields)
            // Equal ones may have types of other names, which are in use.
            .filter(|before| intent.fields.as_ref().is_none_or(|wanted| wanted == *before))
            .or(intent.fields.as_ref())
            .cloned()
            .unwrap_or_default(),
        api: intent.api || known.is_some_and(|known| known.api),
        controllers: known.map(|known| known.controllers.clone()).unwrap_or_default(),
        webhooks: known.map(|known| known.webhooks).unwrap_or_default(),
        spokes: known.map(|known| known.spokes.clone()).unwrap_or_default(),
        policies: known.map(|known| known.policies).unwrap_or_default(),
        storage: true,
        copied: copied.is_some() || known.is_some_and(|known| known.copied),
        imported: intent.imported.clone().or_else(|| known.or(copied).and_then(|like| like.imported.clone())),
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

    scope::check(project, &resource)?;
    check_lengths(&resource, project)?;
    let wanted = resource.controller(intent.controller_name.as_ref());
    let wanted = wanted.map(|controller| ControllerOfKind { resource: &resource, controller });
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

/// Returns the requested domain of a kind that the project defines or, if the user requests no domain, the domain of
/// the kind's other versions. Returns `None` if the kind has the project's domain, or if the project does not define
/// the kind.
fn domain(intent: &ApiIntent, project: &Project) -> Result<Option<Domain>> {
    if intent.origin != Origin::Own {
        return Ok(None);
    }
    let (group, kind) = (&intent.key.group, &intent.key.kind);
    let is_known =
        |other: &&Resource| other.origin == Origin::Own && other.key.group == *group && other.key.kind == *kind;
    let known = project.resources.iter().find(is_known);
    let wanted = intent.domain.clone().filter(|wanted| *wanted != project.domain);
    let Some(known) = known else { return Ok(wanted) };
    if intent.domain.is_none() || known.domain == wanted {
        return Ok(known.domain.clone());
    }
    let place = known.api_group(&project.domain);
    Err(Error::conflict(format!("the project already has a kind `{kind}` in the group `{place}`"))
        .caused_by("the existing and the new kind would have types in one Rust module")
        .hint(hint!("--group my-{}    # or any other unused name", kind.singular())))
}
