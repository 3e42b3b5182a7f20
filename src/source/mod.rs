//! Reads the sources of a project without compiling them: custom resources, markers, places of fields, enums.
//!
//! Only `files` and `cargo_manifest` read files; everything else works on their texts.

pub mod api_crate;
pub(crate) mod cargo_manifest;
pub mod discover;
pub(crate) mod enums;
pub(crate) mod files;
pub(crate) mod markers;
pub(crate) mod module_items;
pub(crate) mod newer_types;
pub(crate) mod places;
pub(crate) mod plain_name;
pub(crate) mod test_code;
