//! The options of `migrate`.

use crate::cluster::Target;
use std::time::Duration;

/// Options of `migrate`.
#[derive(Clone, Debug)]
pub struct MigrateOptions {
    /// The cluster.
    pub target: Target,
    /// Time limit of the whole command.
    pub timeout: Duration,
    /// Objects that are rewritten at the same time.
    pub parallel: usize,
    /// Fail if there is something to migrate, and write nothing.
    pub check: bool,
    /// Let the server check everything and keep nothing.
    pub dry_run: bool,
    /// The kind and its group as they were named, for the line that migrates it.
    pub arguments: String,
}
