//! Finds the hub of a conversion, and checks the arguments of the command.

use super::super::WebhookIntent;
use super::conversion_module;
use crate::error::hint;
use crate::model::{Origin, Project, Resource, Version};
use crate::{Error, Result};

/// Returns the hub of the kind, with the spokes that the user requests added. The hub is the version that already has
/// spokes, or else the storage version.
///
/// # Errors
/// Fails if the given version is not the hub, if the kind has only one version, if the intent has no spoke, if a spoke
/// is the hub or is unknown, or if another kind's module has the same name as the conversion's module.
pub fn with_spokes(intent: &WebhookIntent, project: &Project) -> Result<Resource> {
    let (kind, group) = (&intent.kind, &intent.group);
    let of_kind =
        |one: &&Resource| one.key.kind == *kind && one.key.group == *group && one.origin == Origin::Own && one.api;
    let own: Vec<&Resource> = project.resources.iter().filter(of_kind).collect();
    let known = own.iter().find(|one| !one.spokes.is_empty());
    let Some(stored) = own.iter().find(|one| one.storage).or(own.first()) else {
        return Err(Error::bug("the project has a webhook for a kind, but no version of this kind"));
    };
    let hub = known.unwrap_or(stored);
    let others: Vec<Version> = own.iter().filter(|one| one.key != hub.key).map(|one| one.key.version.clone()).collect();
    let again = |intent: WebhookIntent| intent.command();
    if let Some(version) =
        intent.version.as_ref().filter(|version| **version != hub.key.version && !intent.webhooks.any())
    {
        let reason = if known.is_some() {
            format!("the other versions are converted to and from `{}`", hub.key.version)
        } else {
            format!("objects are stored in version `{}`, and the operator reads them in that version", hub.key.version)
        };
        return Err(Error::user(format!("`{version}` is not the hub of `{kind}`"))
            .caused_by(reason)
            .hint(again(WebhookIntent { version: None, spokes: others, ..intent.clone() })));
    }
    if others.is_empty() {
        let next = next_version(&hub.key.version);
        return Err(Error::user(format!(
            "`{kind}` has one version, `{}`: there is nothing to convert",
            hub.key.version
        ))
        .hint(hint!("opctl create api{} --kind {kind} --version {next}", intent.group_flag(), kind, next)));
    }
    if intent.spokes.is_empty() {
        return Err(Error::usage(
            "`--conversion` needs `--spoke` flags with the versions to convert to and from the \
                                 stored version",
        )
        .caused_by(format!("objects are stored in version `{}`", hub.key.version))
        .hint(again(WebhookIntent { spokes: others, ..intent.clone() })));
    }
    for spoke in &intent.spokes {
        if *spoke == hub.key.version {
            return Err(Error::user(format!(
                "`{spoke}` is the hub, the version that the others are converted to, so it cannot be a spoke"
            ))
            .hint(again(WebhookIntent { spokes: others, ..intent.clone() })));
        }
        if !others.contains(spoke) {
            let versions: Vec<String> = others.iter().map(|version| format!("`{version}`")).collect();
            return Err(Error::user(format!("`{kind}` has no version `{spoke}`"))
                .caused_by(format!(
                    "in addition to version `{}`, the project has these versions of the kind: {}",
                    hub.key.version,
                    versions.join(", ")
                ))
                .hint(again(WebhookIntent { spokes: others, ..intent.clone() })));
        }
    }
    let mut spokes = hub.spokes.clone();
    for spoke in &intent.spokes {
        if !spokes.contains(spoke) {
            spokes.push(spoke.clone());
        }
    }
    if let Some(taken) = kind_with_same_module(project, hub) {
        return Err(Error::conflict(format!(
            "the conversion of `{kind}` would be in the same file as the type of the \
                                            kind `{taken}`"
        ))
        .caused_by("the conversion and the type would be Rust modules with the same name in one folder")
        .hint(hint!(
            "write the conversion by hand, in a module with a name other than `{}_conversion`",
            hub.key.kind_module()
        )));
    }
    Ok(Resource { spokes, ..(*hub).clone() })
}

/// Returns the kind whose module has the same name as the conversion's module, if any.
fn kind_with_same_module(project: &Project, hub: &Resource) -> Option<String> {
    let name = conversion_module(&hub.key);
    let is = |one: &&Resource| one.key.group == hub.key.group && one.key.kind_module() == name;
    project.resources.iter().find(is).map(|one| one.key.kind.to_string())
}

/// Returns another version to suggest in a hint.
fn next_version(version: &Version) -> &'static str {
    if version.as_str() == "v1" { "v2" } else { "v1" }
}
