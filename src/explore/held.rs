//! Observations of an operator while objects are not well.

use std::ops::Range;
use std::time::Duration;

/// The observations of one run while objects are not well.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// The samples whose status says that they are ready, each with one of the sample's objects that is not well.
    pub(super) claims: Vec<(String, String)>,
    /// The range of journal entries while objects were not well.
    pub(super) during: Range<usize>,
    /// The time for which objects were not well.
    pub(super) lasted: Duration,
}
