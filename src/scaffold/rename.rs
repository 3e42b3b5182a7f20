//! Renames a kind, a group or the project in `PROJECT`, and collects the names to replace in the project's files.

use super::bundle_base::bundle_base;
use super::check::check_renamed;
use super::conversion::{conversion_file, conversion_module};
use super::own_kind::KindRequest;
use super::storage::type_folder;
use super::webhook::webhook_names;
use crate::edit::{Names, dependencies};
use crate::error::hint;
use crate::model::{BuiltIn, Group, Key, Kind, Origin, Plural, Project, ProjectName, ProjectPath, Resource};
use crate::{Error, Result};

/// A kind, a group or the project, and its new name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RenameIntent {
    /// A kind, in all its versions.
    Kind {
        /// The part of the kind's API group before the domain.
        group: Group,
        /// The present name of the kind.
        kind: Kind,
        /// The kind's new name.
        to: Kind,
        /// The new plural, if given. Otherwise, a default plural of the old name becomes the default plural of the
        /// new name, and any other plural stays unchanged.
        plural: Option<Plural>,
    },
    /// A group, with all its kinds.
    Group {
        /// The present name of the API group.
        group: Group,
        /// The group's new name.
        to: Group,
    },
    /// Renames the project.
    Project {
        /// The project's new name.
        to: ProjectName,
    },
}

/// The result of a rename.
#[derive(Debug)]
pub struct RenamedProject {
    /// The project after the rename.
    pub project: Project,
    /// The names that change in the files of the renamed kind, group or project.
    pub names: Names,
    /// The names that change in all other files: only names that no other kind of the project uses.
    pub unshared: Names,
    /// The folders that contain the renamed types, as paths before the rename.
    pub folders: Vec<String>,
    /// The old and new paths of the files that opctl generated once and does not update, such as conversions. The
    /// content of these files depends on the state of the project when opctl generated them, so opctl cannot generate
    /// the files again from `PROJECT`.
    pub files: Vec<(ProjectPath, ProjectPath)>,
    /// The old and new names of the CRDs, which a cluster may already have.
    pub definitions: Vec<(String, String)>,
}

/// Returns a sentence about the project if the rename is already done, for example by an earlier run of the
/// command: the project has the new name, and does not have the old name.
pub fn renamed_before(intent: &RenameIntent, project: &Project) -> Option<String> {
    let own = || project.resources.iter().filter(|one| one.origin == Origin::Own);
    match intent {
        RenameIntent::Kind { group, kind, to, plural } => {
            let of = |kind: &Kind| own().find(|one| one.key.group == *group && one.key.kind == *kind);
            let has_plural = of(to)?.plural == *plural.as_ref().unwrap_or(&of(to)?.plural);
            let is_done = has_plural && (kind == to || of(kind).is_none());
            is_done.then(|| format!("the project has the kind `{to}`{}", missing_name_clause(kind, to)))
        }
        RenameIntent::Group { group, to } => {
            let has = |group: &Group| own().any(|one| one.key.group == *group);
            let is_done = has(to) && (group == to || !has(group));
            is_done.then(|| format!("the project has the group `{to}`{}", missing_name_clause(group, to)))
        }
        RenameIntent::Project { to } => (*to == project.name).then(|| format!("the project is named `{to}`")),
    }
}

fn missing_name_clause<T: PartialEq + std::fmt::Display>(old: &T, new: &T) -> String {
    if old == new { String::new() } else { format!(", and no `{old}`") }
}

