//! Checks the generated CRDs: the parts that come from attributes of the Rust types, and the schemas of the types.
//!
//! Each check follows the API server (`k8s.io/apiextensions-apiserver`
//! `pkg/apis/apiextensions/validation/validation.go`). The module `allow` removes each warning that a marker
//! `+opctl:allow` permits; the marker must state a reason.

mod about;
mod allow;
mod attributes;
mod characters;
mod checks;
mod columns;
mod crd_names;
mod recursion;
mod refusals;
mod unverified;
mod versions;

pub(super) use about::{of_schema, of_type};
pub(super) use allow::{UNUSED_ALLOWANCE, apply as apply_allowances, reason as allowed_reason};
pub(super) use attributes::check as attributes;
pub(super) use checks::{definition, lints};
pub(super) use recursion::check as recursive;
pub use refusals::Cause;
pub(super) use refusals::{WARNED, refusal_findings, warning_findings};
pub(super) use unverified::{UNVERIFIED, unchecked_rules_finding};
pub(super) use versions::{check as versions, join_version_findings};

#[cfg(test)]
mod tests;
