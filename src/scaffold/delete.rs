//! The check of `opctl delete`'s arguments, and the removal of the named part of a kind, such as its webhooks, from
//! `PROJECT`.

use super::conversion::conversion_file;
use super::own_kind::{KindRequest, group_flag, same_kind, similar_kind};
use super::storage::{type_file, type_folder};
use crate::error::{Hint, hint};
use crate::model::{
    BuiltIn, ControllerName, Group, Kind, Origin, Policies, Project, ProjectPath, Resource, Version, Webhooks,
};
use crate::{Error, Result};

/// The part of a kind that is deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The types and the controllers.
    Api,
    /// The given admission webhooks and, if the second value is true, the conversion between versions.
    Webhook(Webhooks, bool),
    /// The given admission policies of the kind.
    Policy(Policies),
    /// The controller with the given name; `None` stands for the only controller of the kind.
    Controller(Option<ControllerName>),
}

/// The arguments of `opctl delete`.
#[derive(Clone, Debug)]
pub struct DeleteIntent {
    /// The part of the API group before the domain.
    pub group: Group,
    /// The version, if given.
    pub version: Option<Version>,
    /// The kind from which the command deletes.
    pub kind: Kind,
    /// The part that is deleted.
    pub part: Part,
}

/// The result of a deletion.
#[derive(Debug)]
pub struct Deleted {
    /// The project after the deletion.
    pub project: Project,
    /// The affected resources, as they were before the deletion.
    pub resources: Vec<Resource>,
    /// The files of the deleted part that opctl generated once and does not update, such as conversions. The content of
    /// these files depends on the state of the project when opctl generated them, so `PROJECT` may not be enough to
    /// generate the files again.
    pub files: Vec<ProjectPath>,
    /// The folders of types in which the deletion removes lines from `mod.rs`, or `mod.rs` itself.
    pub folders: Vec<ProjectPath>,
}

impl DeleteIntent {
    /// Returns the `opctl delete` command line for the intent, for hints that users can run unchanged.
    pub fn command(&self) -> Hint {
        let (name, mut flags) = match &self.part {
            Part::Api => ("api", Hint::default()),
            Part::Webhook(webhooks, conversion) => ("webhook", webhook_flags(*webhooks, *conversion)),
            Part::Policy(Policies { validating: true, mutating: true }) => ("policy", Hint::default()),
            Part::Policy(policies) => {
                ("policy", if policies.mutating { " --mutating" } else { " --validating" }.into())
            }
            Part::Controller(_) => ("controller", Hint::default()),
        };
        if let Part::Controller(Some(name)) = &self.part {
            flags = hint!(" --controller-name {name}", name);
        }
        hint!("{}{flags}", self.line(name, self.version.as_ref()), flags)
    }

    /// Returns the command line of `opctl migrate`, which rewrites the kind's objects in the storage version.
    pub fn migrate(&self) -> Hint {
        hint!("opctl {}", self.migrate_arguments())
    }

    /// Returns the arguments of the command line of `opctl migrate`.
    pub fn migrate_arguments(&self) -> Hint {
        hint!("migrate {}{}", self.kind, group_flag(&self.group))
    }

    fn line(&self, part: &str, version: Option<&Version>) -> Hint {
        let version = version.map(|version| hint!(" --version {version}", version)).unwrap_or_default();
        hint!("opctl delete {part}{}{version} --kind {}", group_flag(&self.group), self.kind, part, version)
    }
}

fn webhook_flags(webhooks: Webhooks, conversion: bool) -> Hint {
    let flags =
        [(" --defaulting", webhooks.defaulting), (" --validation", webhooks.validation), (" --conversion", conversion)];
    if flags.iter().all(|(_, is_on)| *is_on) {
        return Hint::default();
    }
    Hint::join(flags.into_iter().filter(|(_, is_on)| *is_on).map(|(flag, _)| Hint::from(flag)), "")
}

