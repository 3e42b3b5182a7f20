//! From Rust types and markers to YAML: custom resource definitions and roles and webhooks.
//!
//! The shell, here, reads files and runs cargo; everything that decides something is a pure function below.

mod against;
mod compiled;
pub mod definition;
mod description;
pub mod discover;
mod enums;
mod generate;
mod header;
mod inputs;
pub mod lint;
mod manifests;
mod markers;
mod options;
mod places;
pub mod rbac;
mod re2;
mod rights;
mod rules;
pub mod schema;
pub mod shim;
mod sources;
mod verified;
mod webhook;

pub use against::Older;
pub use definition::VERSION_ANNOTATION;
pub use generate::generate;
pub use header::header;
pub use inputs::{INPUTS_FILE, Inputs};
pub use lint::Refusal;
pub use manifests::{DEFINITIONS, Manifests, ROLE_FILE, WEBHOOKS_FILE};
pub use options::{ExternalType, Options};
pub use verified::Judged;
