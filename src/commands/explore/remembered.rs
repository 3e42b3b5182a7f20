//! Stores plans in `tests/explore.toml` and replays them. A plan names a fault and the point of a run at which opctl
//! injects the fault. Each stored plan revealed a bug that is now fixed; `opctl test` replays the plans to see if a bug
//! returns.

use super::stage::{self, Kinds, Subject};
use crate::cluster::{Identity, Target, run_until_interrupted};
use crate::commands::context::Context;
use crate::commands::write::{WriteArgs, carry_out, plan as plan_changes};
use crate::envtest::ControlPlane;
use crate::error::{Hint, hint};
use crate::explore::{self, Options, Plan, Severity, Summary, render};
use crate::plan::{Operation, Step};
use crate::reading::{self, Limit};
use crate::report::Report;
use crate::{Error, Result};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use toml_edit::{Array, DocumentMut, Item, Value};

/// The path of the file with the fault plans that `opctl explore --remember` stores, relative to the project's root.
pub(super) const FILE: &str = "tests/explore.toml";
const PLANS: &str = "plans";
const BEGINNING: &str =
    "# Plans of fixed findings, which `opctl test` replays. `opctl explore --remember PLAN` adds a plan.\n";
const EXAMPLE: &str = "plans = [\"down@change\"]";

/// The time limit for replaying all plans in a project's `tests/explore.toml`.
const LIMIT: Duration = Duration::from_secs(60 * 60);
const PATIENCE: Duration = Duration::from_secs(10);
const JOBS: usize = 4;

/// Adds a fault plan to `tests/explore.toml`.
pub(super) fn remember(plan: &Plan, args: WriteArgs, context: &Context) -> Result<Report> {
    let (workspace, project) = args.open_project(context)?;
    let snapshot = workspace.snapshot([FILE])?;
    let text = add_plan(snapshot.text(FILE), plan)?;
    let operation = Operation { path: FILE.into(), step: Step::Record(text) };
    let changes = plan_changes(&workspace, &[operation], &project, None)?;
    Ok(carry_out("explore", &workspace, &changes, args)?.next("opctl test"))
}

/// Returns the text of `tests/explore.toml` with the fault plan added.
fn add_plan(text: Option<&str>, plan: &Plan) -> Result<String> {
    let text = text.filter(|text| !text.trim().is_empty()).unwrap_or(BEGINNING);
    let mut document = parse_plans_document(text)?;
    if read(&document)?.contains(plan) {
        return Ok(text.to_owned());
    }
    if document.is_empty() {
        // A key that is inserted into an empty document would stand above its comments.
        document = parse_plans_document(&format!("{}\n{PLANS} = []\n", text.trim_end()))?;
    }
    let item = document.entry(PLANS).or_insert_with(|| Item::Value(Value::Array(Array::new())));
    let Some(plans) = item.as_array_mut() else { return Err(no_list()) };
    let mut value = Value::from(plan.to_string());
    // A comment behind the last plan becomes the prefix of the new plan, and so stays in its line.
    let comment = plans.trailing().as_str().unwrap_or_default().trim_end().to_owned();
    value.decor_mut().set_prefix(format!("{comment}\n    "));
    plans.push_formatted(value);
    plans.set_trailing_comma(true);
    plans.set_trailing("\n");
    Ok(document.to_string())
}

fn parse_plans_document(text: &str) -> Result<DocumentMut> {
    text.parse().map_err(|error: toml_edit::TomlError| {
        Error::user(format!("`{FILE}` is not TOML"))
            .source(&error)
            .hint(Hint::snippet(format!("the file must contain a list, such as\n{EXAMPLE}")))
    })
}

fn no_list() -> Error {
    Error::user(format!("`{PLANS}` in `{FILE}` is not a list of strings")).hint(EXAMPLE)
}

fn read(document: &DocumentMut) -> Result<Vec<Plan>> {
    let Some(item) = document.get(PLANS) else { return Ok(Vec::new()) };
    let plans = item.as_array().ok_or_else(no_list)?.iter();
    plans.map(|plan| plan.as_str().ok_or_else(no_list)?.parse()).collect()
}

