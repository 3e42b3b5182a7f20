//! Turns schemars' schemas into the structural schemas that a Kubernetes API server accepts.
//!
//! Each step is a function over JSON values, in this order: `flatten` replaces references by definitions, `simplify`
//! translates JSON Schema 2020-12 into the keywords of `OpenAPI` 3.0, `nulls` decides which fields are nullable,
//! `variants` makes enums structural, `numbers` fixes formats and bounds, `free_form` marks values without a schema so
//! that the server does not prune their fields, `check` finds the parts that the server would still refuse, and
//! `contracts` finds values that the type writes and the schema would refuse or prune. A step that cannot express a
//! schema adds a [`SchemaFinding`] with the Rust type and the field; all findings are collected.

mod check;
mod contracts;
pub(crate) mod descriptions;
mod extensions;
mod finding;
mod flatten;
mod free_form;
pub(crate) mod json_path;
mod known;
mod lints;
mod marks;
mod nulls;
mod numbers;
mod path;
mod raw;
mod re2;
mod recursion;
pub(crate) mod root;
pub(crate) mod rules;
mod simplify;
mod structural;
pub(crate) mod values;
mod variants;

pub use finding::{Findings, SchemaFinding};
pub(crate) use flatten::TOO_LARGE;
pub(crate) use lints::lints;
pub use path::FieldPath;
pub(crate) use path::{Step, children, for_each_child};
pub use raw::Raw;
pub(crate) use recursion::{SELF_CONTAINED, recursion};
pub use structural::structural;
pub(crate) use values::UNUSABLE_CHARACTER;

#[cfg(test)]
mod tests;
