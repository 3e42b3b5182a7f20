//! Decides about each file of a merge that git could not finish.
//!
//! [`Unfinished`] holds the files as they are in the working tree and on either side, [`Conflicts::find`] finds the
//! conflicts in them, and [`Conflicts::resolve`] decides.

mod conflict;
mod conflicts;
mod finish;
mod ledgers;
mod versions;

#[cfg(test)]
mod tests;

pub use conflicts::Conflicts;
pub use finish::Left;
pub use ledgers::Ledgers;
pub use versions::{Unfinished, Versions};
