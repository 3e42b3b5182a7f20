//! Runs all checks of one version of a CRD.

use super::about::of_schema;
use super::crd_names;
use super::{allow, attributes, characters, columns, refusals, unverified, versions};
use crate::finding::{Finding, Lint};
use crate::schema::{descriptions, root, rules, values};
use crate::source::discover::ApiType;
use crate::source::places::Places;
use serde_json::Value;

pub(in crate::manifest) fn lints() -> impl Iterator<Item = &'static Lint> {
    let files = [
        crd_names::LINTS,
        columns::LINTS,
        allow::LINTS,
        attributes::LINTS,
        versions::LINTS,
        refusals::LINTS,
        unverified::LINTS,
    ];
    files.into_iter().flatten().copied()
}

/// Checks the CRD of one version; `crd` is the CRD without its schema. `schema` is `None` if the schema cannot be used:
/// then only the checks that need no schema run.
pub(in crate::manifest) fn definition(
    api_type: &ApiType,
    crd: &Value,
    schema: Option<&Value>,
    places: &Places,
) -> Vec<Finding> {
    let mut findings = crd_names::check(api_type, crd);
    findings.extend(columns::check(api_type, crd, schema));
    findings.extend(characters::check(api_type, crd));
    let values = schema.map(values::check).unwrap_or_default();
    let rules = schema.map(rules::check).unwrap_or_default();
    let descriptions = schema.map(descriptions::check).unwrap_or_default();
    let root = schema.and_then(|schema| root::check(crd, schema));
    let found = root.iter().chain(&values).chain(&rules).chain(&descriptions);
    findings.extend(found.map(|found| of_schema(api_type, found, places)));
    findings
}
