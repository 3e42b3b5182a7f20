//! Reads the warning events about the objects of the project's kinds.

use crate::Result;
use crate::cluster::operator::pod_events::last_time;
use crate::cluster::request::list_metadata::{PAGE, each_page};
use crate::cluster::{Attempt, Connection, Definition, request_error};
use k8s_openapi::api::core::v1::Event;
use k8s_openapi::jiff::Timestamp;
use kube::Api;
use kube::api::ListParams;
use serde::Serialize;

/// The maximum number of pages of events to read for a kind: the server returns events in no particular order, and
/// keeps events for an hour.
const PAGES: usize = 10;

/// The maximum number of events that are shown.
const SHOWN: usize = 5;

/// A warning event about an object of the project's kinds.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Warning {
    pub(super) kind: String,
    pub(super) namespace: Option<String>,
    pub(super) name: String,
    pub(super) reason: String,
    pub(super) message: String,
    pub(super) count: i32,
    pub(super) last: Option<Timestamp>,
}

/// Returns the newest warnings about objects of `definitions`, newest first.
pub(super) async fn warnings(connection: &Connection, definitions: &[Definition]) -> Result<Vec<Warning>> {
    let api: Api<Event> = Api::all(connection.client.clone());
    let attempt = Attempt { verb: "list", resource: "events", name: "events", namespace: None };
    let mut warnings = Vec::new();
    for definition in definitions {
        let fields = format!("type=Warning,involvedObject.kind={}", definition.kind);
        let parameters = ListParams::default().fields(&fields).limit(PAGE);
        let mut pages = 0;
        let read = each_page(&api, Api::list, parameters, |page| {
            warnings.extend(page.items.into_iter().filter(|event| is_about(event, &definition.group)).map(warning));
            newest(&mut warnings);
            pages += 1;
            pages < PAGES
        });
        read.await.map_err(|error| request_error(&error, connection, attempt))?;
    }
    Ok(warnings)
}

fn newest(warnings: &mut Vec<Warning>) {
    warnings.sort_by_key(|warning| std::cmp::Reverse(warning.last));
    warnings.truncate(SHOWN);
}

/// Returns true if the event is about an object of `group`: other groups may have a kind of the same name.
fn is_about(event: &Event, group: &str) -> bool {
    let version = event.involved_object.api_version.as_deref().unwrap_or_default();
    version.rsplit_once('/').is_some_and(|(of, _)| of == group)
}

fn warning(event: Event) -> Warning {
    Warning {
        last: last_time(&event),
        count: event.series.as_ref().and_then(|series| series.count).or(event.count).unwrap_or(1),
        kind: event.involved_object.kind.unwrap_or_default(),
        namespace: event.involved_object.namespace,
        name: event.involved_object.name.unwrap_or_default(),
        reason: event.reason.unwrap_or_default(),
        message: event.message.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_event_is_as_old_as_its_last_occurrence() {
        let event = json!({
            "metadata": {"creationTimestamp": "2026-01-01T00:00:00Z"}, "reason": "Failed", "message": "no",
            "involvedObject": {"apiVersion": "example.com/v1", "kind": "Web", "name": "a", "namespace": "b"},
            "series": {"count": 4, "lastObservedTime": "2026-01-01T01:00:00.000000Z"},
        });
        let event: Event = serde_json::from_value(event).unwrap();
        assert!(is_about(&event, "example.com") && !is_about(&event, "other.com"));
        let first = warning(event);
        assert_eq!((first.count, first.last), (4, Some("2026-01-01T01:00:00Z".parse().unwrap())));
        let at = |hour: i8| Warning { last: format!("2026-01-01T{hour:02}:00:00Z").parse().ok(), ..first.clone() };
        let mut warnings: Vec<Warning> = (0..9).map(at).collect();
        newest(&mut warnings);
        assert_eq!(warnings.len(), SHOWN);
        assert_eq!(warnings[0].last, at(8).last);
    }
}
