//! `opctl demo --explore`: plants a bug in an operator, and finds the bug with `opctl explore`.

use super::script::Script;
use super::stage::Stage;
use crate::commands::context::{Context, as_typed};
use crate::commands::explore::explore_for;
use crate::error::{file_error, hint};
use crate::explore::{Severity, render};
use crate::reading::{self, Limit};
use crate::report::{Outcome, Report};
use crate::system;
use crate::{Error, Result};
use serde_json::json;
use similar::TextDiff;
use std::path::Path;
use std::time::Duration;

const FILE: &str = "src/controller/web_server.rs";
const SOUND: &str = "    ctx.apply(&*obj, service(&obj)).await?;\n";
/// The planted bug, which looks like an optimization. The operator passes its tests despite the bug.
const BUG: &str = "    if obj.status.is_none() {
        // One is enough, the name never changes.
        ctx.apply(&*obj, service(&obj)).await?;
    }
";
/// The time for which the demo's `opctl explore` tries faults.
pub(super) const BUDGET: Duration = Duration::from_secs(30);

/// Runs the demo, and shows its steps as a user would type them.
pub(super) fn play(image: &str, stage: &Stage, mut script: Script, context: &Context) -> Result<Report> {
    let create = format!("opctl create api --kind WebServer --image {image}");
    for line in ["opctl init --domain example.com", &create] {
        script.begin(line);
        as_typed(context, &line.split(' ').collect::<Vec<_>>())?;
    }
    script.begin(&format!("$EDITOR {FILE}"));
    let diff = plant(stage.root())?;
    if context.console.talkative() {
        context.console.lines(&diff);
    }
    let budget = format!("{}s", BUDGET.as_secs());
    script.begin(&format!("opctl explore --budget {budget}"));
    let summary = explore_for(&budget, context)?;
    let errors = summary.findings.iter().filter(|finding| finding.severity == Severity::Error);
    // The bug shows in several ways. A child that stays missing is understood at once.
    let Some(first) = errors.min_by_key(|finding| finding.code != "never-heals") else {
        return Err(Error::user("the bug was not found")
            .caused_by(format!(
                "`opctl explore` tried {} of {} planned faults in {budget}",
                summary.tried, summary.planned
            ))
            .hint("opctl demo --explore    # try again when this machine is less busy"));
    };
    let shown = render(first);
    let (seconds, steps) = script.end();
    let data = json!({ "folder": stage.kept_folder(), "seconds": seconds, "steps": steps, "finding": first });
    let mut report = Report::shown("demo", shown, data);
    report.outcome = Outcome::Changed;
    report.summary = Some(format!("the bug is found, {seconds:.0}s after the start in an empty folder"));
    Ok(match stage.kept_folder() {
        Some(folder) => report
            .next(hint!("cd {}", folder.strip_prefix(".").unwrap_or(folder).to_string_lossy()))
            .next("opctl explore --html found.html"),
        None => report.next("opctl help exploring"),
    })
}

/// Writes the bug into the operator, and returns the change as a diff.
fn plant(root: &Path) -> Result<String> {
    let path = root.join(FILE);
    let sound = reading::text(&path, Limit::Source).map_err(|error| file_error("read", &path, &error))?;
    if !sound.contains(SOUND) {
        return Err(Error::bug(
            "the demo cannot add its bug: the operator's source lacks the code that the bug \
                               replaces",
        ));
    }
    let planted = sound.replacen(SOUND, BUG, 1);
    system::write_file(&path, &planted).map_err(|error| file_error("write", &path, &error))?;
    let diff = TextDiff::from_lines(sound.as_str(), planted.as_str());
    Ok(diff.unified_diff().context_radius(1).header(FILE, FILE).to_string())
}
