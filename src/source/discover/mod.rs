//! Finds the custom resources of an api crate by reading its source.
//!
//! The compiler decides whether a type is valid; this module only finds the types, and the public path by which a
//! program outside the crate can name each of them. `hidden` reports macros that may generate a type.

mod api_type;
mod cfg;
mod custom_resources;
mod hidden;
mod lints;
mod modules;
mod public;
mod seen_from;

pub use api_type::ApiType;
pub use cfg::Features;
pub use custom_resources::{own_types, types};
pub(crate) use lints::LINTS;

#[cfg(test)]
mod tests;
