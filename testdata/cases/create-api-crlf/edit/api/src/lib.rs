//! Mine.
