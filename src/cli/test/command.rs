//! Runs `opctl test`.

use super::args::TestArgs;
use super::{kubernetes, once};
use crate::cli::command::{HelpGroup, OpctlCommand, Reports, Uses};
use crate::cli::context::Context;
use crate::cli::steps;
use crate::error::hint;
use crate::report::{Outcome, Report};
use crate::workspace::discover;
use crate::{Error, Result};
use serde_json::to_value;

impl OpctlCommand for TestArgs {
    const NAME: &'static str = "test";
    const GROUP: HelpGroup = HelpGroup::EveryDay;
    const REPORTS: Reports = Reports::Lines;

    fn uses(&self) -> Uses {
        Uses::Programs
    }

    fn run(&self, context: &Context) -> Result<Report> {
        run(self, context)
    }
}

fn run(args: &TestArgs, context: &Context) -> Result<Report> {
    let root = discover(&context.directory)?;
    let wanted = kubernetes::wanted(&args.kubernetes)?;
    if args.keep_running && wanted.len() > 1 {
        return Err(Error::usage("`--keep-running` keeps one API server, and `--kubernetes` names several versions")
            .hint(hint!("opctl test --keep-running --kubernetes {}", wanted[0])));
    }
    let versions = kubernetes::set_up(&wanted, &context.console)?;
    match versions.iter().min() {
        // The code may use what the oldest version lacks.
        Some(oldest) => steps::manifests(context, &["--kubernetes", &format!("{}.{}", oldest.major, oldest.minor)])?,
        None => steps::manifests(context, &[])?,
    }
    if versions.len() > 1 {
        return kubernetes::each(args, &versions, &root, context);
    }
    let options =
        versions.first().map_or_else(|| args.simulation.options(), |version| kubernetes::options(*version, args));
    let tested = once::once(args, &options, &root, context)?;
    let mut report = Report::new("test", Outcome::Changed).summary("all tests passed");
    report.data = Some(to_value(&tested).map_err(|error| Error::bug("a result is not JSON").source(&error))?);
    if args.keep_running {
        report.outcome = Outcome::Interrupted;
        if tested.verdict.is_err() {
            report.summary = Some("some tests failed, as is said above".to_owned());
        }
        return Ok(report);
    }
    tested.verdict.map(|()| report)
}
