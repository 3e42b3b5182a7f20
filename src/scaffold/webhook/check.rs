//! The resource that `create webhook` is about, and what may be wrong with the arguments.

use super::WebhookIntent;
use crate::model::{Origin, Project, Resource};
use crate::{Error, Result};

/// The resource with the webhooks that the intent adds to it: without a version, the one that objects are stored in.
///
/// # Errors
/// A kind or a version that the project does not have; a kind whose webhooks are those of another version.
pub fn with_webhooks(intent: &WebhookIntent, project: &Project) -> Result<Resource> {
    let (kind, group) = (&intent.kind, &intent.group);
    let versions: Vec<&Resource> = project
        .resources
        .iter()
        .filter(|resource| resource.key.kind == *kind && resource.key.group == *group)
        .collect();
    if versions.is_empty() {
        return Err(unknown_kind(intent, project));
    }
    let own: Vec<&Resource> =
        versions.into_iter().filter(|resource| resource.api && resource.origin == Origin::Own).collect();
    if own.is_empty() {
        return Err(Error::user(format!("`{kind}` is not a kind that this project defines"))
            .caused_by("opctl makes webhooks for the project's own kinds")
            .hint("write a marker for it by hand: opctl help markers"));
    }
    let wanted = match &intent.version {
        Some(version) => own.iter().find(|resource| resource.key.version == *version),
        None => own.iter().find(|resource| resource.webhooks.any()).or_else(|| own.iter().find(|one| one.storage)),
    };
    let Some(resource) = wanted.or_else(|| own.first().filter(|_| intent.version.is_none())) else {
        return Err(unknown_version(intent, &own));
    };
    if let Some(other) = own.iter().find(|other| other.webhooks.any() && other.key != resource.key) {
        let with = WebhookIntent { version: Some(other.key.version.clone()), ..intent.clone() };
        return Err(Error::conflict(format!("the webhooks of `{kind}` are those of `{}`", other.key.version))
            .caused_by("the API server converts objects of all versions for them, so one version has them")
            .hint(with.command()));
    }
    let webhooks = resource.webhooks.with(intent.webhooks);
    Ok(Resource { webhooks, ..(*resource).clone() })
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
    error.hint(format!("opctl create api{} --kind {kind}", intent.group_flag()))
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
