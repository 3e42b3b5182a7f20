//! The findings and the summary of an exploration, for output as text or as JSON.

use crate::error::Hint;
use crate::explore::judge::suspicion::{Oracle, Severity};
use crate::explore::record::journal::{Entry, VARIES};
use crate::explore::record::state::Difference;
use crate::explore::run::exercise::{Exercised, counted};
use crate::explore::run::log;
use crate::explore::run::settle::Recovery;
use crate::finding;
use crate::report::clipped;
use serde::Serialize;
use std::fmt::Write as _;

/// The numbers of repeated runs with and without the fault, and how many of these runs show the suspicion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Repeats {
    /// The number of repeated runs with the fault in which the suspected finding occurred again.
    pub shown: u32,
    /// The number of repeated runs with the fault.
    pub of: u32,
    /// The number of runs without the fault that also showed the suspicion.
    pub placebo: u32,
    /// The number of repeated runs without the fault.
    pub placebos: u32,
}

impl Repeats {
    /// Returns true if every run with the fault showed the suspicion, and no run without the fault showed it.
    pub fn is_certain(self) -> bool {
        self.shown == self.of && self.placebo == 0
    }
}

/// A bug of the operator, with the evidence and the plan that reproduces the bug.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The severity of the bug; an error makes the command fail.
    pub severity: Severity,
    /// The oracle that found the bug: the rule that the operator breaks.
    pub oracle: Oracle,
    /// The fault and its effect, as a sentence.
    pub message: String,
    /// The code of the finding, which is shown in brackets after `error` or `warning`.
    pub code: &'static str,
    /// The plan that shows the bug; `None` if the bug occurs without a fault.
    pub plan: Option<String>,
    /// The object of a finding about an upgrade, such as `deployments.apps/web`; `None` for all other findings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// The command line that reproduces the bug; `None` if the bug occurs without a fault.
    pub replay: Option<Hint>,
    /// The command line that saves the plan, so that `opctl test` replays it; `None` if the bug occurs without a fault,
    /// or if opctl cannot store plans in a project of this operator.
    pub remember: Option<Hint>,
    /// The seconds from the beginning of the exploration to the finding.
    pub seconds: f64,
    /// The event after which the objects are the same as in the reference run; `None` if the bug is not about
    /// differences between objects.
    pub heals: Option<Recovery>,
    /// The numbers of repeated runs that show the bug.
    pub repeats: Repeats,
    /// The differences between the objects of this run and the objects of the reference run.
    pub differences: Vec<Difference>,
    /// The events around the fault.
    pub timeline: Vec<Entry>,
    /// The events of the same step in a run without a fault.
    pub reference_timeline: Vec<Entry>,
    /// The write that follows the plan's target request in a run without a fault, such as `create services/web`. Writes
    /// without an effect do not count. `None` if the plan's target is not a request, or if no write follows.
    pub reference_next: Option<String>,
    /// Lines of the operator's log, each with its time in seconds.
    pub log: Vec<String>,
    /// Other plans that show the same suspicion.
    pub also: Vec<String>,
}

/// The result of an exploration.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// The findings about an upgrade that result from a comparison of the old and the new CRDs, without running the
    /// operator. A report lists these findings separately.
    #[serde(skip)]
    pub definitions: Vec<finding::Finding>,
    /// The findings: first the findings from runs without a fault, then the findings from runs with a fault.
    pub findings: Vec<Finding>,
    /// Suspicions that some repeated runs did not confirm.
    pub flaky: Vec<Finding>,
    /// The number of planned points, at each of which a run can inject a fault.
    pub planned: usize,
    /// The number of planned points that were tried in a run.
    pub tried: usize,
    /// The number of tried points at which the fault was injected, because the run reached the point.
    pub reached: usize,
    /// Plans that were tried in a run that did not reach the point of the fault.
    pub unreached: Vec<String>,
    /// Plans that were not tried, for example because the time limit had expired.
    pub left: Vec<String>,
    /// Suspicions whose runs were not repeated, because there were too many or the exploration was interrupted.
    pub unconfirmed: Vec<Finding>,
    /// True if the user interrupted the exploration.
    pub interrupted: bool,
    /// Warnings and errors that the operator logs in each run without a fault.
    pub complaints: Vec<String>,
    /// Fields that differ between two runs without a fault, and are therefore not compared.
    pub masks: Vec<String>,
    /// The parts of the operator that were exercised, without a fault and with faults.
    pub exercised: Exercised,
    /// The seconds that the runs without a fault took.
    pub reference_seconds: f64,
    /// The seconds from the beginning of the exploration to the first suspicion that is an error; `None` without such a
    /// suspicion.
    pub first_suspicion_seconds: Option<f64>,
    /// The seconds that the whole exploration took.
    pub seconds: f64,
}

