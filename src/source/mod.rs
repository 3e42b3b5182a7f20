//! Reads a project's sources without compiling them: custom resources, markers, locations of fields, and enums.
//!
//! Only `files` and `cargo_manifest` read files; the other modules work on the texts of the files.

pub mod api_crate;
pub(crate) mod cargo_manifest;
pub(crate) mod crate_sources;
pub mod discover;
pub(crate) mod enums;
pub(crate) mod markers;
pub(crate) mod module_items;
pub(crate) mod newer_types;
pub(crate) mod places;
pub(crate) mod plain_name;
pub(crate) mod test_code;
