//! From Rust types and markers to YAML: custom resource definitions and roles.
//!
//! The shell, here, reads files and runs cargo; everything that decides something is a pure function below.

pub mod discover;
pub mod shim;
pub mod yaml;
pub mod schema;