impl Summary {
    /// Returns the numbers of errors and warnings from the CRDs alone, as the end of a report's summary sentence, such
    /// as `; in the CRDs alone: 1 error, 2 warnings`. Returns an empty text if there are no such findings.
    pub fn in_definitions(&self) -> String {
        let is_error = |found: &&finding::Finding| found.severity == finding::Severity::Error;
        let (all, errors) = (self.definitions.len(), self.definitions.iter().filter(is_error).count());
        if all == 0 {
            return String::new();
        }
        format!("; in the CRDs alone: {}, {}", counted(errors, "error"), counted(all - errors, "warning"))
    }

    /// Returns the number of findings that are errors.
    pub fn errors(&self) -> usize {
        self.findings.iter().filter(|finding| finding.severity == Severity::Error).count()
    }
}

impl Finding {
    /// Returns a sentence about the event that removed the differences, if any.
    pub fn recovery(&self) -> Option<&'static str> {
        match self.heals? {
            Recovery::NextEvent => {
                Some("the objects became equal when the samples were touched: no earlier event triggered a reconcile")
            }
            Recovery::Restart => Some("the objects became equal when the operator was restarted"),
            Recovery::ByItself | Recovery::Never => None,
        }
    }

    /// Returns true if the timeline or a difference contains a name that differs from run to run.
    pub fn has_varying_names(&self) -> bool {
        let varies = |entry: &Entry| entry.request().is_some_and(|request| request.named.is_some());
        self.timeline.iter().any(varies) || self.differences.iter().any(|found| found.name.is_some())
    }
}

/// The maximum number of characters of a journal or log line in the text. JSON and the HTML page have the whole line.
const WIDTH: usize = 150;

