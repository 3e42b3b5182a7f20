//! Checks of CRDs: of the parts that the attributes state, and of the schemas that the types give.
//!
//! Each check follows the API server (`k8s.io/apiextensions-apiserver`
//! `pkg/apis/apiextensions/validation/validation.go`). The module `allow` removes the warnings that a marker allows
//! with a reason.

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

/// Checks the CRD of one version: `crd` without its schema, and `schema`. If the schema cannot be used, `schema` is
/// `None`, and only the checks that need no schema run.
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
