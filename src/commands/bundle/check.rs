//! `opctl bundle --check`: checks a bundle by the rules of the Operator Lifecycle Manager.

use super::bundle_files::read;
use crate::commands::context::Context;
use crate::error::{Hint, hint};
use crate::finding::{Finding, Severity};
use crate::olm::{Bundle, Generation, check};
use crate::report::{Outcome, Report};
use crate::{Error, Result};
use clap::ValueEnum;
use std::path::Path;

/// The generation of the Operator Lifecycle Manager that `--olm` chooses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Olm {
    /// OLM v0, with `Subscription` and `CatalogSource` objects.
    #[default]
    V0,
    /// OLM v1, with `ClusterExtension` objects.
    V1,
}

impl From<Olm> for Generation {
    fn from(olm: Olm) -> Self {
        match olm {
            Olm::V0 => Generation::V0,
            Olm::V1 => Generation::V1,
        }
    }
}

/// Checks the bundle in a folder, which needs no project.
pub(super) fn folder(folder: &str, olm: Olm, context: &Context) -> Result<Report> {
    let bundle = open(&context.directory.join(folder), folder)?;
    judge_findings(check(&bundle, olm.into()), olm)
}

/// Reads the bundle in a folder. Findings name the folder as `named`.
pub(super) fn open(folder: &Path, named: &str) -> Result<Bundle> {
    if !folder.is_dir() {
        return Err(Error::user(format!("`{named}` is not a folder with a bundle"))
            .hint("opctl bundle --check --folder DIR    # the folder that contains `manifests` and `metadata`"));
    }
    Ok(Bundle::parse(named, read(folder)?))
}

/// Returns an error with all `findings` if one of them is an error; otherwise returns the report about the bundle.
pub(super) fn judge_findings(findings: Vec<Finding>, olm: Olm) -> Result<Report> {
    if let Some(error) = broken_rules_error(&findings, olm) {
        return Err(error.with_findings(findings));
    }
    let mut report = Report::new("bundle", Outcome::Unchanged);
    let warnings = match findings.len() {
        0 => "without a warning".to_owned(),
        1 => "with 1 warning".to_owned(),
        count => format!("with {count} warnings"),
    };
    report = report.summary(format!("the bundle follows the rules of OLM {}, {warnings}", name(olm)));
    report.findings = findings;
    Ok(report)
}

/// Returns the error about a bundle that breaks rules of OLM; `None` if none of the findings is an error.
pub(super) fn broken_rules_error(findings: &[Finding], olm: Olm) -> Option<Error> {
    let mut errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
    let first = errors.next()?;
    let count = 1 + errors.count();
    let places = if count == 1 { "at 1 place".to_owned() } else { format!("at {count} places") };
    let code = &first.code;
    Some(Error::user(format!("the bundle breaks the rules of OLM {} {places}", name(olm))).hint(hint!(
        "opctl explain {code}{}",
        Hint::from("    # why, with an example"),
        code = code
    )))
}

fn name(olm: Olm) -> &'static str {
    match olm {
        Olm::V0 => "v0",
        Olm::V1 => "v1",
    }
}
