//! The Operator Lifecycle Manager (OLM): checks a bundle by the rules of the OLM tools, and adds a bundle to a
//! catalog. This module is pure: other modules read and write the files.
//!
//! The rules are the rules of `operator-sdk bundle validate`: the format and the content of a bundle
//! (operator-registry, `pkg/lib/bundle/validate.go`), and the validators of operator-framework/api
//! (`pkg/validation/internal`): the default validators, and the suites `operatorhub`, `standardcapabilities`,
//! `standardcategories`, `bundle-objects` and `good-practices`. Each finding has the severity that these tools
//! assign. The module [`on_v1`] finds the reasons why OLM v1 cannot install a bundle (operator-controller,
//! `internal/operator-controller/rukpak/render/registryv1/validators` and
//! `internal/operator-controller/applier/provider.go`).

mod bundle;
mod bundle_check;
mod bundle_crds;
pub mod catalog;
mod content;
mod examples;
mod field_lines;
mod field_types;
mod format;
mod hub;
mod limits;
mod lints;
mod loading;
mod manifest;
mod on_v1;
mod other_objects;
mod owned;
mod practices;
mod removed;
mod service_version;
mod webhooks;

pub use bundle::{Bundle, BundleFile, FOLDER};
pub use bundle_check::{Generation, check};
pub use lints::lints;

#[cfg(test)]
mod tests;
