//! Reads the events of a pod, which say why its containers do not start.
//!
//! A pod whose volume cannot be mounted or whose sandbox cannot be created has no reason in its status: its containers
//! wait with the reason `ContainerCreating`. The reason is in the events of the pod only.

use crate::cluster::Connection;
use crate::report::shortened;
use k8s_openapi::api::core::v1::Event;
use k8s_openapi::jiff::Timestamp;
use kube::Api;
use kube::api::ListParams;

/// The reasons in a container's `waiting` state before its first start.
const BEFORE_START: [&str; 2] = ["ContainerCreating", "PodInitializing"];
/// The reasons of events that do not say why a container does not start: the scheduler's warning is older than the
/// container's state, and a pod without the cluster's DNS starts with the DNS of its node.
const IRRELEVANT: [&str; 2] = ["FailedScheduling", "MissingClusterDNS"];
/// The maximum number of events of the pod that are read.
const EVENTS: u32 = 50;
/// The maximum number of characters of the event's message.
const MESSAGE: usize = 300;

/// Returns true if `waiting` is a reason with which a container waits before its first start, so that only an event
/// may say why the container does not start.
pub fn is_before_start(waiting: &str) -> bool {
    BEFORE_START.contains(&waiting)
}

/// Returns the reason and the message of the newest event about the pod if the event is a warning, such as
/// `FailedMount: MountVolume.SetUp failed for volume "cert" : secret "cert" not found`. Returns `None` if the newest
/// event is no warning, or if the user may not read events.
pub async fn start_warning(connection: &Connection, namespace: &str, pod: &str) -> Option<String> {
    newest_warning(&read(connection, namespace, pod).await)
}

/// Reads the events of the pod; returns no event if the user may not read events.
pub async fn read(connection: &Connection, namespace: &str, pod: &str) -> Vec<Event> {
    let api: Api<Event> = Api::namespaced(connection.client.clone(), namespace);
    let of_pod = format!("involvedObject.kind=Pod,involvedObject.name={pod}");
    let events = api.list(&ListParams::default().fields(&of_pod).limit(EVENTS)).await;
    events.map(|list| list.items).unwrap_or_default()
}

/// Returns the reason and the message of the newest of `events` if this event is a warning; otherwise `None`. The times
/// of events have whole seconds, so several events may have the newest time. The last of them in the list is the
/// newest, because the names of events contain the time.
fn newest_warning(events: &[Event]) -> Option<String> {
    let events = events.iter().filter(|event| !IRRELEVANT.contains(&event.reason.as_deref().unwrap_or_default()));
    let newest = events.max_by_key(|event| last_time(event))?;
    let (reason, message) = (newest.reason.as_deref()?, newest.message.as_deref().unwrap_or_default());
    (newest.type_.as_deref() == Some("Warning")).then(|| format!("{reason}: {}", shortened(message, MESSAGE)))
}

/// Returns the time of the last occurrence of `event`; `None` if `event` has no time.
pub fn last_time(event: &Event) -> Option<Timestamp> {
    let series = event.series.as_ref().and_then(|series| series.last_observed_time.as_ref());
    let times = [
        series.map(|time| time.0),
        event.last_timestamp.as_ref().map(|time| time.0),
        event.event_time.as_ref().map(|time| time.0),
        event.metadata.creation_timestamp.as_ref().map(|time| time.0),
    ];
    times.into_iter().flatten().max()
}

#[cfg(test)]
mod tests {
    use super::newest_warning;
    use k8s_openapi::api::core::v1::Event;
    use serde_json::json;

    fn event(kind: &str, reason: &str, second: u8) -> Event {
        let last = format!("2026-01-01T00:00:{second:02}Z");
        let event = json!({
            "metadata": {}, "involvedObject": {}, "type": kind, "reason": reason, "message": "secret \"cert\" not found",
            "lastTimestamp": last,
        });
        serde_json::from_value(event).unwrap()
    }

    #[test]
    fn the_newest_event_of_a_pod_says_why_it_does_not_start() {
        let scheduled = event("Normal", "Scheduled", 1);
        let mount = || event("Warning", "FailedMount", 1);
        let told = "FailedMount: secret \"cert\" not found";
        assert_eq!(newest_warning(&[scheduled.clone(), mount()]).as_deref(), Some(told));
        assert_eq!(newest_warning(&[mount(), event("Normal", "Pulling", 9)]), None);
        assert_eq!(newest_warning(&[event("Warning", "FailedScheduling", 9), scheduled]), None);
        assert_eq!(newest_warning(&[mount(), event("Warning", "MissingClusterDNS", 9)]).as_deref(), Some(told));
        assert_eq!(newest_warning(&[]), None);
    }
}
