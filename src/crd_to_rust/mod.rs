//! Generates from one version of a CRD the Rust types, a sample, and the properties of the types that templates need.
//!
//! Every keyword of the schema goes into a type, an attribute, or a warning. Nothing is left out silently.

mod branches;
mod code;
mod defaults;
mod doc;
mod fields;
mod items;
mod kind;
mod known;
mod literal;
mod pattern;
mod root;
mod rust_names;
mod rust_types;
mod sample;
mod sample_file;
mod schema_location;
mod shape;
mod version_code;

pub use root::has_root_fields;
pub use version_code::{VersionCode, version_code};
