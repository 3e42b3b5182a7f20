//! Findings about deletions that do not end, and about objects that remain after a deletion.

use super::Evidence;
use crate::explore::upgrade::code::Code;
use crate::explore::upgrade::found::UpgradeFinding;
use crate::explore::upgrade::play::Play;
use crate::explore::upgrade::run_version::Part;

/// Returns the findings about a namespace after the deletion of the samples.
pub(super) fn find_problems(play: Play, part: &Part, evidence: &Evidence) -> Vec<UpgradeFinding> {
    let mut found = Vec::new();
    for (object, finalizers) in
        part.picture.raw.keys().filter_map(|object| Some((object, part.picture.blocking_finalizers(object)?)))
    {
        // A deletion that does not end without an upgrade is not due to it.
        if evidence.old_deleted.picture.blocking_finalizers(object).is_some() {
            continue;
        }
        let own = evidence.before.get(&play).map(|before| before.picture.finalizers(object)).unwrap_or_default();
        let foreign = finalizers.iter().find(|name| !own.contains(*name));
        let named = finalizers.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        found.push(match foreign {
            Some(name) if play.is_way_back() => {
                let text = format!(
                    "after the rollback, {object} cannot be deleted: the old version does not know the finalizer \
                     `{name}`"
                );
                UpgradeFinding::new(Code::NoWayBack, play, object, text)
            }
            _ => {
                let text = format!(
                    "{} {object} is not deleted, because neither version removes its finalizer {named}",
                    play.phrase()
                );
                UpgradeFinding::new(Code::Stuck, play, object, text)
            }
        });
    }
    if found.is_empty() {
        found.extend(orphan_findings(play, part, evidence));
    }
    found
}

/// Returns findings for the objects that the deletion leaves, unless the old version alone leaves them as well.
fn orphan_findings(play: Play, part: &Part, evidence: &Evidence) -> Vec<UpgradeFinding> {
    let old = evidence.old_deleted.picture.objects();
    let fresh = evidence.fresh.as_ref().map(|fresh| fresh[2].picture.objects());
    let mut found = Vec::new();
    for object in part.picture.objects().difference(&old) {
        let by_new = fresh.as_ref().is_some_and(|fresh| fresh.contains(object));
        let why = match (play.is_way_back(), by_new) {
            (true, _) => "an object that the new version has made",
            (_, true) => "an object that the old version removes",
            _ => "an object that the old version has made",
        };
        let text = format!("{} {object} is left, {why}", play.phrase());
        found.push(UpgradeFinding::new(Code::Orphan, play, object.clone(), text));
    }
    found
}
