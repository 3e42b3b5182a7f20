//! The resource that `create webhook` is about, and what may be wrong with the arguments.

use super::{WebhookIntent, foreign};
use crate::model::{BuiltIn, Group, Origin, Project, Resource};
use crate::{Error, Result};

/// The resource with the webhooks that the intent adds to it: without a version, the one that objects are stored in.
///
/// # Errors
/// A kind or a version that the project does not have; a kind whose webhooks are those of another version.
pub fn with_webhooks(intent: &WebhookIntent, project: &Project) -> Result<Resource> {
    let (kind, group) = (&intent.kind, &intent.group);
    let is_own = |resource: &&Resource| resource.api && resource.origin == Origin::Own;
    let is_of_kind = |resource: &&Resource| resource.key.kind == *kind && resource.key.group == *group;
    let own: Vec<&Resource> = project.resources.iter().filter(is_of_kind).filter(is_own).collect();
    let (resource, versions) = if own.is_empty() {
        foreign::resource(intent, project)?.ok_or_else(|| unknown_kind(intent, project))?
    } else {
        refuse_external(intent)?;
        (of_version(intent, &own)?.clone(), own)
    };
    if let Some(other) = versions.iter().find(|other| other.webhooks.any() && other.key != resource.key) {
        let with = WebhookIntent { version: Some(other.key.version.clone()), ..intent.clone() };
        return Err(Error::conflict(format!("the webhooks of `{kind}` are those of `{}`", other.key.version))
            .caused_by("the API server converts objects of all versions for them, so one version has them")
            .hint(with.command()));
    }
    let webhooks = resource.webhooks.with(intent.webhooks);
    Ok(Resource { webhooks, ..resource })
}

/// The version of a kind of the project's own: without one in the intent, that of its webhooks, else the stored one.
fn of_version<'a>(intent: &WebhookIntent, own: &[&'a Resource]) -> Result<&'a Resource> {
    let mut versions = own.iter().copied();
    let found = match &intent.version {
        Some(version) => versions.find(|own| own.key.version == *version),
        None => {
            let (webhooks, stored) =
                (versions.clone().find(|own| own.webhooks.any()), versions.clone().find(|own| own.storage));
            webhooks.or(stored).or_else(|| versions.next())
        }
    };
    found.ok_or_else(|| unknown_version(intent, own))
}

fn refuse_external(intent: &WebhookIntent) -> Result<()> {
    let given = [
        ("external-api-path", intent.external.is_some()),
        ("plural", intent.plural.is_some()),
        ("namespaced", intent.namespaced.is_some()),
    ];
    let Some((flag, _)) = given.into_iter().find(|(_, given)| *given) else { return Ok(()) };
    let without = WebhookIntent { external: None, plural: None, namespaced: None, ..intent.clone() };
    Err(Error::usage(format!("`--{flag}` is for kinds of other crates"))
        .caused_by(format!("this project defines `{}`", intent.kind))
        .hint(without.command()))
}

fn unknown_kind(intent: &WebhookIntent, project: &Project) -> Error {
    let kind = &intent.kind;
    let error = Error::user(format!("the project has no kind `{kind}` in {}", named(intent.group.as_str())));
    let is_near = |resource: &&Resource| resource.api && resource.key.kind.singular() == kind.singular();
    if let Some(near) = project.resources.iter().find(is_near) {
        let with = WebhookIntent { group: near.key.group.clone(), kind: near.key.kind.clone(), ..intent.clone() };
        return error
            .caused_by(format!("there is `{}` in {}", near.key.kind, named(near.key.group.as_str())))
            .hint(with.command());
    }
    let error = match BuiltIn::find(intent.group.as_str(), None, kind.as_str()) {
        Err(wrong) if BuiltIn::is_group(intent.group.as_str()) => error.caused_by(wrong.rule),
        _ => error,
    };
    match BuiltIn::group_of(kind.as_str()).and_then(|group| Group::parse(group).ok()) {
        Some(group) => {
            let with = WebhookIntent { group, version: None, ..intent.clone() };
            error.hint(format!("{}    # Kubernetes' own", with.command()))
        }
        None => error.hint(format!("opctl create api{} --kind {kind}", intent.group_flag())),
    }
}

fn named(group: &str) -> String {
    if group.is_empty() { "the group that is the domain".to_owned() } else { format!("the group `{group}`") }
}

fn unknown_version(intent: &WebhookIntent, own: &[&Resource]) -> Error {
    let (kind, version) = (&intent.kind, intent.version.as_ref().map(ToString::to_string).unwrap_or_default());
    let versions: Vec<String> = own.iter().map(|resource| format!("`{}`", resource.key.version)).collect();
    let stored = own.iter().find(|resource| resource.storage).or(own.first());
    let with = WebhookIntent { version: stored.map(|resource| resource.key.version.clone()), ..intent.clone() };
    Error::user(format!("`{kind}` has no version `{version}`"))
        .caused_by(format!("the project has {}", versions.join(", ")))
        .hint(with.command())
}