/// Renames the kind, the group or the project. `manifests` are the texts of the project's `Cargo.toml` files.
///
/// # Errors
/// Fails if the project does not have or does not define the kind or the group, or if a new name is already in use
/// or too long.
pub fn apply_rename<'a>(
    intent: &RenameIntent,
    project: &Project,
    manifests: impl Iterator<Item = &'a str>,
) -> Result<RenamedProject> {
    let mut after = project.clone();
    match intent {
        RenameIntent::Kind { group, kind, to, plural } => {
            check_kind(group, kind, to, project)?;
            for resource in after.resources.iter_mut().filter(|one| one.key.group == *group && one.key.kind == *kind) {
                let was_usual = resource.plural == kind.default_plural();
                resource.key.kind = to.clone();
                if let Some(plural) = plural.clone().or(was_usual.then(|| to.default_plural())) {
                    resource.plural = plural;
                }
            }
        }
        RenameIntent::Group { group, to } => {
            check_group(group, to, project)?;
            for resource in after.resources.iter_mut().filter(|one| is_own_of(one, group)) {
                resource.key.group = to.clone();
            }
        }
        RenameIntent::Project { to } => after.name = to.clone(),
    }
    let changed: Vec<(&Resource, &Resource)> =
        project.resources.iter().zip(&after.resources).filter(|(old, new)| old != new).collect();
    let is_changed = |one: &Resource| changed.iter().any(|(_, new)| new.key == one.key);
    for (_, new) in &changed {
        // The renamed kind would get the versions of another kind.
        let twin =
            project.resources.iter().zip(&after.resources).find(|(old, one)| old == one && one.is_of_kind_of(new));
        if let Some((twin, _)) = twin {
            return Err(duplicate_kind_error(&twin.key));
        }
    }
    let is_project = matches!(intent, RenameIntent::Project { .. });
    for resource in after.resources.iter().filter(|one| is_project || is_changed(one)) {
        check_renamed(resource, &after).map_err(|error| with_own_flags(error, intent))?;
    }
    let definition = |project: &Project, one: &Resource| format!("{}.{}", one.plural, one.api_group(&project.domain));
    let mut definitions: Vec<(String, String)> =
        changed.iter().map(|(old, new)| (definition(project, old), definition(&after, new))).collect();
    definitions.dedup();
    let conversion = |one: &Resource| -> Vec<String> {
        one.spokes.iter().map(|spoke| conversion_file(&one.key.of_version(spoke))).collect()
    };
    let conversions = changed.iter().flat_map(|(old, new)| conversion(old).into_iter().zip(conversion(new)));
    let base = is_project.then(|| (bundle_base(project), bundle_base(&after)));
    let path = |(old, new): (String, String)| Ok((ProjectPath::parse(old)?, ProjectPath::parse(new)?));
    let files = conversions.chain(base).map(path).collect::<Result<Vec<_>>>()?;
    let folders = changed.iter().map(|(old, _)| type_folder(&old.key)).collect();
    let (mut names, mut unshared) = names(project, &after, &changed);
    let crates = other_crates(manifests, project);
    (names.crates, unshared.crates) = (crates.clone(), crates);
    Ok(RenamedProject { project: after, names, unshared, folders, files, definitions })
}

fn is_own_of(resource: &Resource, group: &Group) -> bool {
    resource.key.group == *group && resource.origin == Origin::Own
}

fn check_kind(group: &Group, kind: &Kind, to: &Kind, project: &Project) -> Result<()> {
    let command = |group: &Group, _: Option<&crate::model::Version>, kind: &Kind| {
        hint!("opctl rename api{} --kind {kind} --to {to}", super::own_kind::group_flag(group), kind, to)
    };
    let asked = KindRequest { group, version: None, kind, command: &command };
    let versions = asked.versions(project);
    let Some(first) = versions.first() else { return Err(asked.unknown_kind(project, "opctl list".into())) };
    if first.origin != Origin::Own {
        return Err(Error::user(format!("`{kind}` is not a kind that the project defines"))
            .caused_by("Kubernetes or another crate defines the kind, so opctl cannot rename it")
            .hint("opctl list"));
    }
    Ok(())
}

fn check_group(group: &Group, to: &Group, project: &Project) -> Result<()> {
    if project.resources.iter().any(|resource| is_own_of(resource, group)) {
        return Ok(());
    }
    let known = project.resources.iter().find(|one| one.origin == Origin::Own && !one.key.group.is_none());
    let error = Error::user(format!("the project defines no kind in the group `{group}`"));
    Err(match known {
        Some(known) => error.hint(hint!("opctl rename group --group {} --to {to}", known.key.group, to)),
        None => error.hint("opctl list"),
    })
}

