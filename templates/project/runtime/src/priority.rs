//! The priorities of passes.

/// The priority of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// Nothing may have changed: the object is in the first list, or a time has passed.
    Low,
    High,
}
