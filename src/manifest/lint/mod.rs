//! Findings: what is wrong or odd in the API types and markers, each with a stable code.
//!
//! [`pages`] is the one table of codes. The checks here look at what the attributes state, as the API server would
//! (`k8s.io/apiextensions-apiserver` `pkg/apis/apiextensions/validation/validation.go`); those of the schema passes come
//! from [`super::schema`]. `Places` finds the line of a field, and `allow` takes out what is allowed with a reason.

mod allow;
mod attributes;
mod columns;
mod defaults;
mod formats;
mod json_path;
mod names;
mod pages;
mod places;
mod recursion;
mod refusals;
mod root;
mod values;
mod versions;

pub(super) use allow::{apply as apply_allowances, reason as allowed_reason};
pub(super) use attributes::check as attributes;
pub use pages::{Page, page, pages};
pub(super) use places::{Located, Places};
pub(super) use recursion::check as recursive;
pub use refusals::Refusal;
pub(super) use refusals::{refused, warned};
pub(super) use versions::{check as versions, joined};

use super::discover::ApiType;
use super::markers::Wrong;
use super::rules;
use super::schema::Problem;
use crate::error::{Finding, Severity};
use serde_json::Value;
use std::path::Path;

/// A finding at a line.
pub(super) fn at(code: &str, file: &Path, line: usize, reason: impl Into<String>, hint: impl Into<String>) -> Finding {
    Finding {
        code: code.to_owned(),
        severity: page(code).map_or(Severity::Error, |page| page.severity),
        file: file.display().to_string(),
        line,
        column: None,
        resource: None,
        definition: None,
        version: None,
        path: None,
        rust_type: None,
        reason: reason.into(),
        hint: hint.into(),
    }
}

/// What is wrong with a marker.
pub(super) fn marker(code: &str, file: &Path, line: usize, wrong: Wrong) -> Finding {
    at(code, file, line, wrong.message, wrong.hint).at_column(wrong.column)
}

/// A finding about a custom resource, at its `attribute`, the `index`-th of that name.
pub(super) fn of(
    api_type: &ApiType,
    attribute: (&str, usize),
    code: &str,
    reason: impl Into<String>,
    hint: impl Into<String>,
) -> Finding {
    let line = api_type.resource.lines.get(attribute.0).and_then(|lines| lines.get(attribute.1));
    let mut finding = at(code, &api_type.file, line.copied().unwrap_or(api_type.line), reason, hint);
    finding.resource = Some(api_type.path.clone());
    finding.rust_type = Some(api_type.spec.clone());
    finding
}

/// What a schema pass found, at the field that it is about where the source tells which one that is.
pub(super) fn of_schema(api_type: &ApiType, problem: &Problem, places: &Places) -> Finding {
    let name = &api_type.resource.root;
    let reason = if problem.path == "." {
        format!("`{name}` {}", problem.reason)
    } else {
        let rust = problem.rust_type.as_ref().map(|rust| format!(" (Rust type `{rust}`)")).unwrap_or_default();
        format!("the field `{}` of `{name}`{rust} {}", problem.path, problem.reason)
    };
    let (file, line) = places.field(api_type, &problem.path).unwrap_or((&api_type.file, api_type.line));
    let mut finding = at(problem.code, file, line, reason, &problem.hint);
    finding.resource = Some(api_type.path.clone());
    finding.path = Some(if problem.path == "." { ".".to_owned() } else { format!(".{}", problem.path) });
    finding.rust_type.clone_from(&problem.rust_type);
    finding
}

/// Checks the definition of one version: what `crd` states beside the schema, and what the schema holds. Without one,
/// where it cannot be used, only what does not need it.
pub(super) fn definition(api_type: &ApiType, crd: &Value, schema: Option<&Value>, places: &Places) -> Vec<Finding> {
    let mut findings = names::check(api_type, crd);
    findings.extend(columns::check(api_type, crd, schema));
    let values = schema.map(values::check).unwrap_or_default();
    let rules = schema.map(rules::check).unwrap_or_default();
    let root = schema.and_then(|schema| root::check(crd, schema));
    let problems = root.iter().chain(&values).chain(&rules);
    findings.extend(problems.map(|problem| of_schema(api_type, problem, places)));
    findings
}

/// The code of what only a server can judge.
pub(super) const UNVERIFIED: &str = "OP551";

/// The code of fields that stored objects would lose.
pub(super) const LOSS: &str = "OP620";

/// The code of what a server warned of.
pub(super) const WARNED: &str = "OP553";

/// That a definition has rules, whose types and cost only a server can judge: at the first of them, of the stored version if
/// that has one. `types` are those of its versions, in their order.
pub(super) fn unverified(definition: &Value, types: &[&ApiType], sources: &Located) -> Option<Finding> {
    let versions = definition["spec"]["versions"].as_array().into_iter().flatten().zip(types);
    let found = versions.filter_map(|(version, api_type)| {
        let paths = rules::paths(&version["schema"]["openAPIV3Schema"]);
        Some((version["storage"] == true, *api_type, paths.first()?.clone(), paths.len()))
    });
    let found: Vec<(bool, &ApiType, String, usize)> = found.collect();
    let (_, api_type, path, _) = found.iter().find(|(stored, ..)| *stored).or(found.first())?;
    let rules: usize = found.iter().map(|(.., count)| count).sum();
    let have = if rules == 1 { "a rule".to_owned() } else { format!("{rules} rules") };
    let kind = &api_type.resource.kind;
    let reason = format!("`{kind}` has {have} in CEL, whose types and cost only an API server can judge");
    let hint = "opctl manifests --verify    # asks one on this machine, and remembers the answer";
    let (file, line) = sources.places().field(api_type, path).unwrap_or((&api_type.file, api_type.line));
    let mut finding = at(UNVERIFIED, file, line, reason, hint);
    finding.resource = Some(api_type.path.clone());
    finding.rust_type = Some(api_type.spec.clone());
    Some(finding)
}

#[cfg(test)]
mod tests;
