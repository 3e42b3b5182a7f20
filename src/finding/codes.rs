//! Codes that the code tells apart from the others.

/// The code of what only a server can judge.
pub(crate) const UNVERIFIED: &str = "OP551";

/// The code of fields that stored objects would lose.
pub(crate) const LOSS: &str = "OP620";

/// The code of what a server warned of.
pub(crate) const WARNED: &str = "OP553";
