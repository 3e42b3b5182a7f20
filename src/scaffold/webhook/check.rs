//! Finds the resource that the arguments of `create webhook` name, and checks the arguments.

use super::super::own_kind::KindRequest;
use super::{WebhookIntent, foreign};
use crate::error::hint;
use crate::model::{Project, Resource};
use crate::{Error, Result};

/// Returns the resource that `intent` (the arguments of `create webhook`) names, with the requested webhooks added. If
/// no version is requested, chooses the version with webhooks, or else the storage version.
///
/// # Errors
/// Fails if the project does not have the kind or the version, or if another version of the kind has the webhooks.
pub fn with_webhooks(intent: &WebhookIntent, project: &Project) -> Result<Resource> {
    let kind = &intent.kind;
    let asked = KindRequest {
        group: &intent.group,
        version: intent.version.as_ref(),
        kind,
        command: &|group, version, kind| {
            let with =
                WebhookIntent { group: group.clone(), version: version.cloned(), kind: kind.clone(), ..intent.clone() };
            with.command()
        },
    };
    let own: Vec<&Resource> = asked.versions(project).into_iter().filter(|resource| resource.has_types()).collect();
    let (resource, versions) = if own.is_empty() {
        let add = hint!("opctl create api{} --kind {kind}", intent.group_flag(), kind);
        foreign::resource(intent, project)?.ok_or_else(|| asked.unknown_kind(project, add))?
    } else {
        refuse_external(intent)?;
        let found = of_version(intent, &own).ok_or_else(|| asked.unknown_version(&own))?;
        (found.clone(), own)
    };
    if let Some(other) = versions.iter().find(|other| other.webhooks.any() && other.key != resource.key) {
        let with = WebhookIntent { version: Some(other.key.version.clone()), ..intent.clone() };
        return Err(Error::conflict(format!("`{kind}` already has webhooks for version `{}`", other.key.version))
            .caused_by(
                "the API server converts objects of every version to the webhooks' version, so webhooks for one \
                 version are enough",
            )
            .hint(with.command()));
    }
    let webhooks = resource.webhooks.with(intent.webhooks);
    Ok(Resource { webhooks, ..resource })
}

/// Returns the version that `create webhook` requests of a kind that the project defines. If no version is requested,
/// returns the version with webhooks, or else the storage version.
fn of_version<'a>(intent: &WebhookIntent, own: &[&'a Resource]) -> Option<&'a Resource> {
    let mut versions = own.iter().copied();
    match &intent.version {
        Some(version) => versions.find(|own| own.key.version == *version),
        None => {
            let webhooks = versions.clone().find(|own| own.webhooks.any());
            webhooks.or_else(|| versions.clone().find(|own| own.storage)).or_else(|| versions.next())
        }
    }
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
