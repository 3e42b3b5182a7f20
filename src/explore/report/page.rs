//! Renders the findings as one HTML page without external resources.

use super::text::{Finding, Repeats, Summary};
use crate::explore::judge::suspicion::Severity;
use crate::explore::record::journal::{Entry, Event, VARIES};
use crate::explore::run::exercise::counted;
use crate::finding;
use crate::html::{escaped, head};
use std::fmt::Write as _;

const STYLE: &str = "\
body { font: 15px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin: 0 0 .5rem; } h3 { font-size: .85rem; margin: .5rem 0; opacity: .75; }
article { border: 1px solid var(--line); border-radius: 8px; padding: 1rem; margin: 1.5rem 0; }
.error h2 span { color: var(--error); } .warning h2 span { color: var(--warning); }
.both { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1rem; }
@media (max-width: 50rem) { .both { grid-template-columns: minmax(0, 1fr); } }
ol { list-style: none; margin: 0; padding: .5rem; background: var(--soft); border-radius: 6px; }
li { font: 12.5px/1.6 ui-monospace, monospace; overflow-wrap: anywhere; padding-left: 4.5rem; text-indent: -4.5rem; }
li.fault { color: var(--error); font-weight: 600; } li.user { color: var(--link); } li.watch { opacity: .65; }
pre { background: var(--soft); border-radius: 6px; padding: .5rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 12.5px; }
code { overflow-wrap: anywhere; }
";

/// Renders the HTML page about an exploration of `operator`.
pub fn page(summary: &Summary, operator: &str) -> String {
    let head = head(&format!("{operator}: opctl explore"), STYLE);
    let mut text = format!("<!doctype html>\n{head}<h1>{}: what opctl explore found</h1>\n", escaped(operator));
    let warnings = summary.findings.len() - summary.errors();
    let _ = writeln!(
        text,
        "<p>{} of {} tried in {:.0} s: {}, {}{}.</p>",
        summary.tried,
        counted(summary.planned, "point"),
        summary.seconds,
        counted(summary.errors(), "error"),
        counted(warnings, "warning"),
        summary.in_definitions(),
    );
    let of_definitions = |found: &finding::Finding| {
        format!("{}[{}]: {}\n  --> {}", found.severity.name(), found.code, found.reason, found.place())
    };
    let said: Vec<_> = summary.definitions.iter().map(of_definitions).collect();
    write_list(&mut text, "Findings from comparing the CRDs of both versions", &said);
    let _ = writeln!(text, "<p>{}</p>", escaped(&summary.exercised.lines().join("\n")).replace('\n', "<br>"));
    if summary.interrupted {
        text.push_str("<p>The exploration was interrupted.</p>\n");
    } else if summary.findings.is_empty() && summary.flaky.is_empty() && summary.unconfirmed.is_empty() {
        text.push_str("<p>The operator produced the same objects in every run.</p>\n");
    }
    for finding in &summary.findings {
        write_finding(&mut text, finding);
    }
    for (title, findings) in
        [("Seen only in some of the repeated runs", &summary.flaky), ("Not repeated", &summary.unconfirmed)]
    {
        if !findings.is_empty() {
            let _ = writeln!(text, "<h2>{title}</h2>");
        }
        for finding in findings {
            write_finding(&mut text, finding);
        }
    }
    write_list(&mut text, "Warnings and errors that the operator logs without a fault", &summary.complaints);
    write_list(&mut text, "Points that were not tried within the budget", &summary.left);
    write_list(&mut text, "Points that were not reached", &summary.unreached);
    write_list(
        &mut text,
        "Fields that were not compared, because they differ between two runs without a fault",
        &summary.masks,
    );
    text
}