/// Returns the project without the part that the intent names.
///
/// # Errors
/// Fails if the kind, the version or the part does not exist, or if something else needs the types.
pub fn delete_part(intent: &DeleteIntent, project: &Project) -> Result<Deleted> {
    let of_kind = versions(intent, project)?;
    let is_meant =
        |resource: &&Resource| intent.version.as_ref().is_none_or(|version| resource.key.version == *version);
    let meant: Vec<&Resource> = of_kind.iter().copied().filter(is_meant).collect();
    if intent.part == Part::Api {
        check_needed(intent, &of_kind, &meant)?;
    }
    let mut left = Deleted { project: project.clone(), resources: Vec::new(), files: Vec::new(), folders: Vec::new() };
    for resource in meant {
        let Some(after) = remove_part(intent, resource, &mut left)? else { continue };
        left.resources.push(resource.clone());
        let is_empty = !after.api
            && after.controllers.is_empty()
            && !after.webhooks.any()
            && after.spokes.is_empty()
            && !after.policies.any();
        if is_empty {
            left.project.resources.retain(|other| other.key != resource.key);
        } else {
            left.project.upsert(after);
        }
    }
    if left.resources.is_empty() {
        return Err(nothing(intent, &of_kind));
    }
    keep_controllers(&mut left);
    Ok(left)
}

/// Moves the controllers of a removed version to a remaining version of the kind, because opctl removes a kind's
/// controllers only together with the kind's last version.
fn keep_controllers(left: &mut Deleted) {
    for gone in left.resources.iter().filter(|one| one.has_types()) {
        let mut others: Vec<&mut Resource> =
            left.project.resources.iter_mut().filter(|one| one.has_types() && one.is_of_kind_of(gone)).collect();
        others.sort_by_key(|one| !one.storage);
        if let Some(heir) = others.into_iter().next().filter(|one| one.key != gone.key) {
            heir.controllers.extend(gone.controllers.iter().cloned());
        }
    }
}

fn versions<'p>(intent: &DeleteIntent, project: &'p Project) -> Result<Vec<&'p Resource>> {
    let with = |group: &Group, version: Option<&Version>, kind: &Kind| {
        let (group, version, kind) = (group.clone(), version.cloned(), kind.clone());
        DeleteIntent { group, version, kind, part: intent.part.clone() }.command()
    };
    let asked =
        KindRequest { group: &intent.group, version: intent.version.as_ref(), kind: &intent.kind, command: &with };
    let mut versions = asked.versions(project);
    if versions.is_empty()
        && let Ok(found) = BuiltIn::find(intent.group.as_str(), intent.version.as_ref(), intent.kind.as_str())
    {
        // The group can be written in several ways.
        let is_it = |one: &&Resource| matches!(&one.origin, Origin::Core(own) if own.group == found.group && own.kind == found.kind);
        versions = project.resources.iter().filter(is_it).collect();
    }
    if versions.is_empty() {
        let all = || project.resources.iter();
        let near = same_kind(all(), &intent.kind).or_else(|| similar_kind(all(), &intent.kind));
        let known: Vec<String> = project.resources.iter().map(|resource| format!("`{}`", resource.key)).collect();
        let error = Error::user(format!("the project has no kind `{}`", intent.kind));
        let known = if known.is_empty() {
            "the project has no kinds".to_owned()
        } else {
            format!("it has {}", known.join("; "))
        };
        let hint = near.map_or("opctl list".into(), |near| with(&near.key.group, None, &near.key.kind));
        return Err(error.caused_by(known).hint(hint));
    }
    let has_version =
        intent.version.as_ref().is_none_or(|version| versions.iter().any(|one| one.key.version == *version));
    if has_version { Ok(versions) } else { Err(asked.unknown_version(&versions)) }
}

/// Fails if a conversion, a webhook, a policy or another version of the kind still needs the types to delete.
fn check_needed(intent: &DeleteIntent, of_kind: &[&Resource], meant: &[&Resource]) -> Result<()> {
    let kind = &intent.kind;
    let is_meant = |resource: &Resource| meant.iter().any(|one| one.key == resource.key);
    let converts = |one: &&&Resource| {
        one.spokes.iter().any(|spoke| is_meant(one) || meant.iter().any(|resource| resource.key.version == *spoke))
    };
    if let Some(hub) = of_kind.iter().find(converts) {
        let version = Some(&hub.key.version);
        return Err(Error::conflict(format!(
            "the conversion of `{kind}` still needs the version that would be deleted"
        ))
        .caused_by(format!("objects of other versions are converted to and from `{}`", hub.key.version))
        .hint(hint!("{} --conversion", intent.line("webhook", version))));
    }
    if let Some(resource) = meant.iter().find(|resource| resource.webhooks.any()) {
        return Err(Error::conflict(format!("the webhooks of `{kind}` need its types"))
            .caused_by(format!("the webhooks use the types of `{}`", resource.key))
            .hint(intent.line("webhook", Some(&resource.key.version))));
    }
    if let Some(resource) = meant.iter().find(|resource| resource.policies.any()) {
        return Err(Error::conflict(format!("the policies of `{kind}` need its types"))
            .caused_by(format!("the policies and their tests refer to `{}`", resource.key))
            .hint(intent.line("policy", Some(&resource.key.version))));
    }
    let stored = meant.iter().find(|resource| resource.api && resource.storage);
    let other = of_kind.iter().find(|resource| resource.api && !is_meant(resource));
    if let (Some(stored), Some(other)) = (stored, other) {
        let (version, group) = (&other.key.version, group_flag(&intent.group));
        return Err(Error::conflict(format!("`{kind}` is stored in version `{}`", stored.key.version))
            .caused_by("objects are stored in this version: another version must become the storage version first")
            .hint(hint!(
                "opctl create api{group} --kind {kind} --version {version} --storage-version",
                group,
                kind,
                version
            )));
    }
    Ok(())
}

