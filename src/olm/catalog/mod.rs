//! File-based OLM catalogs of packages, channels and bundles (operator-registry, `alpha/declcfg`).
//!
//! A catalog is a folder of YAML files. A new bundle is inserted as lines, and all other lines stay unchanged.

mod add;
mod channel;
mod document;
mod rendered;

pub use add::{Added, add};
pub use document::CatalogFile;

#[cfg(test)]
mod tests;
