//! Compares CRDs with older CRDs of the same name, and reports the changes that break users of the API.
//!
//! A change breaks users if the API server refuses an object that the older CRD allowed, or returns the object without
//! some of its fields, or if a request that worked fails (Kubernetes, "Changing the API",
//! <https://git.k8s.io/community/contributors/devel/sig-architecture/api_changes.md>). A change that only allows
//! more objects or requests breaks no users.

mod bounds;
mod comparison;
mod definition;
mod older;
mod schema;
mod subject;

pub(crate) use comparison::lints;
pub(super) use comparison::{compare, storage_loss};
pub(crate) use definition::LOSS;
pub use older::Older;

#[cfg(test)]
mod tests;
