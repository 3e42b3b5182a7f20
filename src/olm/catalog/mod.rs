//! File-based catalogs: the packages, channels and bundles that OLM installs from (operator-registry, `alpha/declcfg`).
//!
//! A catalog is a folder of YAML files. A bundle is added by lines: what others wrote stays, comments included.

mod add;
mod channel;
mod document;
mod rendered;

pub use add::{Added, add};
pub use document::CatalogFile;

#[cfg(test)]
mod tests;
