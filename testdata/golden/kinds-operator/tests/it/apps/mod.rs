//! Controllers of the group `apps`.
mod deployment;
