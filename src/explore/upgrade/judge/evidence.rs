//! Defines the results of all tests of an upgrade. A test is a [`Play`], a sequence of events around the change to the
//! new version. The module `judge` compares the results to find bugs.

use crate::explore::record::state::Masks;
use crate::explore::upgrade::found::UpgradeFinding;
use crate::explore::upgrade::play::Play;
use crate::explore::upgrade::run_version::Part;
use std::collections::{BTreeMap, BTreeSet};

/// The results of the plays, and the results of each version without an upgrade.
#[derive(Debug, Default)]
pub(in crate::explore::upgrade) struct Evidence {
    /// The plays that the user selected. Only the results of these plays are compared.
    pub(in crate::explore::upgrade) wanted: BTreeSet<Play>,
    /// The samples, such as `shops.example.com/corner`.
    pub(in crate::explore::upgrade) samples: BTreeSet<String>,
    /// The fields that comparisons ignore, because they differ even between two namespaces with the same version.
    pub(in crate::explore::upgrade) masks: Masks,
    /// The resources that the versions of the operator request.
    pub(in crate::explore::upgrade) resources: BTreeSet<String>,
    /// The result of the old version without an upgrade, at rest. `restarted` and `old_deleted` are its results after a
    /// restart and after a deletion.
    pub(in crate::explore::upgrade) old: Part,
    pub(in crate::explore::upgrade) restarted: Part,
    pub(in crate::explore::upgrade) old_deleted: Part,
    /// The result of the old version before each play.
    pub(in crate::explore::upgrade) before: BTreeMap<Play, Part>,
    /// The results of a fresh installation of the new version: at rest, after a change, and after a deletion. `None` if
    /// the new CRDs refuse the samples.
    pub(in crate::explore::upgrade) fresh: Option<[Part; 3]>,
    /// The result of the new version in each play.
    pub(in crate::explore::upgrade) after: BTreeMap<Play, Part>,
    /// The result of the old version in each play in which it takes over again from the new version.
    pub(in crate::explore::upgrade) back: BTreeMap<Play, Part>,
    /// The findings that need no comparison of objects, such as a sample that the new CRDs refuse.
    pub(in crate::explore::upgrade) found: Vec<UpgradeFinding>,
}

impl Evidence {
    /// Returns true if the field of an object changes when the old version is only restarted.
    pub(super) fn changes_by_a_restart(&self, object: &str, path: &str) -> bool {
        let value = |part: &Part| part.picture.state.object(object).and_then(|leaves| leaves.get(path).cloned());
        value(&self.old) != value(&self.restarted)
    }
}
