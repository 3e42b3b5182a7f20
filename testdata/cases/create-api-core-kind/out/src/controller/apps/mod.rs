//! Controllers of the API group `apps`.
pub mod deployment;
