//! Lets the second replica of the operator take over from the first one, which is suspended in the middle of its work.

use super::lease;
use super::run_environment::Site;
use crate::Result;
use crate::explore::proxy::gate::Gate;
use crate::explore::record::journal::{Entry, Event};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::Range;
use std::time::{Duration, Instant};

/// The time limit for the operator to send the write after which it is suspended.
const SENT_WITHIN: Duration = Duration::from_secs(10);
/// The time after the end of a lease within which the second replica must hold the lease.
const TAKEN_WITHIN: Duration = Duration::from_secs(15);
/// The time without requests after which the new leader has done its work, and the time limit for this work.
const WORKED: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(10)];

/// Waits until the leader is suspended, and the second replica has taken the lease and has worked. Then resumes the
/// first replica, and observes it. Returns the range of journal entries in which the first replica must not write;
/// `None` if there was no hand-over, for example because the operator does not send the plan's write.
pub async fn hand_over(site: &Site) -> Result<Option<Range<usize>>> {
    if !site.wait_until(Gate::has_injected_faults, SENT_WITHIN).await? || site.gate.is_placebo() {
        return Ok(None);
    }
    let is_taken_over = wait_for_other_leader(site).await?;
    if is_taken_over {
        site.gate.note(Event::Operator("the second replica holds the lease".to_owned()));
        site.wait_quiet(WORKED[0], WORKED[1]).await?;
    }
    site.gate.note(Event::Fault("the suspended replica is resumed".to_owned()));
    site.operator.suspend(false);
    if !is_taken_over {
        return Ok(None);
    }
    site.run_for(lease::LAST_REQUEST).await?;
    let begin = site.gate.entries();
    site.run_for(lease::WATCHED).await?;
    Ok(Some(begin..site.gate.entries()))
}

/// Waits until the lease has another holder than now. Returns false if the operator has no lease or a long one, if the
/// second replica writes before it holds the lease, or if the holder stays the same.
async fn wait_for_other_leader(site: &Site) -> Result<bool> {
    let is_by_second = |entry: &Entry| entry.request().is_some_and(|request| request.standby && request.effective);
    if site.gate.journal().iter().any(is_by_second) {
        return Ok(false);
    }
    let leases = site.world.leases(&site.namespace).await?;
    let (before, Some(lasts)) = (holders(&leases), lease::duration(&leases)) else { return Ok(false) };
    let begun = Instant::now();
    while begun.elapsed() < lasts + TAKEN_WITHIN {
        site.run_for(lease::RENEWED_EVERY).await?;
        let leases = site.world.leases(&site.namespace).await?;
        if holders(&leases).iter().any(|(path, holder)| !holder.is_empty() && before.get(path) != Some(holder)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the holder of each lease by the path of the lease.
fn holders(leases: &[(String, Value)]) -> BTreeMap<&str, &str> {
    let pairs = leases.iter().map(|(path, lease)| (path.as_str(), lease["spec"]["holderIdentity"].as_str()));
    pairs.map(|(path, holder)| (path, holder.unwrap_or_default())).collect()
}
