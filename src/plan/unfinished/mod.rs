//! Decides about each file of a merge that git could not finish.
//!
//! [`Unfinished`] holds the files as they stand there and as either side has them; [`Conflicts`] are found in it, and
//! [`Conflicts::resolve`] decides.

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
