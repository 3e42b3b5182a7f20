//! Stores plans for shell completion: the plans that the last exploration listed, or with which it found bugs. A plan
//! names a fault and the point of a run at which opctl injects the fault.
//!
//! A file below cargo's target folder has one plan on each line. If a finding belongs to the plan, a tab and the
//! message of the finding follow.

use super::remembered;
use crate::explore::{Plan, Summary};
use crate::manifest::memory;
use crate::reading::{self, Limit};
use crate::system;
use std::path::{Path, PathBuf};

fn file(root: &Path) -> PathBuf {
    memory(root).join("plans.txt")
}

/// Writes `lines`, one fault plan per line, to a file for shell completion. Ignores errors, because without the file a
/// shell only completes fewer plans.
fn write_plan_lines(root: &Path, lines: &[String]) {
    let file = file(root);
    let _ = system::create_folders(file.parent().unwrap_or(root))
        .and_then(|()| system::write_file(&file, lines.join("\n")));
}

/// Writes the fault plans that led to findings of an exploration to the file for shell completion.
pub(super) fn keep_found(root: &Path, summary: &Summary) {
    let found = summary.findings.iter().chain(&summary.flaky);
    let lines: Vec<String> =
        found.filter_map(|finding| Some(format!("{}\t{}", finding.plan.as_ref()?, finding.message))).collect();
    if !lines.is_empty() {
        write_plan_lines(root, &lines);
    }
}

/// Writes all fault plans of a project to the file for shell completion.
pub(super) fn keep_listed(root: &Path, plans: &[Plan]) {
    write_plan_lines(root, &plans.iter().map(ToString::to_string).collect::<Vec<_>>());
}

/// Returns fault plans of the project at `root` for shell completion: the plans that the last exploration listed or
/// with
/// which it found bugs, each with the message of its finding if it has one, and the plans in `tests/explore.toml`.
pub(crate) fn plans(root: &Path) -> Vec<(String, Option<String>)> {
    let text = reading::text(file(root), Limit::Source).unwrap_or_default();
    let kept = text.lines().map(|line| match line.split_once('\t') {
        Some((plan, message)) => (plan.to_owned(), Some(message.to_owned())),
        None => (line.to_owned(), None),
    });
    let remembered = remembered::plans(root).unwrap_or_default();
    kept.chain(remembered.iter().map(|plan| (plan.to_string(), None))).collect()
}
