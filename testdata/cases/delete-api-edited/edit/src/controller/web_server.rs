//! Mine.
