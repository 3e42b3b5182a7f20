//! Merges all versions of a kind into one CRD, with the same structure as CRDs from controller-gen.

mod agreement;
mod kind_version;
mod merge;
mod merge_versions;
mod size;

pub use kind_version::Version;
pub(crate) use merge_versions::LINTS;
pub use merge_versions::{MergedDefinition, definitions};
pub use size::size;

#[cfg(test)]
mod tests;
