//! The options of `migrate`.

use crate::cluster::Target;
use crate::error::Hint;
use std::time::Duration;

/// Options of `migrate`.
#[derive(Clone, Debug)]
pub struct MigrateOptions {
    /// The cluster whose objects are migrated.
    pub target: Target,
    /// Time limit of the whole command.
    pub timeout: Duration,
    /// The number of objects that are rewritten at the same time.
    pub parallel: usize,
    /// Fail if there is something to migrate, and write nothing.
    pub check: bool,
    /// Let the server validate everything and store nothing.
    pub dry_run: bool,
    /// The arguments of `opctl migrate` that name a kind and its group, as typed by the user, for commands in hints.
    pub arguments: Hint,
}
