//! Deletions that do not end, and what they leave.

use super::Evidence;
use crate::explore::upgrade::code::Code;
use crate::explore::upgrade::found::Found;
use crate::explore::upgrade::part::Part;
use crate::explore::upgrade::play::Play;

/// Returns the findings about a namespace after the deletion of the samples.
pub(super) fn found(play: Play, part: &Part, evidence: &Evidence) -> Vec<Found> {
    let mut found = Vec::new();
    for (object, finalizers) in part.picture.raw.keys().filter_map(|object| Some((object, part.picture.holds(object)?)))
    {
        // A deletion that does not end without an upgrade is not due to it.
        if evidence.old_deleted.picture.holds(object).is_some() {
            continue;
        }
        let own = evidence.before.get(&play).map(|before| before.picture.finalizers(object)).unwrap_or_default();
        let foreign = finalizers.iter().find(|name| !own.contains(*name));
        let named = finalizers.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        found.push(match foreign {
            Some(name) if play.is_way_back() => {
                let text = format!(
                    "on the way back, {object} cannot be deleted: the old version does not know the finalizer `{name}`"
                );
                Found::new(Code::NoWayBack, play, object, text)
            }
            _ => {
                let text =
                    format!("{} {object} stays, because neither version removes its finalizer {named}", play.phrase());
                Found::new(Code::Stuck, play, object, text)
            }
        });
    }
    if found.is_empty() {
        found.extend(left(play, part, evidence));
    }
    found
}

/// Returns findings for the objects that the deletion leaves, unless it leaves them with the old version alone as well.
fn left(play: Play, part: &Part, evidence: &Evidence) -> Vec<Found> {
    let old = evidence.old_deleted.picture.objects();
    let fresh = evidence.fresh.as_ref().map(|fresh| fresh[2].picture.objects());
    let mut found = Vec::new();
    for object in part.picture.objects().difference(&old) {
        let by_new = fresh.as_ref().is_some_and(|fresh| fresh.contains(object));
        let why = match (play.is_way_back(), by_new) {
            (true, _) => "which the new version has made",
            (_, true) => "which the old version removes",
            _ => "which the old version has made",
        };
        let text = format!("{} {object} is left, {why}", play.phrase());
        found.push(Found::new(Code::Orphan, play, object.clone(), text));
    }
    found
}