/// Returns the resource without the part to delete; `None` if the resource does not have the part. Adds the files
/// and folders of the part to `left`, the result of the deletion.
fn remove_part(intent: &DeleteIntent, resource: &Resource, left: &mut Deleted) -> Result<Option<Resource>> {
    let mut after = resource.clone();
    let key = &resource.key;
    match &intent.part {
        Part::Api => {
            if resource.api {
                left.files.push(ProjectPath::parse(type_file(key))?);
                left.files.push(ProjectPath::parse(super::sample_file(resource))?);
                left.folders.push(ProjectPath::parse(type_folder(key))?);
            }
            (after.api, after.controllers) = (false, Vec::new());
        }
        Part::Webhook(gone, conversion) => {
            after.webhooks.defaulting &= !gone.defaulting;
            after.webhooks.validation &= !gone.validation;
            if *conversion {
                let spokes = std::mem::take(&mut after.spokes);
                for key in spokes.iter().map(|spoke| key.of_version(spoke)) {
                    left.files.push(ProjectPath::parse(conversion_file(&key))?);
                    left.folders.push(ProjectPath::parse(type_folder(&key))?);
                }
            }
        }
        Part::Policy(gone) => {
            after.policies.validating &= !gone.validating;
            after.policies.mutating &= !gone.mutating;
        }
        Part::Controller(Some(name)) => {
            after.controllers.retain(|controller| resource.controller_name(controller) != name.as_str());
        }
        Part::Controller(None) => match resource.controllers.as_slice() {
            [] => {}
            [_] => after.controllers.clear(),
            [first, ..] => {
                let names: Vec<String> = resource
                    .controllers
                    .iter()
                    .map(|controller| format!("`{}`", resource.controller_name(controller)))
                    .collect();
                return Err(Error::user(format!("`{}` has several controllers", key.kind))
                    .caused_by(format!("they are {}", names.join(", ")))
                    .hint(hint!("{} --controller-name {}", intent.command(), resource.controller_name(first))));
            }
        },
    }
    let is_other = after != *resource || intent.part == Part::Api;
    Ok(is_other.then_some(after))
}

/// Returns the error for a kind that does not have the part to delete.
fn nothing(intent: &DeleteIntent, of_kind: &[&Resource]) -> Error {
    let what = match &intent.part {
        Part::Api => "types",
        Part::Webhook(..) => "such webhook",
        Part::Policy(_) => "such policy",
        Part::Controller(_) => "such controller",
    };
    let mut known: Vec<String> = Vec::new();
    for resource in of_kind {
        let version = &resource.key.version;
        known.extend(resource.controllers.iter().map(|one| format!("controller `{}`", resource.controller_name(one))));
        known.extend(resource.policies.names().into_iter().map(|name| format!("{name} policy of `{version}`")));
        let webhooks = webhook_names(resource);
        known.extend(webhooks.into_iter().map(|name| format!("{name} webhook of `{version}`")));
    }
    let known = if known.is_empty() {
        "it has no controller, webhook or policy".to_owned()
    } else {
        format!("it has: {}", known.join(", "))
    };
    Error::user(format!("`{}` has no {what} to delete", intent.kind)).caused_by(known).hint("opctl list")
}

fn webhook_names(resource: &Resource) -> Vec<&'static str> {
    let all = [
        ("defaulting", resource.webhooks.defaulting),
        ("validation", resource.webhooks.validation),
        ("conversion", !resource.spokes.is_empty()),
    ];
    all.into_iter().filter(|(_, is_there)| *is_there).map(|(name, _)| name).collect()
}
