//! Controllers of the API group `apps`.
mod deployment;
