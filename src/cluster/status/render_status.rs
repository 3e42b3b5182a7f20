//! Renders a status as text.

use super::found::{KindStatus, OperatorStatus};
use super::operator::{Leader, Operator, Replica};
use super::status_part::Part;
use crate::report::{age, columns, shortened};
use k8s_openapi::jiff::Timestamp;
use std::time::Duration;

/// The maximum number of characters of a message that are shown.
const WIDTH: usize = 100;

/// The maximum number of characters of a reason that is shown on a separate line.
const REASON: usize = 300;

/// The maximum number of pods that are shown.
const PODS: usize = 10;

/// Renders `found` as text, with ages relative to `now`.
pub(super) fn text(found: &OperatorStatus, now: Timestamp) -> String {
    let mut blocks = vec![operator(found, now)];
    let operator = found.operator.known().and_then(Option::as_ref);
    blocks.extend(operator.and_then(|operator| pods(operator, now)));
    match &found.kinds {
        Part::Unknown { error } => blocks.push(unreadable_text("the kinds", error)),
        Part::Known(kinds) if kinds.is_empty() => blocks.push("The project defines no kind.".to_owned()),
        Part::Known(kinds) => {
            blocks.push(definitions(kinds));
            blocks.extend(objects(kinds));
            blocks.extend(unready_objects_table(kinds));
        }
    }
    blocks.extend(warnings(found, now));
    blocks.join("\n\n")
}

fn operator(found: &OperatorStatus, now: Timestamp) -> String {
    let manager = &found.manager;
    let mut rows = vec![["Deployment:".to_owned(), format!("{}/{}", manager.namespace, manager.name)]];
    let mut row = |name: &str, value: String| rows.push([name.to_owned(), value]);
    match &found.operator {
        Part::Unknown { error } => row("Replicas:", unreadable_text("they", error)),
        Part::Known(None) => row("Replicas:", "not deployed".to_owned()),
        Part::Known(Some(Operator { image, wanted, ready, observed, pods, elects: _ })) => {
            row("Image:", shortened(image, WIDTH));
            let looked = if *observed { "" } else { ", not yet observed by the Deployment controller" };
            row("Replicas:", format!("{ready} of {wanted} ready{looked}"));
            if let Some(error) = pods.error() {
                row("Pods:", unreadable_text("they", error));
            }
        }
    }
    row("Leader:", leader(&found.leader, now));
    columns(&rows)
}

fn leader(leader: &Part<Option<Leader>>, now: Timestamp) -> String {
    match leader {
        Part::Unknown { error } => unreadable_text("it", error),
        Part::Known(None) => "none, because no lease exists".to_owned(),
        Part::Known(Some(Leader { holder, .. })) if holder.is_empty() => {
            "none, the last leader released the lease".to_owned()
        }
        Part::Known(Some(Leader { holder, renewed, expired })) => {
            let ago = renewed.map(|at| format!(", renewed {} ago", event_age(at, now))).unwrap_or_default();
            let expired = if *expired { ", expired" } else { "" };
            format!("{}{ago}{expired}", shortened(holder, WIDTH))
        }
    }
}

fn pods(operator: &Operator, now: Timestamp) -> Option<String> {
    let all = operator.pods.known().filter(|pods| !pods.is_empty())?;
    let mut rows = vec![["POD", "READY", "STATUS", "RESTARTS", "LAST END", "AGE"].map(str::to_owned)];
    for pod in all.iter().take(PODS) {
        let end = pod.last_end.as_ref().map_or_else(String::new, |end| {
            let ago = end.at.map(|at| format!(" {} ago", event_age(at, now))).unwrap_or_default();
            format!("{} ({}){ago}", end.reason, end.exit_code).trim_start().to_owned()
        });
        let old = pod.started.map(|at| event_age(at, now)).unwrap_or_default();
        rows.push([pod.name.clone(), yes(pod.ready), pod.state.clone(), pod.restarts.to_string(), end, old]);
    }
    let more = all.len().saturating_sub(PODS);
    let more = if more > 0 { format!("\nand {more} more") } else { String::new() };
    let why = all.iter().take(PODS).filter(|pod| !pod.ready).flat_map(reasons);
    let lines: Vec<String> = [columns(&rows) + &more].into_iter().chain(why).collect();
    Some(lines.join("\n"))
}

