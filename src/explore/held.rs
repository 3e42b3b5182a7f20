//! Observations of an operator while objects are not well.

use std::ops::Range;
use std::time::Duration;

/// The observations of one run.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// The samples that say that they are ready, each with an object of theirs that is not well.
    pub(super) claims: Vec<(String, String)>,
    /// The journal entries of this time.
    pub(super) during: Range<usize>,
    /// How long it lasted.
    pub(super) lasted: Duration,
}
