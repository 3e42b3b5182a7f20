//! The files of a merge, as they stand there and as git has them.

use std::collections::BTreeMap;

/// The lock file of cargo, which a merge decides for itself.
pub(super) const LOCK: &str = "Cargo.lock";

/// A file as it stands there, and as git has it.
#[derive(Clone, Debug, Default)]
pub struct Versions {
    /// As it stands there; `None` if it does not.
    pub text: Option<String>,
    /// In the commit that both sides started from.
    pub base: Option<String>,
    /// On the side that is checked out.
    pub ours: Option<String>,
    /// On the side that is brought in.
    pub theirs: Option<String>,
    /// True if git lists it as unmerged.
    pub is_unmerged: bool,
    /// True if one side removed it.
    pub is_removed: bool,
}

/// The files that a merge is about, by path.
pub type Unfinished = BTreeMap<String, Versions>;
