//! Defines the observations of a run in which the pods, Jobs or volume claims that the operator manages are unhealthy.

use std::ops::Range;
use std::time::Duration;

/// The observations of one run while the operator's pods, Jobs or volume claims are unhealthy.
#[derive(Debug, Default)]
pub struct UnwellObservations {
    /// The samples whose status says that they are ready, each with an unhealthy object of the sample.
    pub claims: Vec<(String, String)>,
    /// The range of journal entries in which objects were unhealthy.
    pub during: Range<usize>,
    /// The time for which objects were unhealthy.
    pub lasted: Duration,
}
