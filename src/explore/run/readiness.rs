//! Reads the readiness of a sample from the sample's status. Readiness matters because an operator that never gets a
//! sample ready, even without a fault, fails in the same way in every run: a comparison of the runs then finds nothing.

use super::run_environment::{GLANCE, Site};
use crate::Result;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The time limit for a sample to become ready after the operator has come to rest, because some operators check
/// their objects again only after a while.
pub const LATE: Duration = Duration::from_secs(30);
/// The short time limit for samples to become ready in a reference run, used if several runs may be concurrent. If the
/// samples need more time, a further run without a fault waits up to [`LATE`] for the samples, while opctl already
/// continues with other runs.
pub const EARLY: Duration = Duration::from_secs(4);
/// The types of conditions that mean that an object is ready. If a status contains several of these types, only the
/// type that comes first in this list counts.
const READY: [&str; 3] = ["Ready", "Available", "Healthy"];
/// The types of conditions that mean that an object has failed.
const FAILED: [&str; 4] = ["Failed", "Stalled", "Error", "Degraded"];
const PHASES: [&str; 3] = ["failed", "error", "invalid"];

/// Returns the reason why `object` is not ready, from its status; `None` if the status shows no reason.
pub fn reason(object: &Value) -> Option<String> {
    let status = &object["status"];
    let conditions = || status["conditions"].as_array().into_iter().flatten();
    let named = |name: &str| conditions().find(|condition| condition["type"] == name);
    if let Some(condition) = READY.iter().find_map(|name| named(name)) {
        return (condition["status"] != "True").then(|| condition_reason(condition));
    }
    if let Some(condition) = FAILED.iter().find_map(|name| named(name).filter(|it| it["status"] == "True")) {
        return Some(condition_reason(condition));
    }
    let phase = status["phase"].as_str().or_else(|| status["state"].as_str())?;
    let is_failure = PHASES.contains(&phase.to_ascii_lowercase().as_str());
    is_failure.then(|| match ["message", "reason", "error"].iter().find_map(|key| status[key].as_str()) {
        Some(message) if !message.is_empty() => format!("{phase}: {message}"),
        _ => format!("its phase is {phase}"),
    })
}

/// Returns the reason and the message of a condition, or its type and status if both are missing.
fn condition_reason(condition: &Value) -> String {
    let text = |key: &str| condition[key].as_str().filter(|text| !text.is_empty());
    match (text("reason"), text("message")) {
        (Some(reason), Some(message)) => format!("{reason}: {message}"),
        (Some(one), None) | (None, Some(one)) => one.to_owned(),
        (None, None) => {
            format!("{} is {}", text("type").unwrap_or_default(), text("status").unwrap_or_default())
        }
    }
}

/// Returns the samples that are not ready, each with the reason.
pub async fn unready_samples(site: &Site) -> Result<BTreeMap<String, String>> {
    let mut found = BTreeMap::new();
    for sample in &site.world.samples {
        let name = sample.object["metadata"]["name"].as_str().unwrap_or_default();
        let object = format!("{}/{name}", site.world.collection_of(&sample.object)?);
        let path = site.path(&object)?;
        let now = site.world.send("GET", &path, &Value::Null).await?;
        found.extend(reason(&now).map(|reason| (object, reason)));
    }
    Ok(found)
}

/// Waits until all samples are ready, at most for `limit`. Returns the samples that are still not ready, each with the
/// reason, and a flag that is true if at least one sample was not ready at the first check.
pub async fn wait(site: &Site, limit: Duration) -> Result<(BTreeMap<String, String>, bool)> {
    let begun = Instant::now();
    let mut found = unready_samples(site).await?;
    let waited = !found.is_empty();
    while !found.is_empty() && begun.elapsed() < limit {
        site.keep_running().await?;
        tokio::time::sleep(5 * GLANCE).await;
        found = unready_samples(site).await?;
    }
    Ok((found, waited))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_status_that_says_nothing_is_no_failure() {
        let conditions = |list: Value| json!({ "conditions": list });
        let condition = |kind: &str, status: &str| json!({"type": kind, "status": status});
        for (status, expected) in [
            (json!(null), None),
            (json!({"phase": "Progressing"}), None),
            (json!({"phase": "Failed"}), Some("its phase is Failed")),
            (json!({"phase": "error", "message": "no such class"}), Some("error: no such class")),
            (conditions(json!([condition("Synced", "False")])), None),
            (conditions(json!([condition("Ready", "True"), condition("Degraded", "True")])), None),
            (conditions(json!([condition("Available", "True"), condition("Ready", "False")])), Some("Ready is False")),
            (conditions(json!([condition("Available", "Unknown")])), Some("Available is Unknown")),
            (conditions(json!([condition("Stalled", "False")])), None),
            (
                conditions(json!([{"type": "Stalled", "status": "True", "reason": "NoClass", "message": "gold"}])),
                Some("NoClass: gold"),
            ),
            (
                conditions(json!([{"type": "Ready", "status": "False", "reason": "NoSecret", "message": ""}])),
                Some("NoSecret"),
            ),
        ] {
            assert_eq!(reason(&json!({ "status": status })).as_deref(), expected, "{status}");
        }
    }
}
