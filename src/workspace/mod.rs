//! The project's files. Only this module reads or writes the files for a command's plan.
//!
//! A command makes all of its changes or none. [`commit()`] stages all new contents in `.opctl/journal`, moves them
//! into place by renames, `PROJECT` last, and undoes everything if a step fails. If a command is killed, the next
//! command that writes completes the changes, or undoes them if not everything had been staged:
//! [`Workspace::open_for_writing`]. A command that only reads changes nothing: [`Workspace::open`] and
//! [`Workspace::look`].
//!
//! A repository is untrusted input. File names are of the type [`ProjectPath`](crate::model::ProjectPath).
//! [`snapshot`] detects symlinks that lead out of the project, before the plan and again before the commit. A
//! journal is used only if it has the [seal] of the user's own opctl.

mod commit;
mod discover;
mod disk;
mod journal;
mod lock;
mod recover;
mod seal;
mod snapshot;
mod staging;
mod state_folder;
mod workspace;

pub use commit::commit;
pub use discover::{discover, entries_in_the_way};
pub use disk::{Disk, RealDisk};
pub use journal::journal_paths;
pub use seal::Sealer;
pub use snapshot::stays_within;
pub use workspace::Workspace;
