//! Reconciles the files of a merge that git could not finish. The side that is merged in is an additional input.
//!
//! [`Unfinished`] holds the files as they are in the working tree and on either side, [`Conflicts::find`] finds the
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
