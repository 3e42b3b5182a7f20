//! The priorities of passes.

/// The priority of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// The object may be unchanged, because it is in the first list, or because a period has
    /// passed.
    Low,
    High,
}
