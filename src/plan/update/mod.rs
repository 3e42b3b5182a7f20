//! Updates a project to the files that this opctl generates from its `PROJECT`.
//!
//! An unmodified file is replaced by the text that opctl generates now. An edited file is merged in three ways:
//! the base is the text that opctl generated before, found by its hash in the ledger; ours is the file in the working
//! tree; theirs is the text that opctl generates now. The ledger then has the hash of the newly generated text, and
//! [`BASES`](super::BASES) has the text itself, because no commit has it: the file also holds the user's lines.

mod by_hand;
mod decide;
mod delete;
mod files;
mod merge;
mod needed;
mod paths;
mod rename;
mod wanted;

#[cfg(test)]
mod tests;

pub use decide::{InConflict, Update, Updated};
pub use delete::Deletion;
pub use paths::{Bases, paths};
pub use rename::{Renamed, Renaming};
pub use wanted::Generated;
pub(super) use wanted::wanted;
