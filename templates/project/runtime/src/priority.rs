//! The priorities of passes.

/// The priority of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// The object may be unchanged: it was in the first list, or its resync, requeue or retry
    /// is due.
    Low,
    High,
}
