//! Finds the kind that a command names among the kinds of the project.

use crate::Error;
use crate::error::{Hint, hint};
use crate::model::{BuiltIn, Group, Kind, Project, Resource, Version, most_like};

/// The group, version and kind that the user requests, and a function that returns the command line for another kind,
/// for use in hints.
pub(super) struct KindRequest<'a> {
    pub(super) group: &'a Group,
    pub(super) version: Option<&'a Version>,
    pub(super) kind: &'a Kind,
    /// The function that returns the command line with another group, version and kind.
    pub(super) command: &'a dyn Fn(&Group, Option<&Version>, &Kind) -> Hint,
}

impl KindRequest<'_> {
    /// Returns the versions of the kind that the project has.
    pub(super) fn versions<'p>(&self, project: &'p Project) -> Vec<&'p Resource> {
        let is_asked = |resource: &&Resource| resource.key.kind == *self.kind && resource.key.group == *self.group;
        project.resources.iter().filter(is_asked).collect()
    }

    /// Returns the error for a kind that the project does not have; `add` contains the commands that add the kind.
    pub(super) fn unknown_kind(&self, project: &Project, add: Hint) -> Error {
        let kind = self.kind;
        let error = Error::user(format!("the project has no kind `{kind}` in {}", describe_group(self.group.as_str())));
        let own = || project.resources.iter().filter(|resource| resource.api);
        // No command could add an invalid kind, but the user may have written a kind in another case.
        let near = same_kind(own(), kind)
            .or_else(|| similar_kind(own(), kind).filter(|_| Kind::parse_new(kind.as_str()).is_ok()));
        if let Some(near) = near {
            return error
                .caused_by(format!("there is `{}` in {}", near.key.kind, describe_group(near.key.group.as_str())))
                .hint((self.command)(&near.key.group, self.version, &near.key.kind));
        }
        if let Err(invalid) = Kind::parse_new(kind.as_str()) {
            return invalid.into();
        }
        let error = match BuiltIn::find(self.group.as_str(), None, kind.as_str()) {
            Err(wrong) if BuiltIn::is_group(self.group.as_str()) => {
                let meant = wrong.suggestion.as_deref().and_then(|meant| Kind::parse(meant).ok());
                let error = error.caused_by(wrong.rule);
                match meant {
                    Some(meant) => return error.hint((self.command)(self.group, self.version, &meant)),
                    None => error,
                }
            }
            _ => error,
        };
        match BuiltIn::group_of(kind.as_str()).and_then(|group| Group::parse(group).ok()) {
            Some(group) => error.hint(hint!("{}    # Kubernetes' own", (self.command)(&group, None, kind))),
            None => error.hint(add),
        }
    }

    /// Returns the error for a version that the kind does not have.
    pub(super) fn unknown_version(&self, versions: &[&Resource]) -> Error {
        let (kind, version) = (self.kind, self.version.map(ToString::to_string).unwrap_or_default());
        let known: Vec<String> = versions.iter().map(|resource| format!("`{}`", resource.key.version)).collect();
        let stored = versions.iter().find(|resource| resource.storage).or(versions.first());
        Error::user(format!("`{kind}` has no version `{version}`"))
            .caused_by(format!("the project has {}", known.join(", ")))
            .hint((self.command)(self.group, stored.map(|resource| &resource.key.version), kind))
    }
}

/// Returns the resource with the same kind as `kind`, ignoring upper and lower case.
pub(super) fn same_kind<'p>(mut resources: impl Iterator<Item = &'p Resource>, kind: &Kind) -> Option<&'p Resource> {
    resources.find(|resource| resource.key.kind.singular() == kind.singular())
}

/// Returns the resource whose kind is the most similar to `kind`, if a kind is similar enough for a hint.
pub(super) fn similar_kind<'p>(resources: impl Iterator<Item = &'p Resource>, kind: &Kind) -> Option<&'p Resource> {
    let resources: Vec<&Resource> = resources.collect();
    let name = most_like(kind.as_str(), resources.iter().map(|resource| resource.key.kind.as_str()))?;
    resources.into_iter().find(|resource| resource.key.kind.as_str() == name)
}

/// Returns ` --group GROUP`, or an empty text if the group is empty.
pub(super) fn group_flag(group: &Group) -> Hint {
    if group.is_none() { Hint::default() } else { hint!(" --group {group}", group) }
}

fn describe_group(group: &str) -> String {
    if group.is_empty() {
        "the group that equals the project's domain".to_owned()
    } else {
        format!("the group `{group}`")
    }
}
