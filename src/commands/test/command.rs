//! Runs `opctl test`.

use super::args::TestArgs;
use super::{e2e, kubernetes, once};
use crate::commands::command::OpctlCommand;
use crate::commands::context::Context;
use crate::commands::steps;
use crate::error::hint;
use crate::report::{Outcome, Report};
use crate::workspace::discover;
use crate::{Error, Result};
use serde_json::to_value;

impl OpctlCommand for TestArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        let root = discover(&context.directory)?;
        if self.end_to_end.are_asked_for() {
            return e2e::run(self, &root, context);
        }
        self.end_to_end.check_absent()?;
        let wanted = kubernetes::parse_selectors(&self.kubernetes)?;
        if self.keep_running && wanted.len() > 1 {
            return Err(Error::usage(
                "`--keep-running` can keep only one API server running, but `--kubernetes` names several versions",
            )
            .hint(hint!("opctl test --keep-running --kubernetes {}", wanted[0])));
        }
        let versions = kubernetes::set_up(&wanted, self, &context.console)?;
        match versions.iter().min() {
            // The code may use what the oldest version lacks.
            Some(oldest) => {
                steps::manifests(context, &["--kubernetes", &format!("{}.{}", oldest.major, oldest.minor)])?;
            }
            None => steps::manifests(context, &[])?,
        }
        if versions.len() > 1 {
            return kubernetes::each(self, &versions, &root, context);
        }
        let options =
            versions.first().map_or_else(|| self.simulation.options(), |version| kubernetes::options(*version, self));
        let tested = once::once(self, &options, &root, context)?;
        let mut report = Report::new("test", Outcome::Changed).summary("all tests passed");
        report.data =
            Some(to_value(&tested).map_err(|error| Error::bug("cannot convert a result to JSON").source(&error))?);
        if self.keep_running {
            report.outcome = Outcome::Interrupted;
            if tested.verdict.is_err() {
                report.summary = Some("some tests failed; the failures are printed above".to_owned());
            }
            return Ok(report);
        }
        tested.verdict.map(|()| report)
    }
}
