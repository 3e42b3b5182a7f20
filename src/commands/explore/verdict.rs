//! Reports the findings of an exploration.

use super::again::repeat_command;
use super::args::ExploreArgs;
use crate::error::{Hint, hint};
use crate::explore::{Plan, Summary, counted, render};
use crate::report::Report;
use crate::{Error, Result};

pub(super) fn plans_report(plans: &[Plan]) -> Report {
    let texts = |plans: &mut dyn Iterator<Item = &Plan>| plans.map(ToString::to_string).collect::<Vec<_>>();
    let lines = texts(&mut plans.iter());
    let timed = texts(&mut plans.iter().filter(|plan| plan.depends_on_timing()));
    let mut summary = counted(plans.len(), "plan");
    if !timed.is_empty() {
        summary += &format!(
            "; {} of them, numbered `#2` or higher, depend on how often the operator sends a request, and may not \
             occur in every run",
            timed.len()
        );
    }
    let data = serde_json::json!({ "plans": lines, "dependOnTiming": timed });
    Report::shown("explore", lines.join("\n"), data).summary(summary)
}

/// Returns the report of the findings for stdout. If the user interrupted the exploration, or if a finding is an error,
/// the report contains an error that makes opctl fail.
///
/// # Errors
/// Fails if `--replay` names a plan, and the run did not reach the point at which this plan injects its fault.
pub(super) fn findings_report(summary: &Summary, args: &ExploreArgs) -> Result<Report> {
    let (replayed, again) = (args.replay.is_some(), repeat_command(args));
    if replayed && summary.reached == 0 {
        return Err(Error::user("the operator never reached the situation in which this plan injects its fault")
            .caused_by("the operator now sends different requests in the step that the plan names")
            .hint(hint!("{again} --list    # lists the current plans for this operator", again)));
    }
    let result = result(summary);
    let mut text: Vec<String> = summary.findings.iter().map(render).collect();
    let mut all = again.clone();
    if args.depth > 1 {
        all.push(hint!(" --depth {depth}", depth = args.depth));
    }
    all.push(Hint::from(" --all"));
    text.extend(notes(summary, &all));
    if !replayed {
        text.extend(summary.exercised.lines());
    }
    text.push(result.clone());
    let data =
        serde_json::to_value(summary).map_err(|error| Error::bug("cannot convert a summary to JSON").source(&error))?;
    let report = Report::shown("explore", text.join("\n"), data);
    if summary.interrupted {
        return Ok(report.fails(&interruption_error(&result, &again)));
    }
    if summary.errors() == 0 {
        return Ok(report);
    }
    let first = summary.findings.iter().find_map(|finding| finding.replay.as_ref());
    let hint = match first {
        Some(replay) => hint!(
            "{replay}    # reproduces the first finding, and keeps the API server so that you can \
                               inspect the objects with kubectl",
            replay
        ),
        None => hint!("{again} --list    # shows what the operator does without a fault", again),
    };
    Ok(report.fails(&Error::user(format!("the operator has bugs: {result}")).hint(hint)))
}

fn interruption_error(result: &str, again: &Hint) -> Error {
    Error::interrupted(format!("interrupted: {result}")).hint(hint!(
        "{again} --budget 30s    # begins no new run after 30 seconds, and repeats suspicious runs to \
                     confirm their findings",
        again
    ))
}

/// Returns the line of the report that counts the points of a run at which faults were tried, the errors, and the
/// warnings of the exploration.
fn result(summary: &Summary) -> String {
    let (tried, planned, seconds) = (summary.tried, counted(summary.planned, "point"), summary.seconds);
    let warnings = counted(summary.findings.len() - summary.errors(), "warning");
    format!("{tried} of {planned} tried in {seconds:.0}s: {}, {warnings}", counted(summary.errors(), "error"))
}

/// Returns the lines of the report that follow the confirmed findings: unconfirmed findings, the number of points of
/// the run at which no fault was tried, and the warnings and errors that the operator logs without a fault. `all` is
/// the command line that tries faults at all points.
fn notes(summary: &Summary, all: &Hint) -> Vec<String> {
    let mut notes = Vec::new();
    for finding in &summary.flaky {
        let plan = finding.plan.as_deref().unwrap_or_default();
        let (shown, of) = (finding.repeats.shown, finding.repeats.of);
        notes.push(format!(
            "seen in only {shown} of {of} replays with the fault and in {} without it: {} ({plan})",
            finding.repeats.placebo, finding.message
        ));
    }
    if !summary.left.is_empty() {
        notes.push(format!("{} left out: {}", counted(summary.left.len(), "point"), all.as_str()));
    }
    let why =
        if summary.interrupted { "not repeated yet" } else { "not repeated, because there are findings to fix first" };
    for finding in &summary.unconfirmed {
        let plan = finding.plan.as_ref().map(|plan| format!(" ({plan})")).unwrap_or_default();
        notes.push(format!("{why}: {}{plan}", finding.message));
        notes.extend(finding.replay.iter().map(|line| format!("   look  {}", line.as_str())));
    }
    notes.extend(summary.complaints.iter().map(|line| format!("without a fault, the operator logs: {line}")));
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Args, FromArgMatches};

    #[test]
    fn a_list_says_which_plans_another_run_may_lack() {
        let list = |texts: &[&str]| plans_report(&texts.iter().map(|text| text.parse().unwrap()).collect::<Vec<_>>());
        assert_eq!(list(&["down@change"]).summary.unwrap(), "1 plan");
        let report = list(&["down@change", "crash:patch:services/web#2@create"]);
        assert!(
            report.summary.unwrap().starts_with("2 plans; 1 of them, numbered `#2` or higher, depend on how often")
        );
        assert_eq!(report.data.unwrap()["dependOnTiming"], serde_json::json!(["crash:patch:services/web#2@create"]));
    }

    #[test]
    fn all_that_was_found_is_one_document() {
        let command = ExploreArgs::augment_args(clap::Command::new("explore"));
        let args = ExploreArgs::from_arg_matches(&command.try_get_matches_from(["explore"]).unwrap()).unwrap();
        let summary = Summary {
            planned: 2,
            tried: 1,
            left: vec!["lag:pods@create".to_owned()],
            complaints: vec!["WARN slow".to_owned()],
            ..Summary::default()
        };
        let report = findings_report(&summary, &args).unwrap();
        assert_eq!((report.exit_code(), report.error.is_none()), (0, true));
        assert_eq!(
            report.text.unwrap(),
            "1 point left out: opctl explore --all\nwithout a fault, the operator logs: WARN slow\n\
             exercised without a fault: 0 writes; the operator makes no objects\n\
             1 of 2 points tried in 0s: 0 errors, 0 warnings"
        );
        assert_eq!(report.data.unwrap()["planned"], 2);

        let pairs = ExploreArgs { depth: 2, ..args };
        let text = findings_report(&summary, &pairs).unwrap().text.unwrap();
        assert!(text.starts_with("1 point left out: opctl explore --depth 2 --all\n"), "{text}");

        let report = findings_report(&Summary { interrupted: true, ..summary }, &pairs).unwrap();
        let error = report.error.as_ref().unwrap();
        assert_eq!(report.exit_code(), 130);
        assert_eq!(error.message, "interrupted: 1 of 2 points tried in 0s: 0 errors, 0 warnings");
    }
}
