//! Assigns each finding about an upgrade to a file of the project, for viewers that show a finding at a line.

use crate::explore::upgrade::lints;
use crate::explore::{self, Severity, Summary};
use crate::finding::Finding;
use crate::manifest::{DEFINITIONS, ROLE_FILE};
use std::path::{Path, PathBuf};

const PROGRAM: &str = "src/main.rs";

/// Returns the findings about an upgrade, each with the file that the finding is about. The findings from the
/// comparison of the CRDs come first.
pub(super) fn located_findings(summary: Summary) -> Vec<Finding> {
    let played = summary.findings.iter().filter_map(placed_finding);
    summary.definitions.into_iter().chain(played).collect()
}

fn placed_finding(found: &explore::Finding) -> Option<Finding> {
    let lint = lints().into_iter().find(|lint| lint.code == found.code)?;
    let replay = found.replay.as_ref().map(|line| format!("{}    # shows it again", line.as_str()));
    let mut finding = Finding::new(lint, &finding_file(found), 1, found.message.clone(), replay.unwrap_or_default());
    finding.severity = match found.severity {
        Severity::Error => crate::finding::Severity::Error,
        Severity::Warning => crate::finding::Severity::Warning,
    };
    Some(finding)
}

fn finding_file(found: &explore::Finding) -> PathBuf {
    let object = found.object.as_deref().unwrap_or_default();
    let resource = object.split([' ', '/']).next().unwrap_or_default();
    let is_of_definitions = found.plan.as_deref().is_some_and(|play| play.ends_with("crds"));
    match resource.split_once('.') {
        _ if found.code == "denied" => Path::new(ROLE_FILE).to_owned(),
        Some((plural, group)) if is_of_definitions => definition_file(group, plural),
        _ => Path::new(PROGRAM).to_owned(),
    }
}

/// Returns the path of the file into which `opctl manifests` writes a CRD.
pub(super) fn definition_file(group: &str, plural: &str) -> PathBuf {
    Path::new(DEFINITIONS).join(format!("{group}_{plural}.yaml"))
}
