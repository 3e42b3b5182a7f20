//! Checks of definitions: of what the attributes state, and of the schemas that the types give.
//!
//! Each looks as the API server would (`k8s.io/apiextensions-apiserver` `pkg/apis/apiextensions/validation/validation.go`).
//! `allow` takes out what a marker allows with a reason.

mod about;
mod allow;
mod attributes;
mod columns;
mod names;
mod recursion;
mod refusals;
mod unverified;
mod versions;

pub(super) use about::{of_schema, of_type};
pub(super) use allow::{UNUSED_ALLOWANCE, apply as apply_allowances, reason as allowed_reason};
pub(super) use attributes::check as attributes;
pub(super) use recursion::check as recursive;
pub use refusals::Cause;
pub(super) use refusals::{WARNED, refused, warned};
pub(super) use unverified::{UNVERIFIED, unverified};
pub(super) use versions::{check as versions, joined};

use crate::finding::{Finding, Lint};
use crate::schema::{root, rules, values};
use crate::source::discover::ApiType;
use crate::source::places::Places;
use serde_json::Value;

/// The lints of this folder.
pub(super) fn lints() -> impl Iterator<Item = &'static Lint> {
    let files = [
        names::LINTS,
        columns::LINTS,
        allow::LINTS,
        attributes::LINTS,
        versions::LINTS,
        refusals::LINTS,
        unverified::LINTS,
    ];
    files.into_iter().flatten().copied()
}

/// Checks the definition of one version: what `crd` states beside the schema, and what the schema holds. Without one,
/// where it cannot be used, only what does not need it.
pub(super) fn definition(api_type: &ApiType, crd: &Value, schema: Option<&Value>, places: &Places) -> Vec<Finding> {
    let mut findings = names::check(api_type, crd);
    findings.extend(columns::check(api_type, crd, schema));
    let values = schema.map(values::check).unwrap_or_default();
    let rules = schema.map(rules::check).unwrap_or_default();
    let root = schema.and_then(|schema| root::check(crd, schema));
    let found = root.iter().chain(&values).chain(&rules);
    findings.extend(found.map(|found| of_schema(api_type, found, places)));
    findings
}

#[cfg(test)]
mod tests;
