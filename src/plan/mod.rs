//! The changes of a command, decided before anything is written.
//!
//! [`resolve()`] is pure: it makes a [`Plan`] of [`Operation`]s and a [`Snapshot`] of the files that they name. Dry run,
//! diff, commit, `--check` and JSON all read that plan. [`update`] makes a plan for a project that another opctl
//! generated.

mod bases;
mod change;
mod edited;
mod ledger;
mod merge;
mod operation;
mod resolve;
mod snapshot;
mod unfinished;
pub mod update;

pub use crate::edit::{dependencies, has_dependency, has_version, merge_locks};
pub use bases::BASES;
pub use change::{Action, Change, Plan};
pub use edited::{no_toml, with_line_ends_of};
pub use ledger::{LEDGER_FILE, Ledger, hash};
pub use merge::{Merged, merge};
pub use operation::{Edit, Existing, Operation, Step};
pub use resolve::{PlanContext, Renderings, readable, resolve};
pub use snapshot::{Entry, Snapshot};
pub use unfinished::{Conflicts, Ledgers, Left, Unfinished, Versions};
