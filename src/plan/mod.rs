//! The changes of a command, planned before anything is written.
//!
//! [`reconcile`] is pure: it makes a [`Plan`] from the files that opctl generates before and after a command, and
//! from a [`Snapshot`] of the existing files. Dry run, diff, commit, `--check` and JSON all use the plan.

mod bases;
mod change;
mod edited;
mod ledger;
mod merge;
mod operation;
pub mod reconcile;
mod snapshot;

pub use crate::edit::{dependencies, has_dependency, has_version, merge_locks};
pub use bases::BASES;
pub use change::{Action, Change, Plan};
pub use edited::{no_toml, with_line_ends_of};
pub use ledger::{LEDGER_FILE, Ledger, hash};
pub use merge::{MergeResult, merge};
pub use operation::{Edit, Existing, Operation, Step};
pub use reconcile::{
    Conflicts, Ledgers, PlanContext, Renderings, Unfinished, UnresolvedFile, Versions, file_text, reconcile_operations,
};
pub use snapshot::{Entry, Snapshot};
