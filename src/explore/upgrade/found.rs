//! A finding about an upgrade, before it is reported.

use super::code::Code;
use super::play::Play;
use super::run_version::Part;
use crate::error::{Hint, hint};
use crate::explore::judge::suspicion::{Oracle, Severity};
use crate::explore::record::journal::Entry;
use crate::explore::record::state::Difference;
use crate::explore::report::text::{Finding, Repeats};
use crate::explore::run::log;
use crate::finding;

/// The number of events that are shown before the first event about the finding's object; [`SHOWN`] is the maximum
/// number of all shown events.
const BEFORE: usize = 4;
const SHOWN: usize = 14;
const LOG: usize = 6;

/// A finding about an upgrade.
#[derive(Clone, Debug)]
pub(super) struct UpgradeFinding {
    pub(super) code: Code,
    pub(super) severity: Severity,
    pub(super) text: String,
    /// The object that the finding is about, such as `services/web`, or the name of a CRD.
    pub(super) object: String,
    pub(super) play: Play,
    pub(super) differences: Vec<Difference>,
    timeline: Vec<Entry>,
    log: Vec<String>,
}

impl UpgradeFinding {
    pub(super) fn new(code: Code, play: Play, object: impl Into<String>, text: impl Into<String>) -> UpgradeFinding {
        let severity = match code.page().severity {
            finding::Severity::Error => Severity::Error,
            finding::Severity::Warning => Severity::Warning,
        };
        let (object, text) = (object.into(), text.into());
        UpgradeFinding {
            code,
            severity,
            text,
            object,
            play,
            differences: Vec::new(),
            timeline: Vec::new(),
            log: Vec::new(),
        }
    }

    /// Turns the finding into a warning.
    pub(super) fn warning(self) -> UpgradeFinding {
        UpgradeFinding { severity: Severity::Warning, ..self }
    }

    /// Sets the differences that show the finding.
    pub(super) fn with(self, differences: Vec<Difference>) -> UpgradeFinding {
        UpgradeFinding { differences, ..self }
    }

    /// Sets the events and log lines that the finding shows: excerpts from `part`, the result of the version that
    /// caused the finding.
    pub(super) fn seen_in(mut self, part: &Part) -> UpgradeFinding {
        let is_about = |entry: &Entry| {
            let request = entry.request().filter(|request| request.effective || request.status >= 400);
            request.is_some_and(|request| request.parts().1.starts_with(&self.object))
        };
        let first = part.journal.iter().position(is_about).unwrap_or_default();
        self.timeline = part.journal.iter().skip(first.saturating_sub(BEFORE)).take(SHOWN).cloned().collect();
        self.log = log::distinct_lines(part.log.iter()).into_iter().take(LOG).collect();
        self
    }

    /// Returns the key of the cause: findings with the same key count as one finding.
    pub(super) fn key(&self) -> (Code, String) {
        (self.code, self.object.clone())
    }

    /// Converts this finding into a finding for the report.
    pub(super) fn report(self, seconds: f64, repeats: Repeats, again: &Hint) -> Finding {
        let play = self.play.to_string();
        Finding {
            severity: self.severity,
            oracle: Oracle::Upgrade,
            message: self.text,
            code: self.code.name(),
            replay: Some(hint!("{again} --replay {play}", again, play = play.as_str())),
            plan: Some(play),
            object: Some(self.object),
            remember: None,
            seconds,
            heals: None,
            repeats,
            differences: self.differences,
            timeline: self.timeline,
            reference_timeline: Vec::new(),
            reference_next: None,
            log: self.log,
            also: Vec::new(),
        }
    }
}