/// Returns the fault plans in `tests/explore.toml` of the project at `root`.
pub(in crate::commands) fn plans(root: &Path) -> Result<Vec<Plan>> {
    let text = reading::text_within(root, FILE, Limit::Settings).unwrap_or_default();
    read(&parse_plans_document(&text)?)
}

/// Returns the fault plans in the text of `tests/explore.toml`.
pub fn remembered_plans(text: &str) -> Result<Vec<String>> {
    Ok(read(&parse_plans_document(text)?)?.iter().map(ToString::to_string).collect())
}

/// Replays the fault plans from `tests/explore.toml` on `servers`, the control plane of the project's tests.
pub(in crate::commands) fn play(
    plans: &[Plan],
    root: &Path,
    servers: &mut ControlPlane,
    identity: &Identity,
    context: &Context,
) -> Result<()> {
    context.console.command(&format!("opctl explore --replay …    # {} plans of {FILE}", plans.len()));
    let samples = stage::samples(&root.join(stage::SAMPLES), &[], stage::Belong::Project)?;
    let arguments = stage::arguments(root)?;
    let launch = stage::launch(root, arguments, &[], "opctl explore".into(), context)?;
    servers.restart_controller_manager()?;
    let kubeconfig = servers.kubeconfig_path();
    let folder = kubeconfig.parent().unwrap_or(Path::new(".")).to_owned();
    let target = Target { kubeconfig: Some(kubeconfig), ..Target::default() };
    let options = Options { budget: None, only: Vec::new(), depth: 1, jobs: JOBS, patience: PATIENCE, folder };
    let subject = Subject { launch, samples, kinds: Kinds::Project(root.to_owned()) };
    let (administrator, console) = (servers.kubeconfig()?, &context.console);
    let summary = run_until_interrupted(&target, LIMIT, async {
        let world = Arc::new(stage::world(&target, administrator, Some(identity), subject, console).await?);
        explore::replay(&world, plans, &options, console).await
    })?;
    judge(&summary, context)
}

fn judge(summary: &Summary, context: &Context) -> Result<()> {
    for finding in &summary.findings {
        context.console.lines(&render(finding));
    }
    for plan in &summary.unreached {
        context
            .console
            .warning(format_args!("the operator no longer reaches the point of the plan `{plan}` in `{FILE}`"));
    }
    let is_error = |finding: &&explore::Finding| finding.severity == Severity::Error;
    match summary.findings.iter().find(is_error) {
        None => {
            context.console.status("Played", format!("{} plans: no finding", summary.tried));
            Ok(())
        }
        Some(finding) => {
            let plan = finding.plan.as_deref().unwrap_or_default();
            Err(Error::user(format!("a finding is back: {}", finding.message))
                .caused_by(format!("opctl replayed the plan `{plan}` from `{FILE}`, and the operator failed again"))
                .hint(hint!("opctl explore --replay {plan} --keep", plan)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_added_once_and_lines_of_the_user_stay() {
        let (down, lag): (Plan, Plan) = ("down@change".parse().unwrap(), "lag:services@create".parse().unwrap());
        let first = add_plan(None, &down).unwrap();
        assert_eq!(first, format!("{BEGINNING}plans = [\n    \"down@change\",\n]\n"));
        assert_eq!(add_plan(Some(&first), &down).unwrap(), first);
        let edited = first.replace("\"down@change\",", "\"down@change\", # found in May");
        let second = add_plan(Some(&edited), &lag).unwrap();
        assert_eq!(second, edited.replace("in May\n", "in May\n    \"lag:services@create\",\n"));
        assert_eq!(read(&parse_plans_document(&second).unwrap()).unwrap(), [down, lag]);
    }

    #[test]
    fn a_damaged_file_is_refused() {
        let down: Plan = "down@change".parse().unwrap();
        for (text, message) in [
            ("plans = [", "`tests/explore.toml` is not TOML"),
            ("plans = 1", "`plans` in `tests/explore.toml` is not a list of strings"),
            ("plans = [1]", "`plans` in `tests/explore.toml` is not a list of strings"),
            ("plans = [\"x\"]", "`x` is not a plan"),
        ] {
            assert_eq!(add_plan(Some(text), &down).unwrap_err().message(), message);
        }
    }
}
