//! Copies the storage version of a kind as the start of a further version: the version's types and its sample, in their
//! present state.
//!
//! The further version starts with the fields of the storage version, because Kubernetes stores one object for all
//! versions of a kind, and drops the fields that the storage version does not have.

mod crate_files;
mod further_version;
mod module;
mod origin;
mod rewrite;
mod sample;
mod source_file;

pub use crate_files::Files;
pub use further_version::{VersionCopy, copy, sample_file};
