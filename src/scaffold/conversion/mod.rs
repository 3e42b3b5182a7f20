//! The operations of `create webhook --conversion`, which adds a webhook that converts objects between versions.

mod check;
mod conversions;
mod impl_text;
mod impls;
mod operations;
mod paths;
mod template_values;
mod value;
mod variants;
mod version_types;

pub use check::with_spokes;
pub use conversions::{Conversion, conversions};
pub use operations::{create_conversion, watched_spoke};
pub(super) use paths::{conversion_file, conversion_module};
