//! The arguments of `create policy`.

use crate::error::{Hint, hint};
use crate::model::{Group, Kind, Policies, Version};
use crate::scaffold::own_kind::group_flag;

/// The arguments of `create policy`.
#[derive(Clone, Debug)]
pub struct PolicyIntent {
    /// The part of the API group before the domain.
    pub group: Group,
    /// The version, if given.
    pub version: Option<Version>,
    /// The kind for which the command creates policies.
    pub kind: Kind,
    /// The policies that the user requests.
    pub policies: Policies,
    /// True if opctl replaces existing files whose content differs from the content that opctl generates.
    pub force: bool,
}

impl PolicyIntent {
    /// Returns the `opctl create policy` command line for the intent, for hints that users can run unchanged.
    pub fn command(&self) -> Hint {
        let version = self.version.as_ref().map(|version| hint!(" --version {version}", version)).unwrap_or_default();
        let mutating = if self.policies.mutating { " --mutating" } else { "" };
        hint!(
            "opctl create policy{}{version} --kind {}{mutating}",
            group_flag(&self.group),
            self.kind,
            version,
            mutating = Hint::from(mutating)
        )
    }

    /// Returns the same intent for another group, version and kind.
    pub(super) fn with(&self, group: &Group, version: Option<&Version>, kind: &Kind) -> Self {
        PolicyIntent { group: group.clone(), version: version.cloned(), kind: kind.clone(), ..self.clone() }
    }
}
