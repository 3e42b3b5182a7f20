//! The checks of a deployed operator, and their results.

use crate::Error;
use crate::commands::context::{Context, tell};
use crate::error::{Category, hint};
use crate::exec::{Interrupts, interrupts};
use crate::report::{Outcome, Report, columns};
use crate::{Result, error::Hint};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The results of the checks, in order. While this value exists, an interrupt does not end opctl, but only the
/// current step (or the next step, if no step is running), so that opctl can remove the deployed objects first.
pub(super) struct Checks {
    made: Vec<Check>,
    interrupts: Interrupts,
}

struct Check {
    name: &'static str,
    seconds: f64,
    error: Option<Error>,
}

impl Checks {
    /// Creates an empty list of results, and begins to listen for interrupts.
    pub(super) fn new() -> Self {
        Checks { made: Vec::new(), interrupts: interrupts() }
    }

    /// Runs a check, and reports its error. Returns the value of the check, or `None` if the check failed.
    ///
    /// # Errors
    /// Fails if the user interrupts.
    pub(super) fn make<T>(
        &mut self,
        name: &'static str,
        context: &Context,
        check: impl FnOnce() -> Result<T>,
    ) -> Result<Option<T>> {
        // One that came between two checks.
        if self.interrupts.came_within(Duration::ZERO) {
            return Err(Error::interrupted("interrupted"));
        }
        context.console.status("Checking", format!("that {name}"));
        let begun = Instant::now();
        let (value, error) = match check() {
            Ok(value) => (Some(value), None),
            Err(error) if error.category() == Category::Interrupted => return Err(error),
            Err(error) => (None, Some(error)),
        };
        if let Some(error) = &error {
            tell("test", error, &context.console);
        }
        self.made.push(Check { name, seconds: begun.elapsed().as_secs_f64(), error });
        Ok(value)
    }

    /// Returns `made`, the result of running the checks. If the checks ran to the end, but the user interrupted after
    /// the last check, returns an error instead. Marks the interrupt as received, so that a later step ends early only
    /// if the user interrupts again.
    pub(super) fn outcome(&self, made: Result<()>) -> Result<()> {
        match (made, self.interrupts.came_within(Duration::ZERO)) {
            (Ok(()), true) => Err(Error::interrupted("interrupted")),
            (made, _) => made,
        }
    }

    /// Returns true if a check has failed.
    pub(super) fn have_failed(&self) -> bool {
        self.made.iter().any(|check| check.error.is_some())
    }

    /// Returns the report. `on` is the value of `--on`; `again` is the command line in the hint if a check has failed.
    pub(super) fn report(&self, on: &str, image: &str, seconds: f64, again: &Hint) -> Report {
        let mut rows = vec![["CHECK", "TIME", "RESULT"].map(str::to_owned)];
        rows.extend(self.made.iter().map(|check| {
            let result = check.error.as_ref().map_or("passed", |error| error.message());
            [check.name.to_owned(), format!("{:.1}s", check.seconds), result.to_owned()]
        }));
        let data = json!({
            "on": on,
            "image": image,
            "checks": self.made.iter().map(document).collect::<Vec<_>>(),
            "seconds": seconds,
        });
        let report = Report { outcome: Outcome::Changed, ..Report::shown("test", columns(&rows).trim_end(), data) };
        let Some(first) = self.made.iter().find_map(|check| check.error.as_ref()) else {
            return report.summary("the operator passed all end-to-end tests");
        };
        let failed = self.made.iter().filter(|check| check.error.is_some());
        let error = match first.category() {
            Category::User | Category::Conflict => Error::user("end-to-end tests failed"),
            _ => Error::cluster("end-to-end tests failed"),
        };
        let error = failed.fold(error, |error, check| error.caused_by(format!("failed check: {}", check.name)));
        report.fails(&error.hint(hint!("{again}", again)))
    }
}

fn document(check: &Check) -> Value {
    json!({
        "name": check.name,
        "seconds": check.seconds,
        "error": check.error.as_ref().map(Error::message),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_check_has_a_line_and_a_failure_a_cause() {
        let check = |name, error| Check { name, seconds: 1.25, error };
        let checks = |made| Checks { made, ..Checks::new() };
        let passed = checks(vec![check("the operator runs", None)]);
        let report = passed.report("node", "web:1", 2.0, &"again".into());
        assert_eq!(report.exit_code(), 0);
        let failed = checks(vec![
            check("the operator runs", None),
            check("samples become ready", Some(Error::user("the sample `a` does not become ready"))),
        ]);
        assert!(failed.have_failed() && !passed.have_failed());
        let report = failed.report("node", "web:1", 2.0, &"again".into());
        let table = "CHECK                  TIME   RESULT\nthe operator runs      1.2s   passed\n\
                     samples become ready   1.2s   the sample `a` does not become ready";
        assert_eq!(report.text.as_deref(), Some(table));
        assert_eq!(report.exit_code(), 1);
        assert_eq!(report.data.unwrap()["checks"][1]["error"], "the sample `a` does not become ready");
    }
}
