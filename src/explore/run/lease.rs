//! Takes over the operator's lease, as another replica of the operator would.

use super::run_environment::Site;
use crate::Result;
use crate::explore::record::journal::Event;
use crate::explore::server::shared_server::OTHER_HOLDER;
use k8s_openapi::jiff::Timestamp;
use serde_json::{Value, json};
use std::ops::Range;
use std::time::{Duration, Instant};

/// The maximum duration of a lease in seconds; opctl does not take over leases with a longer duration.
const LONGEST: u64 = 30;
const DEFAULT: u64 = 15;
/// The time that is allowed for requests in flight when the operator's lease ends.
pub const LAST_REQUEST: Duration = Duration::from_secs(1);
/// The time for which the operator is observed without the lease and must not write.
pub const WATCHED: Duration = Duration::from_secs(2);
pub const RENEWED_EVERY: Duration = Duration::from_millis(500);

/// Takes over the operator's leases, waits until their duration has passed, and deletes a child, which only the
/// leader may create again. Returns the range of journal entries in which the operator must not write; `None` if no
/// lease was taken over.
pub async fn take(site: &Site) -> Result<Option<Range<usize>>> {
    let leases = site.world.leases(&site.namespace).await?;
    let Some(lasts) = duration(&leases) else { return Ok(None) };
    site.gate.reach("somebody else takes the lease");
    if site.gate.is_placebo() {
        return Ok(None);
    }
    hold(site, &leases, lasts + LAST_REQUEST).await?;
    let begun = site.gate.entries();
    if let Some(child) = site.children().first() {
        site.gate.note(Event::Fault(format!("somebody deletes {child} while another client holds the lease")));
        site.world.remove(&site.path(child)?).await?;
    }
    site.touch_samples("led by another").await?;
    hold(site, &leases, WATCHED).await?;
    let end = site.gate.entries();
    site.gate.note(Event::Fault("somebody else releases the lease".to_owned()));
    for (path, _) in &leases {
        site.world.patch(path, &json!({"spec": {"holderIdentity": null, "renewTime": null}})).await?;
    }
    Ok(Some(begun..end))
}

/// Returns the longest duration of the leases; `None` without leases, or if a lease is longer than [`LONGEST`].
pub fn duration(leases: &[(String, Value)]) -> Option<Duration> {
    let lasts = |(_, lease): &(String, Value)| lease["spec"]["leaseDurationSeconds"].as_u64().unwrap_or(DEFAULT);
    leases.iter().map(lasts).max().filter(|lasts| *lasts <= LONGEST).map(Duration::from_secs)
}

/// Takes the leases as another client and renews them for `time`. Each lease is a pair: its URL path, and its
/// object.
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