/// Replaces the `create api` flags in an error's hint with the flags of `rename`. The error comes from a check that
/// both commands share, and the check suggests the flags of `create api`.
fn with_own_flags(error: Error, intent: &RenameIntent) -> Error {
    let hint = error.hint_or_none();
    let hint = match intent {
        RenameIntent::Kind { to, .. } if hint.as_str().starts_with("--controller-name") => {
            hint!("--to My{to}    # or any other unused name", to)
        }
        RenameIntent::Kind { .. } => hint.with_other_flag("--kind", "--to"),
        RenameIntent::Group { .. } => hint.with_other_flag("--group", "--to"),
        RenameIntent::Project { .. } => "choose a shorter `--to`".into(),
    };
    error.hint(hint)
}

fn duplicate_kind_error(key: &Key) -> Error {
    Error::conflict(format!("`{key}` is in the project already"))
        .caused_by("two kinds would have the same name")
        .hint("opctl list    # shows the names in use; choose another name")
}

/// Returns all names that change, and separately the changing names that no other kind of the project uses.
fn names(before: &Project, after: &Project, changed: &[(&Resource, &Resource)]) -> (Names, Names) {
    let mut names = Names::default();
    for (old, new) in changed {
        names.types.extend(old.type_names().into_iter().zip(new.type_names()));
        names.modules.extend(modules(old).into_iter().zip(modules(new)));
        names.tokens.push((old.api_group(&before.domain), new.api_group(&after.domain)));
        names.tokens.push((sample(old), sample(new)));
        names.tokens.extend(webhook_names(before, old).into_iter().zip(webhook_names(after, new)));
        names.resources.push((old.plural.to_string(), new.plural.to_string()));
        names.resources.push((old.key.kind.singular(), new.key.kind.singular()));
    }
    names.tokens.push((before.name.to_string(), after.name.to_string()));
    names.modules.push((before.name.crate_name(), after.name.crate_name()));
    for list in [&mut names.types, &mut names.modules, &mut names.tokens, &mut names.resources] {
        list.retain(|(old, new)| old != new);
        list.sort();
        list.dedup();
    }
    let is_other = |one: &&Resource| !changed.iter().any(|(old, _)| old.key == one.key);
    let others: Vec<&Resource> = before.resources.iter().filter(is_other).collect();
    // A Service in the YAML of a project is usually the built-in kind.
    let is_built_in = |name: &String| {
        BuiltIn::all().iter().any(|one| one.kind == name || one.plural == name || one.kind.to_lowercase() == *name)
    };
    let has = |name: &String| {
        is_built_in(name)
            || others.iter().any(|one| {
                let resources =
                    [one.plural.to_string(), one.key.kind.singular(), one.api_group(&before.domain), sample(one)];
                one.type_names().contains(name) || modules(one).contains(name) || resources.contains(name)
            })
    };
    let own = |list: &[(String, String)]| list.iter().filter(|(old, _)| !has(old)).cloned().collect();
    let unshared = Names {
        types: own(&names.types),
        modules: own(&names.modules),
        tokens: own(&names.tokens),
        resources: own(&names.resources),
        crates: Vec::new(),
    };
    (names, unshared)
}

/// Returns the names, as written in Rust code, of the project's dependencies and of the crates of the standard library.
/// Omits the project's `api` crate and root crate.
fn other_crates<'a>(manifests: impl Iterator<Item = &'a str>, project: &Project) -> Vec<String> {
    let own = ["api".to_owned(), project.name.crate_name()];
    let named = manifests.flat_map(dependencies).map(|(name, _)| name.replace('-', "_"));
    let others = named.filter(|name| !own.contains(name));
    others.chain(["std", "core", "alloc"].map(str::to_owned)).collect()
}

/// Returns the modules that are named after a kind or its group: the kind's module, the module of its conversions, and
/// the module of its group.
fn modules(resource: &Resource) -> Vec<String> {
    let key = &resource.key;
    [key.kind_module(), conversion_module(key)].into_iter().chain(key.group_module()).collect()
}

fn sample(resource: &Resource) -> String {
    format!("{}-sample", resource.key.kind.singular())
}
