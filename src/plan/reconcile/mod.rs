//! Reconciles the files of a project with the files that opctl generates for the project.
//!
//! Every command compares two renderings of the project: the rendering before the command, known by the hashes in the
//! ledger (`.opctl/files.yaml`) or rendered again, and the rendering after the command. The module [`decision`] has the
//! table of decisions about files. Commands differ in how they merge a file that the user edited, and in how they treat
//! lines that would be lost.
//!
//! An unmodified file is replaced by the text that opctl generates now. An edited file is merged by a three-way merge:
//! the base is the text that opctl generated before, found by its hash in the ledger; ours is the file in the working
//! tree; theirs is the text that opctl generates now. The ledger then has the hash of the newly generated text, and
//! [`BASES`](super::BASES) stores the text itself for the next merge: the commits contain only the merged file, in
//! which the user's lines are mixed with the generated text.

mod by_hand;
mod decision;
mod deletion;
mod draft;
mod file;
mod needed;
mod operations;
mod paths;
mod records;
mod renaming;
mod rules;
mod three_way;
mod unfinished;
mod update;
mod wanted;

#[cfg(test)]
mod tests;

pub use deletion::Deletion;
pub use operations::{Renderings, reconcile_operations};
pub use paths::{Bases, paths};
pub use records::{PlanContext, file_text};
pub use renaming::{Renamed, Renaming};
pub use unfinished::{Conflicts, Ledgers, Unfinished, UnresolvedFile, Versions};
pub use update::{InConflict, Update, Updated};
pub use wanted::Rendering;
