//! Finds the resource that the arguments of `create policy` name, and checks the arguments.

use super::super::own_kind::{KindRequest, group_flag};
use super::PolicyIntent;
use crate::error::{Hint, hint};
use crate::model::{BuiltIn, Group, Key, Kind, Origin, Plural, Policies, Project, Resource, Version, Webhooks};
use crate::{Error, Result};

/// The API group whose kinds the API server exempts from policies.
const EXEMPT: &str = "admissionregistration.k8s.io";

/// Returns the resource of the kind that `intent` (the arguments of `create policy`) names, with the requested policies
/// added. The kind is a kind of the project, or else a built-in kind. If no version is requested, the function chooses
/// the version that already has one of these policies, or else the storage version.
///
/// # Errors
/// Fails if neither the project nor Kubernetes has the kind or the version, if another version of the kind has the
/// policy, or if the API server exempts the kind from policies.
pub fn with_policies(intent: &PolicyIntent, project: &Project) -> Result<Resource> {
    let kind = &intent.kind;
    let asked = KindRequest {
        group: &intent.group,
        version: intent.version.as_ref(),
        kind,
        command: &|group, version, kind| intent.with(group, version, kind).command(),
    };
    let versions = asked.versions(project);
    let resource = match (versions.is_empty(), BuiltIn::is_group(intent.group.as_str())) {
        (true, true) => built_in(intent, project).map_err(|error| {
            // The project may have a group with the name of a built-in group.
            let own = |one: &Resource| one.origin == Origin::Own && one.key.group == intent.group;
            if project.resources.iter().any(own) {
                asked.unknown_kind(project, add(&intent.group, kind))
            } else {
                error
            }
        })?,
        (true, false) => return Err(asked.unknown_kind(project, add(&intent.group, kind))),
        (false, _) => {
            let has = |resource: &&&Resource| !none_of(intent.policies, resource.policies);
            let wanted = match &intent.version {
                Some(version) => versions.iter().find(|resource| resource.key.version == *version),
                None => versions.iter().find(has).or_else(|| versions.iter().find(|one| one.storage)),
            };
            let wanted = wanted.or_else(|| versions.first().filter(|_| intent.version.is_none()));
            (**wanted.ok_or_else(|| asked.unknown_version(&versions))?).clone()
        }
    };
    let other = |other: &&&Resource| !none_of(intent.policies, other.policies) && other.key != resource.key;
    if let Some(other) = versions.iter().find(other) {
        let version = &other.key.version;
        return Err(Error::conflict(format!("`{kind}` already has a policy for version `{version}`"))
            .caused_by(
                "the API server converts objects of every version to the policy's version, so one policy is enough",
            )
            .hint(intent.with(&intent.group, Some(version), kind).command()));
    }
    if resource.api_group(&project.domain) == EXEMPT {
        return Err(Error::user(format!("a policy cannot check `{kind}`"))
            .caused_by(format!(
                "the API server does not apply policies to the kinds of `{EXEMPT}`, so that every policy can be deleted"
            ))
            .hint("use RBAC to restrict who can change objects of these kinds"));
    }
    let policies = resource.policies.with(intent.policies);
    Ok(Resource { policies, ..resource })
}

fn none_of(wanted: Policies, known: Policies) -> bool {
    !(wanted.validating && known.validating || wanted.mutating && known.mutating)
}

/// Returns the resource of a built-in kind, in the requested version.
fn built_in(intent: &PolicyIntent, project: &Project) -> Result<Resource> {
    let found = BuiltIn::find(intent.group.as_str(), intent.version.as_ref(), intent.kind.as_str())?;
    let key = Key {
        group: Group::parse(found.written_group().0)?,
        version: Version::parse(found.version)?,
        kind: intent.kind.clone(),
    };
    // The group can be written in several ways.
    if let Some(known) = project.resource(&key) {
        return Ok(known.clone());
    }
    Ok(Resource {
        key,
        domain: None,
        origin: Origin::Core(found),
        plural: Plural::parse(found.plural)?,
        namespaced: found.namespaced,
        short_names: Vec::new(),
        categories: Vec::new(),
        api: false,
        controllers: Vec::new(),
        webhooks: Webhooks::default(),
        spokes: Vec::new(),
        policies: Policies::default(),
        image: None,
        fields: Vec::new(),
        storage: true,
        copied: false,
        imported: None,
    })
}

/// Returns the two commands from which the user chooses to add a kind: one generates the types of the kind, the other
/// uses types from another crate.
fn add(group: &Group, kind: &Kind) -> Hint {
    let group = group_flag(group);
    let own = hint!("opctl create api{group} --kind {kind}", group, kind);
    hint!(
        "{own}    # generates the types\nopctl create api --resource=false{group} --kind {kind} --external-api-path \
         CRATE::MODULE    # uses the types of another crate",
        own,
        group,
        kind
    )
}