/// Returns the reasons why a pod is not ready, a line for each.
fn reasons(pod: &Replica) -> Vec<String> {
    let ended = pod.last_end.as_ref().and_then(|end| end.message.as_deref()).filter(|text| !text.trim().is_empty());
    let all = pod.held_up.as_deref().into_iter().chain(ended);
    all.map(|reason| format!("{}: {}", pod.name, shortened(reason, REASON))).collect()
}

fn definitions(kinds: &[KindStatus]) -> String {
    let mut rows = vec![["DEFINITION", "INSTALLED", "SERVED", "STORAGE", "CONFIG/CRD"].map(str::to_owned)];
    for kind in kinds {
        let [mut installed, mut served, mut storage, mut same] = ["no", "", "", ""].map(str::to_owned);
        match &kind.definition {
            Part::Unknown { error } => installed = unreadable_text("it", error),
            Part::Known(None) => {}
            Part::Known(Some(found)) => {
                installed.replace_range(.., if found.established { "yes" } else { "not established" });
                (served, storage) = (found.served.join(", "), found.storage.clone());
                same.replace_range(.., if found.drifted { "differs" } else { "the same" });
            }
        }
        rows.push([kind.name.clone(), installed, served, storage, same]);
    }
    columns(&rows)
}

fn objects(kinds: &[KindStatus]) -> Option<String> {
    let names = ["KIND", "OBJECTS", "READY", "NOT READY", "UNKNOWN", "STALE", "NO REPORT", "DELETING"];
    let mut rows = vec![names.map(str::to_owned).to_vec()];
    for kind in kinds {
        match &kind.objects {
            Part::Unknown { error } => rows.push(vec![kind.kind.clone(), unreadable_text("they", error)]),
            Part::Known(None) => {}
            Part::Known(Some(found)) => {
                let total = found.total.map_or_else(|| format!("over {}", found.looked_at), |total| total.to_string());
                let mut row = vec![kind.kind.clone(), total];
                if found.looked_at > 0 {
                    let counts =
                        [found.ready, found.not_ready, found.unknown, found.stale, found.without, found.deleting];
                    row.extend(counts.map(|number| number.to_string()));
                }
                rows.push(row);
            }
        }
    }
    (rows.len() > 1).then(|| columns(&rows))
}

fn unready_objects_table(kinds: &[KindStatus]) -> Option<String> {
    let mut rows = vec![["NOT READY", "NAMESPACE", "NAME", "READY", "REASON", "MESSAGE"].map(str::to_owned)];
    for kind in kinds {
        for one in kind.objects.known().and_then(Option::as_ref).into_iter().flat_map(|objects| &objects.first) {
            let namespace = one.namespace.clone().unwrap_or_default();
            let (reason, message) = (shortened(&one.reason, WIDTH), shortened(&one.message, WIDTH));
            rows.push([kind.kind.clone(), namespace, one.name.clone(), one.ready.to_owned(), reason, message]);
        }
    }
    (rows.len() > 1).then(|| columns(&rows))
}

fn warnings(found: &OperatorStatus, now: Timestamp) -> Option<String> {
    let all = match &found.warnings {
        Part::Unknown { error } => return Some(unreadable_text("warnings", error)),
        Part::Known(all) => all,
    };
    let mut rows = vec![["WARNING", "OBJECT", "LAST", "TIMES", "MESSAGE"].map(str::to_owned)];
    for warning in all {
        let place = warning.namespace.as_ref().map(|name| format!("{name}/")).unwrap_or_default();
        let object = format!("{} {place}{}", warning.kind, warning.name);
        let last = warning.last.map(|at| event_age(at, now)).unwrap_or_default();
        let (reason, message) = (shortened(&warning.reason, WIDTH), shortened(&warning.message, WIDTH));
        rows.push([reason, object, last, warning.count.to_string(), message]);
    }
    (rows.len() > 1).then(|| columns(&rows))
}

fn unreadable_text(what: &str, error: &str) -> String {
    format!("{what} cannot be read: {}", shortened(error, WIDTH))
}

fn yes(is: bool) -> String {
    if is { "yes" } else { "no" }.to_owned()
}

/// Returns the age, at the time `now`, of an event that occurred at the time `then`. The age is 0 if `then` is later
/// than `now` because the clocks differ.
fn event_age(then: Timestamp, now: Timestamp) -> String {
    let seconds = u64::try_from(now.as_second() - then.as_second()).unwrap_or_default();
    age(Duration::from_secs(seconds))
}
