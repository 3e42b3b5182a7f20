//! Findings about values that are lost or changed by an upgrade or a rollback.

use super::Evidence;
use super::objects::{describe_difference, differing, matters};
use crate::explore::record::state::{Difference, Masks, strip_number};
use crate::explore::upgrade::code::Code;
use crate::explore::upgrade::found::UpgradeFinding;
use crate::explore::upgrade::play::Play;
use crate::explore::upgrade::run_version::Part;
use std::collections::BTreeMap;

/// Compares a namespace before and after the upgrade, during which the user changes nothing. Returns findings about
/// values that are lost or changed.
pub(super) fn gone_or_changed(play: Play, before: &Part, after: &Part, evidence: &Evidence) -> Vec<UpgradeFinding> {
    let differences = unmasked_differences(before, after, evidence);
    let mut found = lost_field_findings(play, &differences, evidence);
    let mut changed: BTreeMap<String, Vec<Difference>> = BTreeMap::new();
    for one in differences {
        let is_sample = evidence.samples.contains(&one.object);
        let was_made_once = is_made_once(&one, evidence);
        if was_made_once && !is_sample && one.expected.is_some() {
            let text = format!(
                "{} a value that is generated only once has changed: {} {}",
                play.phrase(),
                one.object,
                one.path
            );
            found.push(UpgradeFinding::new(Code::Lost, play, one.object.clone(), text).with(vec![one]));
        } else if matters(&one, evidence) && !is_of_pods(&one.path) {
            changed.entry(one.object.clone()).or_default().push(one);
        }
    }
    found.extend(changed.into_iter().filter_map(|(object, differences)| {
        let text = format!("{} {object} changes: {}", play.phrase(), describe_difference(differences.first()?));
        Some(UpgradeFinding::new(Code::Changes, play, object, text).with(differences))
    }));
    found
}

/// Compares a namespace before the upgrade with the same namespace after the rollback to the old version. Returns
/// findings about the differences, and about samples that are no longer ready.
pub(super) fn unlike_old(play: Play, part: &Part, evidence: &Evidence) -> Vec<UpgradeFinding> {
    let Some(before) = evidence.before.get(&Play::Upgrade) else { return Vec::new() };
    let differences = unmasked_differences(before, part, evidence);
    let mut found = lost_field_findings(play, &differences, evidence);
    for (object, reason) in part.unready.iter().filter(|(object, _)| !before.unready.contains_key(*object)) {
        let text = format!("{} {object} is not ready: {reason}", play.phrase());
        found.push(UpgradeFinding::new(Code::NoWayBack, play, object.clone(), text));
    }
    let mut objects: BTreeMap<String, Vec<Difference>> = BTreeMap::new();
    for one in differences.into_iter().filter(|one| matters(one, evidence)) {
        objects.entry(one.object.clone()).or_default().push(one);
    }
    found.extend(objects.into_iter().filter_map(|(object, differences)| {
        let text = format!(
            "{} {object} differs from what the old version made: {}",
            play.phrase(),
            describe_difference(differences.first()?)
        );
        Some(UpgradeFinding::new(Code::NoWayBack, play, object, text).with(differences))
    }));
    let whole = before.picture.state.differences(&part.picture.state, &evidence.masks);
    for one in whole.into_iter().filter(|one| one.path.is_empty()) {
        found.push(if one.is_missing() {
            let text = format!("{} {} is missing", play.phrase(), one.displayed_object());
            UpgradeFinding::new(Code::NoWayBack, play, one.object.clone(), text).with(vec![one])
        } else {
            let text =
                format!("{} {} remains, although only the new version makes it", play.phrase(), one.displayed_object());
            let is_owned =
                part.picture.raw.get(&one.object).is_some_and(|it| it["metadata"]["ownerReferences"].is_array());
            let found = UpgradeFinding::new(Code::Orphan, play, one.object.clone(), text).with(vec![one]);
            // It goes with its owner.
            if is_owned { found.warning() } else { found }
        });
    }
    found
}

/// Compares the objects after an upgrade, a rollback and a second upgrade with the objects after the first upgrade.
/// Returns findings about the differences.
pub(super) fn unlike_first_time(part: &Part, evidence: &Evidence) -> Vec<UpgradeFinding> {
    let Some(first) = evidence.after.get(&Play::Upgrade) else { return Vec::new() };
    let mut found = lost_field_findings(Play::Forward, &unmasked_differences(first, part, evidence), evidence);
    let differences = first.picture.state.differences(&part.picture.state, &evidence.masks);
    found.extend(differing(Play::Forward, differences, "the first upgrade", evidence));
    found
}

/// Returns the fields that differ between two states of one namespace, except fields that a mere restart of the old
/// version changes.
fn unmasked_differences(before: &Part, after: &Part, evidence: &Evidence) -> Vec<Difference> {
    let differences = before.picture.state.differences(&after.picture.state, &Masks::default());
    // Objects with generated names are told apart by their content, unless there are more or fewer of them.
    let like = |part: &Part, object: &str| {
        part.picture.objects().iter().filter(|other| strip_number(other) == strip_number(object)).count()
    };
    let is_same = |object: &str| !object.contains('*') || like(before, object) == like(after, object);
    let fields = differences.into_iter().filter(|one| !one.path.is_empty() && is_same(&one.object));
    fields.filter(|one| !evidence.changes_by_a_restart(&one.object, &one.path)).collect()
}

/// Returns a finding for each lost field of a sample.
fn lost_field_findings(play: Play, differences: &[Difference], evidence: &Evidence) -> Vec<UpgradeFinding> {
    let is_kept = |path: &str| {
        // A status is written again by the version that runs.
        let of_users = path.starts_with(".spec") || path.starts_with(".metadata");
        (of_users || play == Play::BackDefinitions) && !path.starts_with(".metadata.finalizers")
    };
    let gone = differences.iter().filter(|one| {
        evidence.samples.contains(&one.object) && one.expected.is_some() && one.found.is_none() && is_kept(&one.path)
    });
    gone.map(|one| {
        let text = format!("{} {} of {} is lost", play.phrase(), one.path, one.object);
        UpgradeFinding::new(Code::Lost, play, format!("{} {}", one.object, one.path), text).with(vec![one.clone()])
    })
    .collect()
}

/// Returns true if the field contains data that differs from namespace to namespace, such as a password.
fn is_made_once(one: &Difference, evidence: &Evidence) -> bool {
    let resource = one.object.split('/').next().unwrap_or_default();
    let is_data = [".data", ".stringData", ".binaryData"].iter().any(|data| one.path.starts_with(data));
    is_data && evidence.masks.has(resource, one.path.trim_start_matches('.'))
}

fn is_of_pods(path: &str) -> bool {
    path.starts_with(".spec.template.")
        || path.starts_with(".spec.replicas")
        || path.starts_with(".spec.volumeClaimTemplates")
}
