//! Runs `opctl explore`.

use super::args::ExploreArgs;
use super::exploration::{Explored, explored};
use super::page::Page;
use super::verdict::{listed, tell};
use super::{remembered, seen};
use crate::Result;
use crate::cli::command::OpctlCommand;
use crate::cli::context::Context;
use crate::cli::write::WriteArgs;
use crate::envtest::ControlPlane;
use crate::error::hint;
use crate::exec::interrupts;
use crate::report::Report;
use crate::workspace::discover;
use std::time::Duration;

impl OpctlCommand for ExploreArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        run(self, context)
    }
}

pub(super) fn run(args: &ExploreArgs, context: &Context) -> Result<Report> {
    if let Some(plan) = &args.remember {
        let write = WriteArgs { dry_run: args.dry_run, diff: args.diff };
        return remembered::remember(&plan.parse()?, write, context);
    }
    let page = args.html.as_ref().map(|path| Page::at(&context.directory.join(path))).transpose()?;
    let (explored, mut plane) = explored(args, context)?;
    let root = discover(&context.directory).ok().filter(|_| args.foreign.command.is_none());
    match explored {
        Explored::Plans(found) => {
            if let Some(root) = root {
                seen::keep_listed(&root, &found);
            }
            Ok(listed(&found))
        }
        Explored::Summary(summary) => {
            if let Some(root) = root {
                seen::keep_found(&root, &summary);
            }
            if let Some(page) = &page {
                page.write(&summary, context)?;
            }
            let verdict = tell(&summary, args.replay.is_some(), context);
            if args.keep {
                keep(context, &mut plane)?;
            }
            verdict
        }
    }
}

/// Waits until an interrupt; fails if a server ends before.
pub(super) fn keep(context: &Context, plane: &mut ControlPlane) -> Result<()> {
    let interrupts = interrupts();
    context
        .console
        .status("Serving", "until Ctrl+C; the last run is in the newest namespace `explore-…`; from another shell:");
    context.console.lines(hint!("export KUBECONFIG={}", plane.kubeconfig_path().display()).as_str());
    while !interrupts.came_within(Duration::from_millis(200)) {
        plane.check()?;
    }
    Ok(())
}