fn write_finding(text: &mut String, finding: &Finding) {
    let class = if finding.severity == Severity::Error { "error" } else { "warning" };
    let (code, message) = (finding.code, escaped(&finding.message));
    let _ = writeln!(text, "<article class=\"{class}\">\n<h2><span>{class}[{code}]</span> {message}</h2>");
    if let Some(replay) = &finding.replay {
        let Repeats { shown, of, placebo, placebos } = finding.repeats;
        let seen = match (of, placebos) {
            (0, _) => "seen once".to_owned(),
            (_, 0) => format!("seen in {shown} of {of} runs with the fault"),
            _ => format!("seen in {shown} of {of} runs with the fault, and in {placebo} of {placebos} without"),
        };
        let _ = writeln!(text, "<p><code>{}</code><br>{seen}</p>", escaped(replay.as_str()));
    }
    text.push_str("<div class=\"both\">\n");
    if finding.plan.is_some() {
        write_timeline(text, "With the fault", &finding.timeline);
        write_timeline(text, "Without a fault", &finding.reference_timeline);
    } else {
        write_timeline(text, "Without any fault", &finding.timeline);
    }
    text.push_str("</div>\n");
    if finding.has_varying_names() {
        let _ = writeln!(text, "<p>{VARIES} marks a name that differs from run to run.</p>");
    }
    let differences: Vec<String> = finding.differences.iter().map(ToString::to_string).collect();
    for (title, lines) in [("Differences at the end", &differences), ("Log of the operator", &finding.log)] {
        if !lines.is_empty() {
            let _ = writeln!(text, "<h3>{title}</h3>\n<pre>{}</pre>", escaped(&lines.join("\n")));
        }
    }
    if let Some(recovery) = finding.recovery() {
        let _ = writeln!(text, "<p>Then {recovery}.</p>");
    }
    write_list(text, "Other plans that show the same finding", &finding.also);
    text.push_str("</article>\n");
}

fn write_timeline(text: &mut String, title: &str, entries: &[Entry]) {
    let _ = writeln!(text, "<section><h3>{title}</h3>\n<ol>");
    for entry in entries {
        let class = match entry.event {
            Event::Fault(_) => "fault",
            Event::User(_) => "user",
            Event::Told(_) => "watch",
            Event::Request(_) | Event::Operator(_) | Event::Skipped(_) => "operator",
        };
        let _ = writeln!(text, "<li class=\"{class}\">{}</li>", escaped(entry.to_string().trim_start()));
    }
    text.push_str("</ol></section>\n");
}

fn write_list(text: &mut String, title: &str, lines: &[String]) {
    if !lines.is_empty() {
        let (number, lines) = (lines.len(), escaped(&lines.join("\n")));
        let _ = writeln!(text, "<details><summary>{title}: {number}</summary><pre>{lines}</pre></details>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::judge::suspicion::Oracle;
    use crate::explore::plan::fault_plan::Step;
    use std::time::Duration;

    #[test]
    fn a_page_shows_both_timelines_and_no_markup_of_the_operator() {
        let entry = |event| Entry { at: Duration::ZERO, step: Step::Create, event };
        let finding = Finding {
            severity: Severity::Error,
            oracle: Oracle::Panic,
            message: "the operator panics at <src>".to_owned(),
            code: "panic",
            plan: Some("down@change".to_owned()),
            object: None,
            replay: Some("opctl explore --command './run <a>' --replay down@change --keep".into()),
            remember: None,
            seconds: 1.0,
            heals: None,
            repeats: Repeats { shown: 3, of: 3, placebo: 0, placebos: 3 },
            differences: Vec::new(),
            timeline: vec![entry(Event::Fault("the operator is killed".to_owned()))],
            reference_timeline: vec![entry(Event::User("changes a & b".to_owned()))],
            reference_next: None,
            log: vec!["<script>alert(1)</script>".to_owned()],
            also: Vec::new(),
        };
        let summary =
            Summary { findings: vec![finding], left: vec!["lag:pods@create".to_owned()], ..Summary::default() };
        let page = page(&summary, "web \"operator\"");
        for part in [
            "<code>opctl explore --command './run &lt;a&gt;' --replay down@change --keep</code>",
            "<h2><span>error[panic]</span> the operator panics at &lt;src&gt;</h2>",
            "<li class=\"fault\">0.000  FAULT     the operator is killed</li>",
            "<li class=\"user\">0.000  user      changes a &amp; b</li>",
            "<summary>Points that were not tried within the budget: 1</summary>",
            "web &quot;operator&quot;",
        ] {
            assert!(page.contains(part), "{part}\n{page}");
        }
        assert!(!page.contains("<script") && !page.contains("http"), "{page}");
    }
}
