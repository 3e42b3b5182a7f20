//! Merges all versions of a kind into one CRD, in controller-gen's shape.

mod agreement;
mod definitions;
mod merge;
mod size;
mod version;

pub(crate) use definitions::LINTS;
pub use definitions::{Merged, definitions};
pub use size::size;
pub use version::Version;

#[cfg(test)]
mod tests;
