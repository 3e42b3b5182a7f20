//! `opctl explore --from`: runs the upgrade from another version of the operator, and the rollback to that version.

use super::again::repeat_command;
use super::args::ExploreArgs;
use super::page::write_page;
use super::places::located_findings;
use super::side::{Side, objects};
use super::{compatibility, foreign, meant, stage};
use crate::cluster::{Connection, Target, run_to_interrupt};
use crate::commands::context::Context;
use crate::commands::operator_program::adoption_record;
use crate::commands::output_file::OutputFile;
use crate::commands::steps::{self, SimulationArgs};
use crate::envtest::{ControlPlane, serving_certificate};
use crate::error::{Hint, hint};
use crate::explore::upgrade::{self, Examined, Pair, Play, Release};
use crate::explore::{Serving, Summary, counted, render};
use crate::finding::Severity;
use crate::report::{Console, Report, columns};
use crate::workspace::discover;
use crate::{Error, Result};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

/// The time limit for one pass, which runs each selected play (a scenario of an upgrade) once.
const LIMIT: Duration = Duration::from_secs(60 * 60);
const JOBS: usize = 4;

/// Runs the plays (scenarios of an upgrade), or lists them.
pub(super) fn run(args: &ExploreArgs, context: &Context) -> Result<Report> {
    let again = repeat_command(args);
    let mut wanted = match &args.replay {
        Some(play) => BTreeSet::from([Play::from_name(play, &again)?]),
        None => upgrade::selected_plays(&args.only, &again)?,
    };
    if args.list {
        return Ok(plays_report(&wanted));
    }
    let jobs = jobs(args, context);
    if jobs == 1 && wanted.remove(&Play::Beside) {
        let why = format!("`{}` runs both versions, and only one operator may run at a time", Play::Beside);
        if wanted.is_empty() {
            return Err(Error::usage(why).hint("--jobs 2    # if the operator does not listen on a fixed port"));
        }
        context.console.note(format!("{why}: opctl skips this upgrade scenario"));
    }
    let page = args.html.as_ref().map(|path| OutputFile::at(&context.directory.join(path))).transpose()?;
    let (old, new) = (Side::old_versions(args, context)?, Side::new(args, context)?);
    let meant = match args.from.from.last() {
        Some(reference) => meant::read_intended_findings(&discover(&context.directory)?, reference, &context.console)?,
        None => Vec::new(),
    };
    let begun = Instant::now();
    let compared = match old.last().filter(|_| wanted.contains(&Play::Definitions)) {
        Some(old) => compatibility::compare_definitions(old, &new, &meant, args, context)?,
        None => Vec::new(),
    };
    let first = pass(&old, &new, &wanted, jobs, context)?;
    let plays: BTreeSet<Play> = first.plays();
    let second = if plays.is_empty() || args.replay.is_some() {
        None
    } else {
        context.console.status("Repeating", format!("{} with errors", counted(plays.len(), "play")));
        Some(pass(&old, &new, &plays, jobs, context)?)
    };
    let summary = Summary { definitions: compared, ..first.summary(second.as_ref(), &meant, begun, &again) };
    if let Some(page) = &page {
        write_page(page, &summary, context)?;
    }
    let report = findings_report(&summary, &again)?;
    // The console has shown the findings of the CRDs before, and shows the others in the text.
    let findings = if context.console.json() { located_findings(summary) } else { Vec::new() };
    Ok(Report { findings, ..report })
}

/// Returns the number of plays to run in parallel; a play is a sequence of events around an upgrade. Without `--jobs`,
/// an adopted operator runs only one play at a time, because the operator may listen on a fixed port.
fn jobs(args: &ExploreArgs, context: &Context) -> usize {
    let is_adopted = || discover(&context.directory).is_ok_and(|root| adoption_record(&root).is_some());
    let usual = if args.foreign.command.is_none() && is_adopted() { 1 } else { JOBS };
    args.jobs.map_or(usual, usize::from)
}

fn plays_report(plays: &BTreeSet<Play>) -> Report {
    let rows: Vec<_> = plays.iter().map(|play| [play.to_string(), play.description().to_owned()]).collect();
    let data: Vec<_> = rows.iter().map(|[play, what]| json!({"play": play, "description": what})).collect();
    Report::shown("explore", columns(&rows), json!({ "plays": data })).summary(counted(plays.len(), "play"))
}

