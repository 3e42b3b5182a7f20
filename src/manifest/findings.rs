//! The findings that need the results of several steps, and the order of all findings.

use super::against::{self, LOSS, Older};
use super::generate_crds::is_patched;
use super::lint;
use super::lints::lints;
use super::manifests::GeneratedDefinition;
use super::options::Options;
use crate::error::hint;
use crate::finding::{Finding, Severity};
use crate::model::storage_loss;
use crate::reading::{self, Limit};
use crate::source::discover::ApiType;
use crate::source::newer_types::NEWER_TYPE;
use crate::source::places::LazyPlaces;
use crate::{Error, Result};
use std::path::Path;

/// Returns findings about incompatible changes of the generated CRDs, from two comparisons. The comparison with the
/// CRDs in `older`, if given, reports all incompatible changes. The comparison with the existing CRD files in the
/// project reports only changes by which stored objects lose fields.
pub(super) fn compare(
    root: &Path,
    older: Option<&Older>,
    definitions: &[GeneratedDefinition],
    types: &[ApiType],
    sources: &LazyPlaces,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(older) = older {
        let made = definitions.iter().map(|made| (made.file.as_str().into(), made.object.clone()));
        let newer: Vec<_> = made.chain(older.beside.clone()).collect();
        findings = against::compare(older, &newer, types, sources.places());
    }
    let losses = definitions.iter().flat_map(|made| losses(root, made, types, sources));
    let losses: Vec<Finding> = losses.filter(|loss| !findings.contains(loss)).collect();
    findings.extend(losses);
    findings.retain(|finding| {
        let name = finding.definition.as_deref().unwrap_or_default();
        let is_converted = definitions.iter().any(|made| made.name() == name && made.is_converted());
        finding.code != LOSS.code || !(is_converted || is_patched(root, name))
    });
    findings
}

/// Returns a finding if stored objects of the CRD on disk would lose fields under the generated CRD.
fn losses(root: &Path, made: &GeneratedDefinition, types: &[ApiType], sources: &LazyPlaces) -> Vec<Finding> {
    let file = Path::new(made.file.as_str());
    let Ok(text) = reading::text_within(root, file, Limit::Source) else { return Vec::new() };
    let is_there = |one: &ApiType| text.contains(&format!("name: {}\n", one.resource.version));
    if let [only] = made.types.as_slice()
        && is_there(only)
    {
        return Vec::new();
    }
    // A file that is not a CRD does no harm here; the command fails when it writes the file.
    let old = Older::read(file, &text).unwrap_or_default().into_iter().map(|(_, old)| old);
    let lossy = old.filter(|old| storage_loss(old, &made.object).is_some());
    lossy.filter_map(|old| against::storage_loss((file, &old), &made.object, types, sources.places())).collect()
}

/// Removes the warnings that markers allow, and adds findings about wrong or unused markers. If `complete` is false,
/// does not report unused markers: some checks did not run, for example because the types were not compiled, and the
/// marker may allow a warning of such a check.
pub(super) fn apply_allow_markers(
    findings: Vec<Finding>,
    options: &Options,
    sources: &LazyPlaces,
    complete: bool,
) -> Vec<Finding> {
    let looked_for = |code: &str| match code {
        _ if code == NEWER_TYPE.code => options.oldest.is_some(),
        _ => options.against.is_some() || !code.starts_with("OP6"),
    };
    let mut findings = lint::apply_allowances(findings, sources, looked_for, &lints());
    findings.retain(|finding| complete || finding.code != lint::UNUSED_ALLOWANCE.code);
    findings
}

/// Joins the findings about fields that exist in only one of two versions of a CRD into one finding for each pair of
/// versions, and sorts all findings by severity and place.
pub(super) fn in_order(findings: Vec<Finding>) -> Vec<Finding> {
    let mut findings = lint::join_version_findings(findings);
    findings.sort_by_cached_key(|one| (one.severity, one.file.clone(), one.line, one.code.clone()));
    findings
}

pub(super) fn has_errors(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Error)
}

/// Fails, with all findings in the error, if at least one error has to stop the command. Every error stops the command,
/// except for errors about compatibility with older CRDs: such an error stops the command only if it means that stored
/// objects lose fields, and if `compared` is false. If `compared` is true, the user asked for the comparison, and the
/// command itself reports the errors about compatibility.
pub(super) fn refuse(findings: &[Finding], compared: bool) -> Result<()> {
    // If the user asked for the comparison, the command reports its findings itself.
    let left = |finding: &Finding| finding.is_about_compatibility() && (compared || finding.code != LOSS.code);
    let errors: Vec<&Finding> =
        findings.iter().filter(|finding| finding.severity == Severity::Error && !left(finding)).collect();
    let Some(first) = errors.first() else { return Ok(()) };
    let number = if errors.len() == 1 { "an error".to_owned() } else { format!("{} errors", errors.len()) };
    let error = Error::user(format!("the API types and markers have {number}, and nothing was written"));
    Err(error.hint(hint!("opctl explain {}", first.code)).with_findings(findings.to_vec()))
}
