//! Codes that the code tells apart from the others.

/// Rules that only a server can judge.
pub(crate) const UNVERIFIED: &str = "OP551";

/// Fields that stored objects would lose.
pub(crate) const LOSS: &str = "OP620";

/// A server's warning.
pub(crate) const WARNED: &str = "OP553";
