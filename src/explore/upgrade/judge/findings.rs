//! Collects the findings of all plays, without duplicates. A play is a sequence of events of an upgrade, such as a
//! rollback.

use super::lost_values;
use super::{Evidence, deletion, objects, requests, restarts};
use crate::explore::judge::suspicion::Severity;
use crate::explore::upgrade::found::UpgradeFinding;
use crate::explore::upgrade::play::Play;
use crate::explore::upgrade::run_version::Part;
use std::collections::BTreeSet;

/// Returns the findings of an upgrade without duplicates: errors first, then by play.
pub(in crate::explore::upgrade) fn findings(mut evidence: Evidence) -> Vec<UpgradeFinding> {
    let mut found = std::mem::take(&mut evidence.found);
    for (play, part) in evidence.after.iter().filter(|(play, _)| evidence.wanted.contains(play)) {
        found.extend(upgrade_findings(*play, part, &evidence));
    }
    for (play, part) in evidence.back.iter().filter(|(play, _)| evidence.wanted.contains(play)) {
        found.extend(back(*play, part, &evidence));
    }
    let mut seen = BTreeSet::new();
    found.sort_by_key(|found| (found.severity, found.play));
    found.retain(|found| seen.insert(found.key()));
    // What is an error needs no second line as a warning.
    let errors: BTreeSet<String> =
        found.iter().filter(|found| found.severity == Severity::Error).map(|found| found.object.clone()).collect();
    found.retain(|found| found.severity == Severity::Error || !errors.contains(&found.object));
    found.sort_by_key(|found| (found.severity, found.play, found.code));
    found
}

/// Returns the findings of a play in which the new version takes over objects of the old version.
fn upgrade_findings(play: Play, part: &Part, evidence: &Evidence) -> Vec<UpgradeFinding> {
    let mut found = requests::find_problems(play, part, evidence);
    if part.failed.is_some() {
        return found;
    }
    let is_hindered = !found.is_empty();
    if let Some(before) = evidence.before.get(&play) {
        if !matches!(play, Play::Delete | Play::DeleteAfter) {
            found.extend(restarts::find_problems(play, before, part, evidence));
        }
        if play == Play::Upgrade {
            found.extend(lost_values::gone_or_changed(play, before, part, evidence));
        }
    }
    match play {
        Play::Upgrade | Play::Create | Play::DeleteBack | Play::Beside => {
            found.extend(objects::unlike_fresh(play, part, 0, is_hindered, evidence));
        }
        Play::Change => found.extend(objects::unlike_fresh(play, part, 1, is_hindered, evidence)),
        // A version that may not do what the deletion needs does not end it.
        Play::Delete | Play::DeleteAfter if !is_hindered => found.extend(deletion::find_problems(play, part, evidence)),
        Play::Crash(_) => found.extend(objects::unlike_upgrade(play, part, evidence)),
        Play::Forward => found.extend(lost_values::unlike_first_time(part, evidence)),
        _ => {}
    }
    found.into_iter().map(|found| found.seen_in(part)).collect()
}

/// Returns the findings of a play in which the old version takes over objects of the new version.
fn back(play: Play, part: &Part, evidence: &Evidence) -> Vec<UpgradeFinding> {
    let mut found = requests::find_problems(play, part, evidence);
    if part.failed.is_none() {
        found.extend(match play {
            Play::DeleteBack => deletion::find_problems(play, part, evidence),
            _ => lost_values::unlike_old(play, part, evidence),
        });
    }
    found.into_iter().map(|found| found.seen_in(part)).collect()
}
