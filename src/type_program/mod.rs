//! Compiles the types of an api crate, and gets the CRD and the schemas of each type.
//!
//! The shim is a small program below cargo's target folder, which depends on the api crate and prints the schema of
//! each type. This module runs cargo and the shim, and writes only in the shim's folder.

mod answer;
mod answers;
mod ask;
mod build;
mod cache;
mod folder;
mod narrow;
mod program;
mod program_files;
mod program_manifest;
mod request;

pub use answer::Answer;
pub use answers::answers;
pub(crate) use answers::known_answers;
pub(crate) use cache::digest;
pub(crate) use folder::folder;
pub use request::Request;
