//! Findings about objects that differ after an upgrade from the objects of a fresh installation.

use super::Evidence;
use crate::explore::record::state::Difference;
use crate::explore::upgrade::code::Code;
use crate::explore::upgrade::found::UpgradeFinding;
use crate::explore::upgrade::play::Play;
use crate::explore::upgrade::run_version::Part;
use std::collections::BTreeMap;

/// Returns findings about the differences between a namespace after `play`, a sequence of upgrade events, and a fresh
/// installation of the new version. `at` selects the state of the fresh installation: 0 is the state at rest, 1 is the
/// state after a change. `is_hindered` is true if the play already has findings about failed requests. The function
/// then reports only additional objects, because the failed requests explain missing objects and differing fields.
pub(super) fn unlike_fresh(
    play: Play,
    part: &Part,
    at: usize,
    is_hindered: bool,
    evidence: &Evidence,
) -> Vec<UpgradeFinding> {
    let Some(fresh) = evidence.fresh.as_ref().map(|fresh| &fresh[at]) else { return Vec::new() };
    let differences = fresh.picture.state.differences(&part.picture.state, &evidence.masks);
    let (whole, fields): (Vec<_>, Vec<_>) = differences.into_iter().partition(|one| one.path.is_empty());
    let (missing, extra): (Vec<_>, Vec<_>) = whole.into_iter().partition(Difference::is_missing);
    let mut found: Vec<UpgradeFinding> =
        extra.into_iter().map(|one| extra_object_finding(play, part, fresh, one, evidence)).collect();
    if is_hindered {
        return found;
    }
    for one in missing {
        let text = format!("{} {} is missing; a fresh installation has it", play.phrase(), one.displayed_object());
        found.push(UpgradeFinding::new(Code::Differs, play, one.object.clone(), text).with(vec![one]));
    }
    found.extend(differing(play, fields, "a fresh installation", evidence));
    found
}

/// Returns the finding for an object that a fresh installation does not have.
fn extra_object_finding(
    play: Play,
    part: &Part,
    fresh: &Part,
    extra: Difference,
    evidence: &Evidence,
) -> UpgradeFinding {
    let (old, resource) = (evidence.old.picture.objects(), extra.object.split('/').next().unwrap_or_default());
    let (now, fresh) = (part.picture.objects(), fresh.picture.objects());
    let is_new = |object: &&String| {
        object.split('/').next() == Some(resource) && fresh.contains(*object) && !old.contains(*object)
    };
    let (shown, object) = (extra.displayed_object(), extra.object.clone());
    let found = match now.iter().find(is_new) {
        _ if object.contains('*') => {
            let text = format!("{} {shown} exists a second time, under another name", play.phrase());
            UpgradeFinding::new(Code::Duplicate, play, object, text)
        }
        Some(twin) => {
            let text =
                format!("{} {twin} is made in addition to {shown} of the old version, which remains", play.phrase());
            UpgradeFinding::new(Code::Duplicate, play, object, text)
        }
        None if old.contains(&object) => {
            let text = format!("{} {shown} remains; the new version neither makes nor removes it", play.phrase());
            UpgradeFinding::new(Code::Orphan, play, object, text)
        }
        None => {
            let text = format!("{} {shown} exists, although neither version alone makes it", play.phrase());
            UpgradeFinding::new(Code::Differs, play, object, text)
        }
    };
    found.with(vec![extra])
}

/// Compares a namespace in which the new version was killed with the namespace of an upgrade without a crash. Returns
/// findings about the differences.
pub(super) fn unlike_upgrade(play: Play, part: &Part, evidence: &Evidence) -> Vec<UpgradeFinding> {
    let Some(upgrade) = evidence.after.get(&Play::Upgrade) else { return Vec::new() };
    let differences = upgrade.picture.state.differences(&part.picture.state, &evidence.masks);
    differing(play, differences, "an upgrade without a crash", evidence)
}

/// Returns one finding for each object in `differences`. The finding is a warning if none of the object's differences
/// is important (see [`matters`]). `other` describes the state with which the objects were compared, such as `a fresh
/// installation`.
pub(super) fn differing(
    play: Play,
    differences: Vec<Difference>,
    other: &str,
    evidence: &Evidence,
) -> Vec<UpgradeFinding> {
    let mut objects: BTreeMap<String, Vec<Difference>> = BTreeMap::new();
    for one in differences {
        objects.entry(one.object.clone()).or_default().push(one);
    }
    let found = objects.into_iter().filter_map(|(object, mut differences)| {
        differences.sort_by_key(|one| !matters(one, evidence));
        let first = differences.first()?;
        let text = format!("{} {object} is not the same as in {other}: {}", play.phrase(), describe_difference(first));
        let is_error = matters(first, evidence);
        let found = UpgradeFinding::new(Code::Differs, play, object, text).with(differences);
        Some(if is_error { found } else { found.warning() })
    });
    found.collect()
}

/// Returns the text of `difference` without the object's name at the beginning, such as `.spec.replicas is 1 instead of
/// 2`.
pub(super) fn describe_difference(difference: &Difference) -> String {
    let text = difference.to_string();
    text.strip_prefix(&difference.displayed_object()).map_or(text.clone(), |rest| rest.trim_start().to_owned())
}

/// Returns false for a difference in a sample, and for a difference in an object's labels, annotations, finalizers,
/// status or `imagePullPolicy`. Returns true for all other differences.
pub(super) fn matters(difference: &Difference, evidence: &Evidence) -> bool {
    let path = difference.path.as_str();
    let is_mark = [".metadata.labels", ".metadata.annotations", ".metadata.finalizers", ".status"];
    !evidence.samples.contains(&difference.object)
        && !is_mark.iter().any(|mark| path.starts_with(mark))
        && !path.ends_with(".imagePullPolicy")
}
