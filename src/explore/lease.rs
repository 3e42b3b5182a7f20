//! Takes the operator's lease, as another replica does that still reaches the API server.

use super::journal::{Entry, Event};
use super::site::Site;
use super::suspicion::{Oracle, Severity, Suspicion, suspicion};
use super::world::OTHER_HOLDER;
use crate::Result;
use k8s_openapi::jiff::Timestamp;
use serde_json::{Value, json};
use std::ops::Range;
use std::time::{Duration, Instant};

/// The maximum duration of a lease in seconds; longer leases are not taken.
const LONGEST: u64 = 30;
const DEFAULT: u64 = 15;
/// The time that is allowed for requests in flight when the operator's lease ends.
const LAST_REQUEST: Duration = Duration::from_secs(1);
/// The time for which the operator is observed without the lease and must not write.
const WATCHED: Duration = Duration::from_secs(2);
const RENEWED_EVERY: Duration = Duration::from_millis(500);

/// Takes the leases for longer than their duration, and then deletes a child, which only the leader may create again.
/// Returns the range of journal entries in which the operator must not write; `None` if no lease was taken.
pub(super) async fn take(site: &Site) -> Result<Option<Range<usize>>> {
    let leases = site.world.leases(&site.namespace).await?;
    let lasts = |(_, lease): &(String, Value)| lease["spec"]["leaseDurationSeconds"].as_u64().unwrap_or(DEFAULT);
    let Some(lasts) = leases.iter().map(lasts).max().filter(|lasts| *lasts <= LONGEST) else { return Ok(None) };
    site.gate.reach("somebody else takes the lease");
    if site.gate.is_placebo() {
        return Ok(None);
    }
    hold(site, &leases, Duration::from_secs(lasts) + LAST_REQUEST).await?;
    let begun = site.gate.entries();
    if let Some(child) = site.children().first() {
        site.gate.note(Event::Fault(format!("somebody deletes {child}, while another holds the lease")));
        site.world.remove(&site.path(child)?).await?;
    }
    site.touch_samples("led by another").await?;
    hold(site, &leases, WATCHED).await?;
    let end = site.gate.entries();
    site.gate.note(Event::Fault("somebody else gives the lease back".to_owned()));
    for (path, _) in &leases {
        site.world.patch(path, &json!({"spec": {"holderIdentity": null, "renewTime": null}})).await?;
    }
    Ok(Some(begun..end))
}

/// Holds the leases as another client for `time`.
async fn hold(site: &Site, leases: &[(String, Value)], time: Duration) -> Result<()> {
    let begun = Instant::now();
    while begun.elapsed() < time {
        // The times in leases have microseconds (`MicroTime`).
        let now = Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S%.6fZ").to_string();
        for (path, _) in leases {
            site.world.patch(path, &json!({"spec": {"holderIdentity": OTHER_HOLDER, "renewTime": now}})).await?;
        }
        site.keep_running().await?;
        tokio::time::sleep(RENEWED_EVERY).await;
    }
    Ok(())
}

/// Returns the suspicion if the operator wrote an object while another client held the lease.
pub(super) fn writes(meanwhile: &[Entry]) -> Option<Suspicion> {
    let mut entries = meanwhile.iter().filter_map(|entry| Some((entry, entry.request()?)));
    let (entry, write) = entries.find(|(_, request)| request.effective)?;
    let (verb, object) = write.parts();
    let text = format!("the operator still sends `{verb}` {object} after its lease has ended");
    Some(suspicion(Oracle::Lease, Severity::Error, text, object.to_owned(), entry.step))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::journal::Request;
    use crate::explore::plan::Step;

    #[test]
    fn only_what_is_written_while_somebody_else_leads_counts() {
        let request = |request: &str, effective| {
            let request = Request { request: request.to_owned(), effective, ..Request::default() };
            Entry { at: Duration::ZERO, step: Step::Create, event: Event::Request(request) }
        };
        let journal = [
            request("create:services/w#1", true),
            request("list:services#1", false),
            request("patch:services/w#1", true),
        ];
        assert_eq!(writes(&[]), None);
        assert_eq!(writes(&journal[1..2]), None);
        let found = writes(&journal[1..3]).unwrap();
        assert_eq!(found.text, "the operator still sends `patch` services/w after its lease has ended");
    }
}
