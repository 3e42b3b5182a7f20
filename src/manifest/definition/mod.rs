//! Merges all versions of a kind into one CRD, with the same structure as CRDs from controller-gen.

mod agreement;
mod definitions;
mod merge;
mod size;
mod version;

pub(crate) use definitions::LINTS;
pub use definitions::{MergedDefinition, definitions};
pub use size::size;
pub use version::Version;

#[cfg(test)]
mod tests;
