//! Compiles the types of an api crate, and asks them for their schemas.
//!
//! The shim is a small program below cargo's target folder, which depends on the api crate and prints the schema of
//! each type. This module starts cargo and that program, and writes only in its own folder.

mod answer;
mod answers;
mod ask;
mod build;
mod cache;
mod files;
mod folder;
mod narrow;
mod program;
mod program_manifest;
mod request;

pub use answer::Answer;
pub use answers::answers;
pub(crate) use answers::known;
pub(crate) use cache::digest;
pub(crate) use folder::folder;
pub use request::Request;
