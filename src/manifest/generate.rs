//! Generates all files that `opctl manifests` writes, as contents by path.

use super::against::{self, LOSS, Older};
use super::compiled::{definitions_of, is_patched};
use super::inputs::Inputs;
use super::lint;
use super::lints::lints;
use super::manifests::{Manifests, ROLE_FILE, WEBHOOKS_FILE};
use super::options::Options;
use crate::access::rbac::{self, Grant};
use crate::access::{rights, webhook};
use crate::error::{file_error, hint};
use crate::finding::{Finding, Severity};
use crate::model::storage_loss;
use crate::reading::{self, Limit};
use crate::report::Console;
use crate::source::discover::ApiType;
use crate::source::files::{self, Made, Source};
use crate::source::markers::markers;
use crate::source::newer_types::{self, NEWER_TYPE};
use crate::source::places::Located;
use crate::template::verbatim;
use crate::{Error, Result, yaml};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Generates the manifests of the project at `root`. Writes only below cargo's target folder.
///
/// # Errors
/// Fails if the types do not compile, after showing the compiler's messages; if there is no cargo; or, with all
/// findings, if one of the findings is an error.
pub fn generate(root: &Path, options: &Options, console: &Console) -> Result<Manifests> {
    let root = std::path::absolute(root).map_err(|error| file_error("find", root, &error))?;
    let mut manifests = Manifests::default();
    let texts = verbatim("project").map(|(path, text)| (Path::new(path), text)).collect();
    let apis: Vec<&Path> = options.apis.iter().map(|api| api.folder.as_path()).collect();
    let read = files::read_sources(&root, &apis, &Made { texts, read: rights::NEED_RIGHTS })?;
    let sources: Vec<(PathBuf, String)> = read.iter().map(|one| (one.file.clone(), one.text.clone())).collect();
    let located = Located::new(&sources);
    // Before the compiler runs: a role with conflict markers is an error.
    let by_hand = rights::by_hand(&root)?;
    let mut findings = Vec::new();
    let made = definitions_of(&root, options, console, &mut manifests, (&located, &read), &mut findings);
    for source in read.iter().filter(|source| apis.iter().any(|api| source.file.starts_with(api))) {
        if let Some(syntax) = &source.syntax {
            findings.extend(lint::attributes(&source.file, &source.text, syntax));
        }
    }
    if !manifests.types.is_empty() {
        manifests.inputs = Some(Inputs::read(&root, options, &read, &manifests.converted)?);
    }
    let grants = from_markers(&read, options.namespaced, &mut manifests, &mut findings);
    // The unreadable marker may be the very one that grants the rights that seem to be missing.
    if errors(&findings) == 0 {
        let rights = by_hand.with(&grants);
        findings.extend(rights::check(&read, &manifests.types, &options.external, &rights));
    }
    if let Some(oldest) = &options.oldest {
        findings.extend(newer_types::check(&read, &oldest.version, &oldest.lacks));
    }
    if let (Ok(()), Some(older)) = (&made, options.against.as_ref().filter(|_| errors(&findings) == 0)) {
        let made = manifests.definitions.iter().map(|made| (made.file(), made.object.clone()));
        let newer: Vec<_> = made.chain(older.beside.clone()).collect();
        findings.extend(against::compare(older, &newer, &manifests.types, located.places()));
    }
    if made.is_ok() {
        let losses = losses(&root, &manifests, &located);
        findings.extend(losses.into_iter().filter(|loss| !findings.contains(loss)).collect::<Vec<_>>());
        findings.retain(|finding| {
            let name = finding.definition.as_deref().unwrap_or_default();
            finding.code != LOSS.code || !(manifests.has_conversion(name) || is_patched(&root, name))
        });
    }
    findings.extend(manifests.remembered(&located));
    if made.is_ok() && (!findings.is_empty() || sources.iter().any(|(_, source)| source.contains("+opctl:allow"))) {
        let looked_for = |code: &str| match code {
            _ if code == NEWER_TYPE.code => options.oldest.is_some(),
            _ => options.against.is_some() || !code.starts_with("OP6"),
        };
        findings = lint::apply_allowances(findings, &sources, located.places(), looked_for, &lints());
    }
    if !manifests.complete {
        // An allowance may be about a finding that only the compiled types would give.
        findings.retain(|finding| finding.code != lint::UNUSED_ALLOWANCE.code);
    }
    findings = lint::joined(findings);
    findings.sort_by(|one, other| {
        let key = |finding: &Finding| (finding.severity, finding.file.clone(), finding.line, finding.code.clone());
        key(one).cmp(&key(other))
    });
    made.map_err(|error| error.with_findings(findings.clone()))?;
    refuse(&findings, options.against.is_some())?;
    manifests.findings = findings;
    if !options.header.is_empty() {
        for content in manifests.files.values_mut() {
            content.insert_str(0, &options.header);
        }
    }
    manifests.sources = sources;
    manifests.drop_unverified_warnings();
    Ok(manifests)
}

/// Returns a finding for every CRD on disk whose stored objects would lose fields.
fn losses(root: &Path, manifests: &Manifests, sources: &Located) -> Vec<Finding> {
    let mut findings = Vec::new();
    for made in &manifests.definitions {
        let file = made.file();
        let Ok(text) = reading::text_within(root, &file, Limit::Source) else { continue };
        let only = |one: &ApiType| text.contains(&format!("name: {}\n", one.resource.version));
        if made.types.len() == 1 && made.types.iter().all(only) {
            continue;
        }
        // A file that is not a CRD does no harm here; the command fails when it writes the file.
        for (_, old) in Older::read(&file, &text).unwrap_or_default() {
            if storage_loss(&old, &made.object).is_some() {
                let old = (file.as_path(), &old);
                findings.extend(against::storage_loss(old, &made.object, &manifests.types, sources.places()));
            }
        }
    }
    findings
}

/// Makes the roles, and the webhook configurations if there are webhooks; returns the grants of the markers.
fn from_markers(
    sources: &[Source],
    namespaced: bool,
    manifests: &mut Manifests,
    findings: &mut Vec<Finding>,
) -> Vec<Grant> {
    let specs: Vec<Value> = manifests.types.iter().map(|found| found.resource.stated["spec"].clone()).collect();
    let outside = |group: &str, plural: &str| {
        let ours =
            |spec: &Value| spec["scope"] == "Cluster" && spec["group"] == group && spec["names"]["plural"] == plural;
        specs.iter().any(ours) || rights::is_outside_of_namespaces(group, plural)
    };
    let texts: Vec<_> = sources.iter().map(|source| (&source.file, source.without_tests())).collect();
    let (markers, misspelled): (Vec<_>, Vec<_>) = texts.iter().map(|(file, text)| markers(file, text)).unzip();
    let markers: Vec<_> = markers.into_iter().flatten().collect();
    let (grants, unreadable) = rbac::grants(&markers);
    let beyond = if namespaced { rbac::beyond_a_role(&markers, &outside) } else { Vec::new() };
    let (configurations, wrong) = webhook::configurations(&markers, sources, &manifests.types);
    findings.extend([misspelled.concat(), unreadable, rbac::powers(&markers), beyond, wrong].concat());
    manifests.files.insert(ROLE_FILE.into(), yaml::documents(&rbac::roles(&grants, namespaced)));
    if !configurations.is_empty() {
        manifests.files.insert(WEBHOOKS_FILE.into(), yaml::documents(&configurations));
    }
    grants
}

fn errors(findings: &[Finding]) -> usize {
    findings.iter().filter(|finding| finding.severity == Severity::Error).count()
}

/// Fails with all findings if one of them is an error of the types and markers themselves.
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
