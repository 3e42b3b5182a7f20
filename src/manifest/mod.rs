//! From Rust types and markers to YAML: custom resource definitions and roles and webhooks.
//!
//! The shell, here, reads files and runs cargo; everything that decides something is a pure function below.

mod against;
pub mod definition;
mod description;
pub mod discover;
mod generate;
pub mod lint;
mod markers;
pub mod rbac;
mod re2;
mod rules;
pub mod schema;
pub mod shim;
mod sources;
mod verified;
mod webhook;

pub use against::Older;
pub use generate::{Manifests, Options, generate};
pub use lint::Refusal;
