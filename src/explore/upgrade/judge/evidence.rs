//! The evidence that the plays of an upgrade have left.

use crate::explore::state::Masks;
use crate::explore::upgrade::found::Found;
use crate::explore::upgrade::part::Part;
use crate::explore::upgrade::play::Play;
use std::collections::{BTreeMap, BTreeSet};

/// The objects that the plays have left, and the objects that each version makes by itself.
#[derive(Debug, Default)]
pub(in crate::explore::upgrade) struct Evidence {
    /// The plays that are judged.
    pub(in crate::explore::upgrade) wanted: BTreeSet<Play>,
    /// The samples, such as `shops.example.com/corner`.
    pub(in crate::explore::upgrade) samples: BTreeSet<String>,
    /// Fields that differ between two namespaces with the same version.
    pub(in crate::explore::upgrade) masks: Masks,
    /// The resources that the versions ask for.
    pub(in crate::explore::upgrade) resources: BTreeSet<String>,
    /// The old version by itself: at rest, and in the next two fields after a restart and after a deletion.
    pub(in crate::explore::upgrade) old: Part,
    pub(in crate::explore::upgrade) restarted: Part,
    pub(in crate::explore::upgrade) old_deleted: Part,
    /// The old version before each play.
    pub(in crate::explore::upgrade) before: BTreeMap<Play, Part>,
    /// The new version by itself: at rest, after a change, and after a deletion.
    pub(in crate::explore::upgrade) fresh: Option<[Part; 3]>,
    /// The new version in each play.
    pub(in crate::explore::upgrade) after: BTreeMap<Play, Part>,
    /// The old version in each play in which it takes over again.
    pub(in crate::explore::upgrade) back: BTreeMap<Play, Part>,
    /// Findings that need no comparison.
    pub(in crate::explore::upgrade) found: Vec<Found>,
}

impl Evidence {
    /// Returns true if the field of an object changes when the old version is only restarted.
    pub(super) fn changes_by_a_restart(&self, object: &str, path: &str) -> bool {
        let value = |part: &Part| part.picture.state.object(object).and_then(|leaves| leaves.get(path).cloned());
        value(&self.old) != value(&self.restarted)
    }
}
