//! The files of a merge, in the working tree and in git.

use crate::model::ProjectPath;
use std::collections::BTreeMap;

/// The versions of a file, in the working tree and in git.
#[derive(Clone, Debug, Default)]
pub struct Versions {
    /// The text in the working tree; `None` if there is no file.
    pub text: Option<String>,
    /// The text in the commit that both sides started from. opctl reads this text only for unmerged files, `PROJECT`
    /// and `.opctl/files.yaml`; `None` for other files, and for files that the commit does not have.
    pub base: Option<String>,
    /// The text on the side that is checked out.
    pub ours: Option<String>,
    /// The text on the side that is merged in.
    pub theirs: Option<String>,
    /// True if git lists the file as unmerged.
    pub is_unmerged: bool,
    /// True if one side removed the file.
    pub is_removed: bool,
}

/// The files of an unfinished merge, by path.
pub type Unfinished = BTreeMap<ProjectPath, Versions>;
