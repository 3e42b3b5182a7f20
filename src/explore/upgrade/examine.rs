//! Runs the plays of an upgrade, which are sequences of events to test, and reports their findings.

use super::found::UpgradeFinding;
use super::play::Play;
use super::release::Pair;
use super::trial::Trial;
use crate::error::{Hint, hint};
use crate::explore::judge::suspicion::Severity;
use crate::explore::report::text::{Repeats, Summary};
use crate::report::Console;
use crate::{Error, Result};
use std::collections::BTreeSet;
use std::time::Instant;

/// Returns the plays whose names contain one of the texts in `only`, or all plays if `only` is empty. `again` is
/// the command line that explores the same upgrade.
///
/// # Errors
/// Fails if a text is not part of the name of any play.
pub fn selected_plays(only: &[String], again: &Hint) -> Result<BTreeSet<Play>> {
    let all = Play::all();
    if let Some(text) = only.iter().find(|text| !all.iter().any(|play| play.to_string().contains(text.as_str()))) {
        return Err(Error::usage(format!(
            "`--only {text}` matches none of the plays, the sequences of upgrade events \
                                         that opctl can test"
        ))
        .caused_by(Play::names())
        .hint(hint!("{again} --list    # describes the upgrade events that each play tests", again)));
    }
    let is_wanted = |play: &Play| only.is_empty() || only.iter().any(|text| play.to_string().contains(text.as_str()));
    Ok(all.into_iter().filter(is_wanted).collect())
}

/// The findings of one execution of the selected plays.
#[derive(Debug, Default)]
pub struct Examined {
    found: Vec<UpgradeFinding>,
    played: usize,
}

/// A finding that the user has declared as intended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meant {
    /// The code of the finding.
    pub finding: String,
    /// The object that the finding is about, such as `deployments.apps/web`.
    pub object: String,
    /// The reason why the finding is intended, which the report shows.
    pub reason: String,
}

/// Runs the plays of an upgrade once. The API server must already serve the CRDs of the first version.
///
/// # Errors
/// Fails if the API server cannot be used, or a version fails without an upgrade. Bugs of the upgrade are findings.
pub async fn examine(pair: &Pair, wanted: &BTreeSet<Play>, console: &Console) -> Result<Examined> {
    let found = Trial::of(pair, wanted.clone(), console).await?.run().await?;
    Ok(Examined { found, played: wanted.len() })
}

impl Examined {
    /// Returns the plays that have at least one error among their findings.
    pub fn plays(&self) -> BTreeSet<Play> {
        self.found.iter().filter(|found| found.severity == Severity::Error).map(|found| found.play).collect()
    }

    /// Returns the summary of this execution of the plays, and of an optional second execution. An error that the
    /// second execution does not show is flaky. A finding that the user has declared as intended is a warning.
    pub fn summary(mut self, second: Option<&Examined>, meant: &[Meant], begun: Instant, again: &Hint) -> Summary {
        for found in &mut self.found {
            let is_this = |meant: &&Meant| meant.finding == found.code.name() && meant.object == found.object;
            if let Some(meant) = meant.iter().find(is_this) {
                found.severity = Severity::Warning;
                found.text = format!("{} (meant: {})", found.text, meant.reason);
            }
        }
        let seconds = (begun.elapsed().as_secs_f64() * 10.0).round() / 10.0;
        let is_shown = |found: &UpgradeFinding| {
            let shows = |second: &Examined| second.found.iter().any(|one| one.key() == found.key());
            found.severity == Severity::Warning || second.is_none_or(shows)
        };
        let (sure, flaky): (Vec<_>, Vec<_>) = self.found.into_iter().partition(is_shown);
        let of = 1 + u32::from(second.is_some());
        let report = |found: Vec<UpgradeFinding>, shown| {
            let repeats = Repeats { shown, of, placebo: 0, placebos: of };
            found.into_iter().map(|found| found.report(seconds, repeats, again)).collect::<Vec<_>>()
        };
        let (planned, findings, flaky) = (self.played, report(sure, of), report(flaky, 1));
        Summary { findings, flaky, planned, tried: planned, reached: planned, seconds, ..Summary::default() }
    }
}
