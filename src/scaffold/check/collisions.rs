//! Refuses names that collide: in the API server, in Rust, or among controllers.

use super::super::controlled::ControllerOfKind;
use crate::error::hint;
use crate::model::{Project, Resource};
use crate::scaffold::values::{PolicyValues, WebhookValues};
use crate::{Error, Result};

pub(super) fn check_version(other: &Resource, wanted: &Resource) -> Result<()> {
    if other.namespaced != wanted.namespaced || other.plural != wanted.plural {
        return Err(Error::conflict(format!(
            "the kind `{}` already exists in version `{}`, with another scope or \
                                            plural",
            wanted.key.kind, other.key.version
        ))
        .caused_by("all versions of a kind have one scope and one plural")
        .hint(hint!("--namespaced={} --plural {}", other.namespaced, other.plural)));
    }
    Ok(())
}

pub(super) fn check_collisions(other: &Resource, wanted: &Resource) -> Result<()> {
    let refuse = |what: String, flag: &str| {
        let free = match flag {
            "kind" => format!("My{}", wanted.key.kind),
            "plural" => format!("my{}", wanted.plural),
            "group" => format!("my-{}", wanted.key.group),
            _ => format!("my{}", wanted.key.kind.singular()),
        };
        Err(Error::conflict(format!("`{}` collides with `{}`", wanted.key, other.key)).caused_by(what).hint(hint!(
            "--{flag} {free}    # or any other unused name",
            flag,
            free
        )))
    };
    let same_kind = other.is_of_kind_of(wanted);
    // Groups of the same name can belong to different domains.
    if !same_kind && other.key.group == wanted.key.group && other.origin.is_like(&wanted.origin) {
        // The API server reserves `<kind>List` for the list of a kind, and compares names in lower case.
        let (own, theirs) = (wanted.key.kind.singular(), other.key.kind.singular());
        if own == theirs || own == format!("{theirs}list") || theirs == format!("{own}list") {
            return refuse("the kind names or list names would collide in the API server".to_owned(), "kind");
        }
        // The API server keeps one list of plural, singular and short names for each group.
        let (taken, names) = (api_names(other), api_names(wanted));
        if let Some((name, flag)) = names.iter().find(|(name, _)| taken.iter().any(|(other, _)| other == name)) {
            return refuse(format!("both kinds would use the name `{name}` in the API group"), flag);
        }
        if other.key.kind_module() == wanted.key.kind_module() {
            return refuse(format!("both would use the Rust module `{}`", wanted.key.kind_module()), "kind");
        }
        let names = other.type_names();
        if let Some(name) = wanted.type_names().iter().find(|name| names.contains(name))
            && other.key.version == wanted.key.version
        {
            return refuse(format!("both would define the Rust type `{name}`"), "kind");
        }
    }
    let (own, theirs) = (wanted.key.group_module(), other.key.group_module());
    if own.is_some() && own == theirs && other.key.group != wanted.key.group {
        return refuse(format!("both groups would use the Rust module `{}`", own.unwrap_or_default()), "group");
    }
    // `src/controller/` holds the groups' folders beside the kinds without a group.
    if (own.is_some() && theirs.is_none() && own == Some(other.key.kind_module()))
        || (theirs.is_some() && own.is_none() && theirs == Some(wanted.key.kind_module()))
    {
        return refuse(
            "a group and a kind would use the same Rust module".to_owned(),
            if own.is_some() { "group" } else { "kind" },
        );
    }
    Ok(())
}

/// Returns the names that a resource occupies in its API group, each with the flag that sets the name.
fn api_names(resource: &Resource) -> Vec<(String, &'static str)> {
    let mut names = vec![(resource.plural.to_string(), "plural"), (resource.key.kind.singular(), "kind")];
    names.extend(resource.short_names.iter().map(|name| (name.to_string(), "short-name")));
    names
}

/// Fails if a name composed of several names, such as a CRD's name `<plural>.<group>.<domain>`, is too long.
pub(super) fn check_lengths(resource: &Resource, project: &Project) -> Result<()> {
    let group = &resource.key.group;
    let longest = resource.controllers.iter().map(|controller| resource.controller_name(controller).len()).max();
    let manager = project.name.as_str().len() + 1 + longest.unwrap_or_else(|| resource.usual_controller_name().len());
    let definition = resource.plural.as_str().len() + 1 + resource.api_group(&project.domain).len();
    let webhook = WebhookValues::of(project, resource).name.len() + 1;
    let policy = PolicyValues::of(project, resource).longest_name(project).len();
    let rule = if manager > 128 {
        format!("the field manager `<project>/<controller>` has {manager} characters, 128 are allowed")
    } else if definition > 250 {
        format!("the definition's name `<plural>.<group>.<domain>` has {definition} characters, 250 are allowed")
    } else if webhook > 253 {
        format!("the name of a webhook `m<kind>-<version>.<group>.<domain>` has {webhook} characters, 253 are allowed")
    } else if policy > 253 {
        format!("the name of a policy `<project>-<group>-<kind>-…` has {policy} characters, 253 are allowed")
    } else {
        return Ok(());
    };
    let what = if group.is_none() { "kind" } else { "group" };
    Err(Error::usage(format!("a name that opctl generates for the kind `{}` is too long", resource.key.kind))
        .caused_by(rule)
        .hint(hint!("choose a shorter `--{what}`", what)))
}

/// Fails if another controller already has the name or the module of `wanted`.
pub(super) fn check_controller(wanted: ControllerOfKind<'_>, project: &Project) -> Result<()> {
    let plain = |name: &str| name.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
    let (name, path) = (wanted.name(), wanted.path());
    for other in ControllerOfKind::all(project) {
        if other.controller.name == wanted.controller.name && other.resource.is_of_kind_of(wanted.resource) {
            continue;
        }
        let (other_name, other_path) = (other.name(), other.path());
        // A module cannot also be the folder of a group.
        let above = |one: &str, two: &str| two.strip_prefix(one).is_some_and(|rest| rest.starts_with("::"));
        let why = if plain(&other_name) == plain(&name) {
            "without `-` the controller names are the same, and files, modules and metrics are named after them"
                .to_owned()
        } else if other_path == path || above(&other_path, &path) || above(&path, &other_path) {
            format!(
                "both would use the Rust module `{}`",
                if other_path.len() < path.len() { other_path } else { path }
            )
        } else {
            continue;
        };
        return Err(Error::conflict(format!(
            "controller name `{name}` conflicts with existing controller `{other_name}`"
        ))
        .caused_by(why)
        .hint(hint!("--controller-name my-{}    # or any other unused name", wanted.resource.key.kind.singular())));
    }
    Ok(())
}
