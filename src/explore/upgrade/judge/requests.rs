//! Finds requests of the operator that the API server denies (status 403) or refuses as invalid, after an upgrade or a
//! rollback. Also finds versions of the operator that do not start, do not stop writing, or do not make the sample
//! objects ready.

use super::Evidence;
use crate::explore::record::journal::{Entry, Request};
use crate::explore::upgrade::code::Code;
use crate::explore::upgrade::found::UpgradeFinding;
use crate::explore::upgrade::play::Play;
use crate::explore::upgrade::run_version::Part;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the findings about the requests of the version that runs in `play`, a sequence of upgrade events.
pub(super) fn find_problems(play: Play, part: &Part, evidence: &Evidence) -> Vec<UpgradeFinding> {
    let version = if play.is_way_back() { "old" } else { "new" };
    let mut found = Vec::new();
    if let Some(failed) = &part.failed {
        let code = if play.is_way_back() { Code::NoWayBack } else { Code::NotStarted };
        let text = format!("{} the {version} version does not start: {failed}", play.phrase());
        found.push(UpgradeFinding::new(code, play, "operator", text));
    }
    let by_old = [&evidence.old, &evidence.restarted, &evidence.old_deleted].into_iter().flat_map(denied_requests);
    let usual = by_old.collect::<BTreeSet<_>>();
    for request in denied_requests(part).difference(&usual) {
        let words = request.replacen(':', " ", 1);
        let text = format!(
            "{} the {version} version is not allowed to `{words}`{}",
            play.phrase(),
            denial_reason(part, request)
        );
        let object = request.split_once(':').map_or(request.as_str(), |(_, object)| object);
        found.push(UpgradeFinding::new(Code::Denied, play, object, text));
    }
    let by_itself = evidence.fresh.iter().flatten().chain([&evidence.old, &evidence.restarted, &evidence.old_deleted]);
    let usual: BTreeSet<String> = by_itself.flat_map(|part| refused_writes(part).into_keys()).collect();
    for (request, message) in refused_writes(part).into_iter().filter(|(request, _)| !usual.contains(request)) {
        let words = request.replacen(':', " ", 1);
        let text = format!(
            "{} the API server refuses the request `{words}` of the {version} version: {}",
            play.phrase(),
            crate::report::clipped(&message, 200)
        );
        let object = request.split_once(':').map_or(request.as_str(), |(_, object)| object);
        found.push(UpgradeFinding::new(Code::Refused, play, object, text));
    }
    if found.is_empty() && !play.is_way_back() {
        found.extend(slow(play, part, evidence));
    }
    found
}

/// Returns a finding if, after `play`, a sample is not ready that is ready in a fresh installation. Otherwise, returns
/// a finding if the new version does not come to rest after `play`, although both versions come to rest without an
/// upgrade.
fn slow(play: Play, part: &Part, evidence: &Evidence) -> Option<UpgradeFinding> {
    let fresh = evidence.fresh.as_ref()?;
    if let Some((object, reason)) = part.unready.iter().find(|(object, _)| !fresh[0].unready.contains_key(*object)) {
        let text =
            format!("{} {object} is not ready, although it is ready in a fresh installation: {reason}", play.phrase());
        return Some(UpgradeFinding::new(Code::Slow, play, object.clone(), text));
    }
    (part.restless && !fresh[0].restless && !evidence.old.restless).then(|| {
        let text = format!("{} the new version does not come to rest", play.phrase());
        UpgradeFinding::new(Code::Slow, play, "operator", text)
    })
}

/// Returns the requests that the API server denied because of a missing right, as `VERB:OBJECT`, without duplicates.
fn denied_requests(part: &Part) -> BTreeSet<String> {
    let requests = part.journal.iter().filter_map(Entry::request).filter(|request| request.is_denied());
    let requests = requests.map(|request| {
        let (verb, object) = request.parts();
        format!("{verb}:{object}")
    });
    requests.chain(part.denied.iter().cloned()).collect()
}

/// Returns the API server's reason for a denial; empty if the reason is only that a role lacks the right.
fn denial_reason(part: &Part, denied: &str) -> String {
    let is_this =
        |request: &&Request| request.is_denied() && format!("{}:{}", request.parts().0, request.parts().1) == denied;
    let refusal =
        part.journal.iter().filter_map(Entry::request).find(is_this).map(|request| request.left.refusal.as_str());
    let reason = refusal.and_then(|text| text.split_once(" is forbidden: ")).map(|(_, reason)| reason);
    let reason = reason.filter(|reason| !reason.starts_with("User "));
    reason.map(|reason| format!(": {}", reason.trim_end_matches(": , <nil>"))).unwrap_or_default()
}

/// Returns the writes that the API server refused as invalid, as `VERB:OBJECT`, each with the last message of the API
/// server. Leaves out writes that the API server accepted later.
fn refused_writes(part: &Part) -> BTreeMap<String, String> {
    let mut refused = BTreeMap::new();
    for request in part.journal.iter().filter_map(Entry::request) {
        let (verb, object) = request.parts();
        let write = format!("{verb}:{object}");
        if request.is_invalid() {
            refused.insert(write, request.left.refusal.clone());
        } else if (200..300).contains(&request.status) {
            refused.remove(&write);
        }
    }
    refused
}
