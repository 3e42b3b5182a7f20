//! The resource that `create webhook` is about, and what may be wrong with the arguments.

use super::super::own_kind::Asked;
use super::WebhookIntent;
use crate::model::{Origin, Project, Resource};
use crate::{Error, Result};

/// The resource with the webhooks that the intent adds to it: without a version, the one that objects are stored in.
///
/// # Errors
/// A kind or a version that the project does not have; a kind whose webhooks are those of another version.
pub fn with_webhooks(intent: &WebhookIntent, project: &Project) -> Result<Resource> {
    let kind = &intent.kind;
    let asked = Asked {
        group: &intent.group,
        version: intent.version.as_ref(),
        kind,
        command: &|group, version, kind| {
            let with =
                WebhookIntent { group: group.clone(), version: version.cloned(), kind: kind.clone(), ..intent.clone() };
            with.command()
        },
    };
    let versions = asked.versions(project);
    if versions.is_empty() {
        let add = format!("opctl create api{} --kind {kind}", intent.group_flag());
        return Err(asked.unknown_kind(project, add));
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
        return Err(asked.unknown_version(&own));
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
