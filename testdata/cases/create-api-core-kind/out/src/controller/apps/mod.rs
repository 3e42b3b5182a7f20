//! Controllers of the group `apps`.
pub mod deployment;
