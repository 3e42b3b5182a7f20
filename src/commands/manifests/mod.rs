//! Implements `opctl manifests`, which writes CRDs, roles and webhooks from Rust types and markers.

mod against;
mod args;
mod command;
mod current;
mod current_crds;
mod header;
pub(super) mod json_schema;
mod kinds;
mod oldest;
mod operations;

pub(crate) use args::ManifestsArgs;
pub(super) use current::{CurrentArgs, with_current_manifests};
pub(super) use current_crds::current_definitions;
