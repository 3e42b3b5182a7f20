//! Reports the findings of an exploration.

use crate::cli::context::Context;
use crate::error::hint;
use crate::explore::{Plan, Summary, render};
use crate::report::{Outcome, Report};
use crate::{Error, Result};

pub(super) fn listed(plans: &[Plan]) -> Report {
    let lines: Vec<String> = plans.iter().map(ToString::to_string).collect();
    let summary = format!("{} plans", plans.len());
    Report::shown("explore", lines.join("\n"), serde_json::json!({ "plans": lines })).summary(summary)
}

/// Shows the findings; fails if there are errors among them.
pub(super) fn tell(summary: &Summary, replayed: bool, context: &Context) -> Result<Report> {
    let console = &context.console;
    for finding in &summary.findings {
        console.lines(&render(finding));
    }
    for finding in &summary.flaky {
        let plan = finding.plan.as_deref().unwrap_or_default();
        let (shown, of) = (finding.repeats.shown, finding.repeats.of);
        console.note(format!(
            "seen, but only in {shown} of {of} replays and in {} without the fault: {} ({plan})",
            finding.repeats.placebo, finding.message
        ));
    }
    if !summary.left.is_empty() {
        console.note(format!("{} points were left out: opctl explore --all", summary.left.len()));
    }
    for suspicion in &summary.unconfirmed {
        console.note(format!("not repeated, because there are findings to fix first: {suspicion}"));
    }
    for line in &summary.complaints {
        console.note(format!("without a fault, the operator logs: {line}"));
    }
    if replayed && summary.reached == 0 {
        return Err(Error::user("the operator did not reach the point of this plan")
            .caused_by("the operator does something else in this step now")
            .hint("opctl explore --list    # the plans of this project"));
    }
    let warnings = summary.findings.len() - summary.errors();
    let data = serde_json::to_value(summary).map_err(|error| Error::bug("a summary is not JSON").source(&error))?;
    let (tried, planned, seconds) = (summary.tried, summary.planned, summary.seconds);
    let text =
        format!("{tried} of {planned} points tried in {seconds:.0}s: {} errors, {warnings} warnings", summary.errors());
    let mut report = Report::new("explore", Outcome::Changed).summary(text);
    report.data = Some(data);
    if summary.errors() == 0 {
        return Ok(report);
    }
    if console.json() {
        console.report_line(&report);
    }
    let first = summary.findings.iter().find_map(|finding| finding.plan.as_deref());
    let hint =
        first.map(|plan| hint!("opctl explore --replay {plan} --keep    # and look at the objects with kubectl", plan));
    let summary = report.summary.unwrap_or_default();
    Err(Error::user(format!("the operator has bugs: {summary}"))
        .hint(hint.unwrap_or_else(|| "opctl run    # and look at it".into())))
}