/// Starts a control plane and runs each play in `wanted` once; a play is a sequence of events around an upgrade. The
/// first version in `old` creates the objects that the other versions take over.
fn pass(old: &[Side], new: &Side, wanted: &BTreeSet<Play>, jobs: usize, context: &Context) -> Result<Examined> {
    let first = old.first().ok_or_else(|| Error::bug("an upgrade test has no old version"))?;
    let versions: Vec<&Side> = old.iter().chain([new]).collect();
    let console = &context.console;
    let mut plane = ControlPlane::start(&SimulationArgs::simulated_node_options(), console)?;
    console.status("Serving", format!("Kubernetes {} at {}", plane.version(), plane.server()));
    let administrator = plane.kubeconfig_path();
    let target = Target { kubeconfig: Some(administrator.clone()), ..Target::default() };
    let (mut identities, mut servers) = (Vec::new(), Vec::new());
    for (index, version) in versions.iter().enumerate() {
        let name = format!("version-{index}");
        let identity = version.grant(&name, &target, console)?;
        servers.push(match &identity {
            Some(identity) => version.serve(&steps::operator_kubeconfig(&name, identity, &plane)?, context)?,
            None => None,
        });
        identities.push(identity);
    }
    let definitions: Vec<_> =
        versions.iter().zip(&servers).map(|(version, server)| version.definitions(server.as_ref())).collect();
    // A CRD that the server refuses by itself is an error, and no finding about the upgrade.
    for (later, definitions) in versions.iter().zip(&definitions).skip(1) {
        foreign::check(definitions, &target, &Console::silent())
            .map_err(|error| error.caused_by(format!("it belongs to {}", later.name)))?;
    }
    foreign::install(&definitions[0], &target, console)?;
    plane.restart_controller_manager()?;

    let folder = administrator.parent().unwrap_or(Path::new(".")).to_owned();
    let kubeconfig = plane.kubeconfig()?;
    let examined = run_to_interrupt(&target, LIMIT, async |interrupted| {
        let work = async {
            let admin = Connection::open(&target, console).await?.client;
            let made = serving_certificate(&["127.0.0.1"])?;
            let serving = Serving::new(&made.authority, &made.certificate, &made.key)?;
            let mut roles = Vec::new();
            for identity in identities.iter().flatten() {
                roles.extend(stage::roles_of(&admin, identity).await?);
            }
            let mut earlier = Vec::new();
            for (index, version) in versions.iter().enumerate() {
                let operator = stage::client_of(kubeconfig.clone(), identities[index].as_ref()).await?;
                let definitions = objects(definitions[index].iter().map(|definition| &definition.object))?;
                let admission = servers[index].as_ref().map(|server| server.webhooks().admission()).transpose()?;
                let admission = objects(admission.unwrap_or_default().iter())?;
                let (name, launch) = (version.name.clone(), version.launch.clone());
                earlier.push(Release { name, launch, definitions, admission, operator });
            }
            let (Some(new), Some(old)) = (earlier.pop(), earlier.pop()) else {
                return Err(Error::bug("an upgrade test needs two versions"));
            };
            let pair = Pair { admin, serving, earlier, old, new, samples: first.samples.clone(), roles, folder, jobs };
            upgrade::examine(&pair, wanted, console).await
        };
        tokio::select! {
            result = Box::pin(work) => result,
            () = interrupted => Err(Error::interrupted("interrupted")),
        }
    });
    // A server that has ended is the reason why a play fails.
    plane.check()?;
    servers.iter_mut().flatten().try_for_each(|server| server.check(context))?;
    examined
}

/// Returns the report of the findings for stdout. If a finding is an error, the report contains an error that makes
/// opctl fail.
fn findings_report(summary: &Summary, again: &Hint) -> Result<Report> {
    let warnings = counted(summary.findings.len() - summary.errors(), "warning");
    let (plays, errors) = (counted(summary.planned, "play"), counted(summary.errors(), "error"));
    let result = format!("{plays} in {:.0}s: {errors}, {warnings}{}", summary.seconds, summary.in_definitions());
    let mut text: Vec<String> = summary.findings.iter().map(render).collect();
    for finding in &summary.flaky {
        let play = finding.plan.as_deref().unwrap_or_default();
        text.push(format!("seen in only one of two passes: {} ({play})", finding.message));
    }
    text.push(result.clone());
    let data =
        serde_json::to_value(summary).map_err(|error| Error::bug("cannot convert a summary to JSON").source(&error))?;
    let report = Report::shown("explore", text.join("\n"), data);
    let first = summary.findings.first().filter(|_| summary.errors() > 0).map(|first| first.code);
    let mut of_definitions = summary.definitions.iter().filter(|finding| finding.severity == Severity::Error);
    match first.or_else(|| of_definitions.next().map(|found| found.code.as_str())) {
        None => Ok(report),
        Some(code) => {
            let hint = hint!(
                "opctl explain {code}    # explains the first error; to write all findings to a page: \
                              {again} --html found.html",
                code,
                again
            );
            Ok(report.fails(&Error::user(format!("the upgrade is not safe: {result}")).hint(hint)))
        }
    }
}
