//! Runs the tests on several versions of Kubernetes, one after the other.

use super::args::TestArgs;
use super::once::{Tested, once};
use crate::commands::context::{Context, tell};
use crate::envtest::{Options, Selector, Version, version_to_test};
use crate::error::{Category, hint};
use crate::report::{Console, Outcome, Report, columns};
use crate::{Error, Result};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Instant;

/// Parses the values of `--kubernetes`.
///
/// # Errors
/// Fails if a value selects no version.
pub(super) fn parse_selectors(texts: &[String]) -> Result<Vec<Selector>> {
    texts.iter().map(|text| text.trim().parse()).collect()
}

/// Sets up the servers of each selected Kubernetes version if this machine lacks them, before any test runs.
/// Returns the selected versions without duplicates.
///
/// # Errors
/// Fails if a version cannot be set up.
pub(super) fn set_up(wanted: &[Selector], args: &TestArgs, console: &Console) -> Result<Vec<Version>> {
    let mut versions: Vec<Version> = Vec::new();
    for selector in wanted {
        let version = version_to_test(selector, args.simulation.options().simulate_nodes, console)?;
        if !versions.contains(&version) {
            versions.push(version);
        }
    }
    Ok(versions)
}

/// Returns the options of a control plane with the Kubernetes version `version`.
pub(super) fn options(version: Version, args: &TestArgs) -> Options {
    Options { version: Some(Selector::exactly(version)), ..args.simulation.options() }
}

/// Runs the tests on each version, and shows a table at the end. If the tests fail on a version, they still run on the
/// other versions.
///
/// # Errors
/// Fails if the user interrupts.
pub(super) fn each(args: &TestArgs, versions: &[Version], root: &Path, context: &Context) -> Result<Report> {
    let begun = Instant::now();
    let mut attempts = Vec::new();
    for version in versions {
        let name = version.to_string();
        let (started, tested) = (Instant::now(), once(args, &options(*version, args), root, context));
        let attempt = match tested {
            Err(error) if error.category() == Category::Interrupted => return Err(error),
            Err(error) => Attempt { name, seconds: started.elapsed().as_secs_f64(), tested: None, error: Some(error) },
            Ok(mut tested) => {
                let error = std::mem::replace(&mut tested.verdict, Ok(())).err();
                Attempt { name, seconds: tested.seconds, tested: Some(tested), error }
            }
        };
        if let Some(error) = &attempt.error {
            tell("test", error, &context.console);
        }
        attempts.push(attempt);
    }
    Ok(report(&attempts, begun.elapsed().as_secs_f64()))
}

/// The run of the tests on one version of Kubernetes.
struct Attempt {
    name: String,
    seconds: f64,
    /// The result of the tests; `None` if the tests could not begin.
    tested: Option<Tested>,
    error: Option<Error>,
}

fn report(attempts: &[Attempt], seconds: f64) -> Report {
    let mut rows = vec![["KUBERNETES", "TIME", "RESULT"].map(str::to_owned)];
    rows.extend(attempts.iter().map(|attempt| {
        let result = attempt.error.as_ref().map_or("all tests passed", |error| error.message());
        [attempt.name.clone(), format!("{:.0}s", attempt.seconds), result.to_owned()]
    }));
    let data = json!({"versions": attempts.iter().map(document).collect::<Vec<_>>(), "seconds": seconds});
    let report = Report { outcome: Outcome::Changed, ..Report::shown("test", columns(&rows).trim_end(), data) };
    let failed: Vec<&str> =
        attempts.iter().filter(|attempt| attempt.error.is_some()).map(|attempt| attempt.name.as_str()).collect();
    let Some(first) = failed.first() else {
        let names: Vec<&str> = attempts.iter().map(|attempt| attempt.name.as_str()).collect();
        return report.summary(format!("all tests passed on Kubernetes {}", names.join(", ")));
    };
    let error = Error::user(format!("the tests failed on Kubernetes {}", failed.join(", ")));
    report.fails(&error.hint(hint!("opctl test --kubernetes {first} --keep-running", first)))
}

fn document(attempt: &Attempt) -> Value {
    json!({
        "kubernetes": attempt.name,
        "simulatedNodes": attempt.tested.as_ref().map(|tested| tested.simulated_nodes),
        "seconds": attempt.seconds,
        "error": attempt.error.as_ref().map(Error::message),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(name: &str, error: Option<Error>) -> Attempt {
        Attempt { name: name.to_owned(), seconds: 2.4, tested: None, error }
    }

    #[test]
    fn the_table_has_a_line_for_each_version() {
        let refused = Error::cluster("the API server refuses `a`");
        let found = report(&[attempt("1.34.2", Some(refused)), attempt("1.36.4", None)], 5.0);
        let table = "KUBERNETES   TIME   RESULT\n1.34.2       2s     the API server refuses `a`\n1.36.4       2s     all tests passed";
        assert_eq!(found.text.as_deref(), Some(table));
        assert_eq!(found.exit_code(), 1);
        assert_eq!(found.data.unwrap()["versions"][0]["error"], "the API server refuses `a`");
        let found = report(&[attempt("1.35.1", None), attempt("1.36.4", None)], 5.0);
        assert_eq!(found.exit_code(), 0);
        assert_eq!(found.summary.as_deref(), Some("all tests passed on Kubernetes 1.35.1, 1.36.4"));
    }

    #[test]
    fn arguments_that_name_no_kubernetes_version_are_refused() {
        assert_eq!(parse_selectors(&["1.36".to_owned(), " 1.35.1".to_owned()]).unwrap().len(), 2);
        let error = parse_selectors(&["newest".to_owned()]).unwrap_err();
        assert_eq!(error.message(), "`newest` is not a Kubernetes version");
    }
}