/// Renders a finding as text, in the form of a compiler's message.
pub fn render(finding: &Finding) -> String {
    let severity = if finding.severity == Severity::Error { "error" } else { "warning" };
    let mut text = format!("{severity}[{}]: {}\n", finding.code, finding.message);
    let Repeats { shown, of, placebo, placebos } = finding.repeats;
    if let Some(plan) = &finding.plan {
        let repeats = match (of, placebos) {
            (0, _) => String::new(),
            (_, 0) => format!("    ({shown}/{of})"),
            _ => format!("    ({shown}/{of}, without the fault {placebo}/{placebos})"),
        };
        let _ = writeln!(text, "  --> {plan}{repeats}");
    }
    for entry in &finding.timeline {
        let _ = writeln!(text, "{}", clipped(&entry.to_string(), WIDTH));
    }
    if finding.has_varying_names() {
        let _ = writeln!(text, "          {VARIES} marks a name that differs from run to run");
    }
    if let Some(next) = &finding.reference_next {
        let _ = writeln!(text, "          without the fault, the next write is {next}");
    }
    for (index, difference) in finding.differences.iter().enumerate().take(5) {
        let _ = writeln!(text, "   {}  {difference}", if index == 0 { "end " } else { "    " });
    }
    if finding.differences.len() > 5 {
        let _ = writeln!(text, "         and {}", counted(finding.differences.len() - 5, "more difference"));
    }
    if let Some(recovery) = finding.recovery() {
        let _ = writeln!(text, "   then  {recovery}");
    }
    for (index, line) in finding.log.iter().enumerate() {
        let line = log::short(line, WIDTH);
        let _ = writeln!(text, "   {}  {line}", if index == 0 { "log " } else { "    " });
    }
    if !finding.also.is_empty() {
        let few: Vec<&str> = finding.also.iter().take(3).map(String::as_str).collect();
        let more = if finding.also.len() > 3 { format!(" and {} more", finding.also.len() - 3) } else { String::new() };
        let _ = writeln!(text, "   also  {}{more}", few.join(", "));
    }
    for (word, line) in [("look", &finding.replay), ("keep", &finding.remember)] {
        if let Some(line) = line {
            let _ = writeln!(text, "   {word}  {}", line.as_str());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::plan::fault_plan::Step;
    use crate::explore::record::journal::{Event, Request};
    use std::time::Duration;

    fn write(request: &str, changes: &[&str]) -> Event {
        let changes = changes.iter().map(|change| (*change).to_owned()).collect();
        let request = request.to_owned();
        Event::Request(Request { request, status: 200, changes, effective: true, ..Request::default() })
    }

    fn of_second_replica(request: &str) -> Event {
        let request = request.to_owned();
        Event::Request(Request { request, status: 409, standby: true, ..Request::default() })
    }

    fn timeline() -> Vec<Entry> {
        let entry = |milliseconds, event| Entry { at: Duration::from_millis(milliseconds), step: Step::Create, event };
        vec![
            entry(400, Event::User("creates webs.e.com/web".to_owned())),
            entry(431, write("patch:webs.e.com/web/status#1", &["status.phase: Done"])),
            entry(431, write("patch:a/b#1", &["a: 1", "b: 1", "c: 1", "d: 1"])),
            entry(431, Event::Fault("the operator is killed before it gets the answer".to_owned())),
            entry(560, Event::Operator("starts".to_owned())),
            entry(560, of_second_replica("patch:a/b#1")),
            entry(561, Event::Told("ADDED webs.e.com/web".to_owned())),
        ]
    }

    /// Returns a finding about an object that is missing after a crash.
    fn missing_service(heals: Recovery) -> Finding {
        Finding {
            severity: Severity::Error,
            oracle: Oracle::State,
            message: "after a crash, services/web is missing".to_owned(),
            code: "never-heals",
            plan: Some("crash:patch:webs.e.com/web/status#1@create".to_owned()),
            object: None,
            replay: Some("opctl explore --replay 'crash:patch:webs.e.com/web/status#1@create' --keep".into()),
            remember: Some("opctl explore --remember 'crash:patch:webs.e.com/web/status#1@create'".into()),
            seconds: 1.0,
            heals: Some(heals),
            repeats: Repeats { shown: 3, of: 3, placebo: 0, placebos: 3 },
            differences: vec![Difference {
                object: "services/web".to_owned(),
                name: None,
                path: String::new(),
                expected: Some("exists".to_owned()),
                found: None,
            }],
            timeline: timeline(),
            reference_timeline: Vec::new(),
            reference_next: Some("create services/web".to_owned()),
            log: vec!["0.590 INFO nothing to do".to_owned()],
            also: vec!["a".to_owned(), "b".to_owned(), "c".to_owned(), "d".to_owned()],
        }
    }

    #[test]
    fn a_finding_reads_like_an_error_of_a_compiler() {
        assert_eq!(
            render(&missing_service(Recovery::Never)),
            "\
error[never-heals]: after a crash, services/web is missing
  --> crash:patch:webs.e.com/web/status#1@create    (3/3, without the fault 0/3)
   0.400  user      creates webs.e.com/web
   0.431  operator  patch   webs.e.com/web/status  200   status.phase: Done
   0.431  operator  patch   a/b  200   a: 1, b: 1, c: 1, d: 1
   0.431  FAULT     the operator is killed before it gets the answer
   0.560  operator  starts
   0.560  replica 2 patch   a/b  409
   0.561  watch     ADDED webs.e.com/web
          without the fault, the next write is create services/web
   end   services/web is missing
   log   0.590 INFO nothing to do
   also  a, b, c and 1 more
   look  opctl explore --replay 'crash:patch:webs.e.com/web/status#1@create' --keep
   keep  opctl explore --remember 'crash:patch:webs.e.com/web/status#1@create'
"
        );
    }

    #[test]
    fn a_finding_says_what_made_the_objects_equal() {
        let healed = render(&missing_service(Recovery::Restart));
        assert!(
            healed.contains("is missing\n   then  the objects became equal when the operator was restarted\n   log "),
            "{healed}"
        );
    }
}
