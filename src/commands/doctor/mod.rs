//! Implements `opctl doctor`, which checks this machine, the project and the cluster.

mod api_versions;
mod places;
mod project;
mod releases;
mod tools;
mod versions;

use super::command::OpctlCommand;
use super::context::Context;
use super::install::TargetArgs;
use super::write::read_project;
use crate::cluster::{self, Definition, Deployed, deployed_namespace, read_definitions};
use crate::commands::time_limit::time_limit;
use crate::model::Resource;
use crate::report::{Check, Report, Verdict, columns};
use crate::workspace::{Workspace, discover};
use crate::{Error, Result};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
    opctl doctor
    opctl doctor --online
    opctl doctor --context production --timeout 30s
    opctl doctor -o json";

/// The time limit for all checks together, as a multiple of `--timeout`, the time limit for one answer.
const OVERALL: u32 = 4;

/// Check this machine, the project and the cluster
///
/// Each line is ok, or says how to fix the problem. Outside of a project, the checks of the project are left out. Exits
/// with code 1 if something must be fixed, and with 0 if there are only warnings.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Wait this long for each answer of a program or of the cluster, such as `20s` or `1m`
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time_limit)]
    timeout: Duration,
    /// Ask the registry for newer releases of kube and k8s-openapi
    #[arg(long)]
    online: bool,
}

impl OpctlCommand for DoctorArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        // A damaged project is an error in every command, so it is no check of this one.
        let seen = match discover(&context.directory) {
            Ok(root) => Some(check_project(&Workspace::look(&root, &context.console))?),
            Err(_) => None,
        };
        let target = self.target.target(context);
        let limit = self.timeout;
        let root = seen.as_ref().map(|seen| seen.root.as_path());
        let (tools, health, releases) = cluster::run(&target, limit * OVERALL, async {
            let project = seen.as_ref().and_then(|seen| {
                Some(Deployed {
                    root: &seen.root,
                    namespace: seen.namespace.as_deref()?,
                    definitions: &seen.definitions,
                })
            });
            Ok(tokio::join!(
                tools::tools(root, limit),
                cluster::health(&target, project, limit, &context.console),
                releases::releases(root.filter(|_| self.online), limit),
            ))
        })?;
        let mut checks = tools.checks;
        checks.extend(tools.kubectl.and_then(|client| tools::skew(&client, health.version.as_deref()?)));
        checks.extend(places::places(root));
        checks.extend(health.checks);
        // A check against the registry replaces the comparison with a new project.
        let is_known = |check: &Check| releases.iter().any(|one| one.name == check.name);
        checks.extend(seen.into_iter().flat_map(|seen| seen.checks).filter(|check| !is_known(check)));
        checks.extend(releases);
        Ok(report(&checks))
    }
}

/// The data of a project that the checks need, and the results of the checks of the project's files.
struct CheckedProject {
    root: PathBuf,
    namespace: Option<String>,
    definitions: Vec<Definition>,
    checks: Vec<Check>,
}

fn check_project(workspace: &Workspace) -> Result<CheckedProject> {
    let project = read_project(workspace)?;
    let root = workspace.root();
    let mut checks = project::checks(root, project.adopted.is_some());
    let has_kinds = project.resources.iter().any(Resource::has_types);
    let definitions = if has_kinds { read_definitions(root) } else { Ok(Vec::new()) };
    let definitions = definitions.unwrap_or_else(|error| {
        checks.push(Check::error("CRDs", error.message(), error.hint_or_none()));
        Vec::new()
    });
    Ok(CheckedProject { root: root.to_owned(), namespace: deployed_namespace(root).ok(), definitions, checks })
}

fn report(checks: &[Check]) -> Report {
    let word = |verdict| match verdict {
        Verdict::Ok => "ok",
        Verdict::Warning => "warning",
        Verdict::Error => "error",
    };
    let count = |verdict| checks.iter().filter(|check| check.verdict == verdict).count();
    let mut text = Vec::new();
    let rows: Vec<_> = checks
        .iter()
        .map(|check| [check.name.clone(), word(check.verdict).to_owned(), check.message.clone()])
        .collect();
    for (line, check) in columns(&rows).lines().zip(checks) {
        text.push(line.to_owned());
        // The fix stands below the line of its check.
        text.extend(check.hint.iter().flat_map(|hint| hint.as_str().lines()).map(|line| format!("    {line}")));
    }
    let (errors, warnings) = (count(Verdict::Error), count(Verdict::Warning));
    let report = Report::shown("doctor", text.join("\n"), json!({ "checks": checks }));
    if errors == 0 {
        return report.summary(format!(
            "{} ok, {warnings} warning{}",
            count(Verdict::Ok),
            if warnings == 1 { "" } else { "s" }
        ));
    }
    let mut broken = checks.iter().filter(|check| check.verdict == Verdict::Error);
    let error = Error::user("some checks failed");
    let error =
        broken.clone().fold(error, |error, check| error.caused_by(format!("{}: {}", check.name, check.message)));
    let hint = broken.find_map(|check| check.hint.clone()).unwrap_or_default();
    report.fails(&error.hint(hint))
}
