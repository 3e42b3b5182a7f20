//! Merges the files of a project after a git merge that stopped at conflicts. In addition to the inputs of other
//! commands, this module reads the files of the side that is merged in.
//!
//! [`Unfinished`] holds the text of each file in the working tree and on both sides, [`Conflicts::find`] finds the
//! conflicts in the files, and [`Conflicts::resolve`] merges the sides.

mod conflict;
mod conflicts;
mod finish;
mod ledgers;
mod versions;

#[cfg(test)]
mod tests;

pub use conflicts::Conflicts;
pub use finish::UnresolvedFile;
pub use ledgers::Ledgers;
pub use versions::{Unfinished, Versions};
