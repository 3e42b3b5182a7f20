//! `opctl explore --from`: compares the CRDs of both versions like `opctl manifests --against`, before the upgrade.

use super::args::ExploreArgs;
use super::places::definition_file;
use super::side::Side;
use crate::Result;
use crate::commands::context::Context;
use crate::commands::operator_program::project;
use crate::explore::upgrade::Meant;
use crate::finding::{Finding, Severity};
use crate::manifest::{self, Older, Options};
use crate::report::Console;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The maximum number of findings to show for each pair of a finding code and a CRD.
const SHOWN: usize = 3;

/// Compares the CRDs of the old and the new version of the operator; shows and returns the findings. Findings that
/// `meant` marks as intended become warnings.
pub(super) fn compare_definitions(
    old: &Side,
    new: &Side,
    meant: &[Meant],
    args: &ExploreArgs,
    context: &Context,
) -> Result<Vec<Finding>> {
    let crds = |side: &Side| -> Result<Vec<(PathBuf, Value)>> {
        Ok(side.crds()?.into_iter().map(|crd| (file(&crd, args), crd)).collect())
    };
    let older = Older { name: old.name.clone(), definitions: crds(old)?, beside: Vec::new(), complete: true };
    let options = new.root.as_deref().and_then(|root| Some((root, Options::of(&project(root)?, String::new()))));
    let project = options.as_ref().map(|(root, options)| (*root, options));
    let mut findings = manifest::compatibility(&older, &crds(new)?, project, &context.console)?;
    for finding in &mut findings {
        let definition = finding.definition.as_deref().unwrap_or_default();
        let is_this = |meant: &&Meant| meant.finding == finding.code && meant.object == definition;
        if let Some(meant) = meant.iter().find(is_this) {
            finding.severity = Severity::Warning;
            finding.reason = format!("{} (meant: {})", finding.reason, meant.reason);
        }
    }
    show(&findings, &context.console);
    Ok(findings)
}

/// Shows at most `SHOWN` findings for each pair of a finding code and a CRD, and the number of findings that are not
/// shown: a changed type may cause a finding for many fields.
fn show(findings: &[Finding], console: &Console) {
    let mut all: BTreeMap<_, Vec<Finding>> = BTreeMap::new();
    for finding in findings {
        all.entry((finding.severity, &finding.definition, &finding.code)).or_default().push(finding.clone());
    }
    for ((_, definition, code), mut findings) in all {
        let more = findings.len().saturating_sub(SHOWN);
        findings.truncate(SHOWN);
        console.findings(&findings);
        if more > 0 && !console.json() {
            let definition = definition.as_deref().unwrap_or_default();
            console.note(format!(
                "the CRD `{definition}` has further {code} findings ({more} not shown), which `--output json` lists"
            ));
        }
    }
}

/// Returns the folder that `--crds` names or, without `--crds`, the path of the CRD's file in the project.
fn file(crd: &Value, args: &ExploreArgs) -> PathBuf {
    let text = |pointer: &str| crd.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let generated = || definition_file(text("/spec/group"), text("/spec/names/plural"));
    args.foreign.crds.clone().unwrap_or_else(generated)
}
