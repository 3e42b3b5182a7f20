//! Runs `opctl explore`.

use super::again::repeat_command;
use super::args::ExploreArgs;
use super::exploration::{Explored, explore_operator};
use super::page::write_page;
use super::verdict::{findings_report, plans_report};
use super::{remembered, seen, upgrade};
use crate::commands::command::OpctlCommand;
use crate::commands::context::Context;
use crate::commands::output_file::OutputFile;
use crate::commands::write::WriteArgs;
use crate::envtest::ControlPlane;
use crate::error::hint;
use crate::exec::{interrupts, newest_release};
use crate::report::Report;
use crate::workspace::discover;
use crate::{Error, Result};
use std::time::Duration;

impl OpctlCommand for ExploreArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        run(self, context)
    }
}

pub(super) fn run(args: &ExploreArgs, context: &Context) -> Result<Report> {
    if let Some(plan) = &args.remember {
        if args.foreign.command.is_some() {
            return Err(not_remembered(args, plan));
        }
        let write = WriteArgs { dry_run: args.dry_run, diff: args.diff };
        return remembered::remember(&plan.parse()?, write, context);
    }
    if args.from.is_given() {
        return upgrade::run(args, context);
    }
    let page = args.html.as_ref().map(|path| OutputFile::at(&context.directory.join(path))).transpose()?;
    let (explored, mut servers) = explore_operator(args, context)?;
    let root = discover(&context.directory).ok().filter(|_| args.foreign.command.is_none());
    match explored {
        Explored::Plans(found) => {
            if let Some(root) = root {
                seen::keep_listed(&root, &found);
            }
            Ok(plans_report(&found))
        }
        Explored::Summary(summary) => {
            if let Some(root) = &root {
                seen::keep_found(root, &summary);
            }
            let release = root.as_deref().filter(|_| args.replay.is_none()).and_then(newest_release);
            if let Some(page) = &page {
                write_page(page, &summary, context)?;
            }
            let verdict = findings_report(&summary, args);
            if args.keep {
                if let Some(text) = verdict.as_ref().ok().and_then(|report| report.text.as_deref())
                    && !context.console.json()
                {
                    context.console.data(text);
                }
                keep_running(context, &mut servers.plane)?;
            }
            let verdict = verdict.map(|report| if args.keep { Report { text: None, ..report } } else { report });
            match release {
                Some(release) => verdict.map(|report| {
                    report.next(hint!(
                        "opctl explore --from {release}    # tests the upgrade from that release, and the rollback",
                        release
                    ))
                }),
                None => verdict,
            }
        }
    }
}

/// Returns the error for `--remember` with `--command`. An operator that is given by `--command` has no opctl project
/// that could store the fault plan.
fn not_remembered(args: &ExploreArgs, plan: &str) -> Error {
    let again = repeat_command(args);
    Error::usage("`--remember` needs a project of opctl")
        .caused_by("`opctl test` replays remembered plans, but cannot test an operator that is given by `--command`")
        .hint(hint!(
            "{again} --replay {plan}    # run this in the operator's CI: it fails if the finding reappears",
            again,
            plan
        ))
}

/// Keeps the servers running until an interrupt; fails if a server ends before the interrupt.
pub(super) fn keep_running(context: &Context, plane: &mut ControlPlane) -> Result<()> {
    let interrupts = interrupts();
    context
        .console
        .status("Serving", "until Ctrl+C; the last run is in the newest namespace `explore-…`; in another shell, run:");
    context.console.lines(hint!("export KUBECONFIG={}", plane.kubeconfig_path().display()).as_str());
    while !interrupts.came_within(Duration::from_millis(200)) {
        plane.check()?;
    }
    Ok(())
}
