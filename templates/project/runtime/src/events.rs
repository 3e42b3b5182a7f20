//! Kubernetes events, which `kubectl describe` shows below an object.

use k8s_openapi::api::core::v1::ObjectReference;
use kube::Client;
use kube::runtime::events::{Event, EventType, Recorder, Reporter};
use std::{collections::HashMap, time::Duration};
use tokio::sync::mpsc::{Sender, channel};
use tokio::time::{Instant, timeout};
use tokio_util::task::AbortOnDropHandle;

/// The longest pause between equal events of one series, the same as in kube and client-go.
const SERIES: Duration = Duration::from_secs(6 * 60);
/// The time limit for publishing an event. Events are not worth a longer wait.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The number of events that may wait to be published; further events are dropped.
const WAITING: usize = 1000;
/// The longest note that the API server accepts, in bytes.
const MAX_NOTE: usize = 1024;

// The runtime publishes events; `opctl manifests` turns this into config/rbac/role.yaml.
// +opctl:rbac:groups=events.k8s.io,resources=events,verbs=create;patch

/// The events of one controller, which are published one after the other in the background.
pub struct Events {
    queue: Sender<(Event, ObjectReference)>,
    _publisher: AbortOnDropHandle<()>,
}

/// The background task that publishes the events.
struct Publisher {
    client: Client,
    reporter: Reporter,
    /// The current series of events, by the object's uid and the reason. A series has one note,
    /// because kube's recorder repeats the first note: another note begins a new series.
    series: HashMap<(String, String), Series>,
}

struct Series {
    note: String,
    recorder: Recorder,
    last: Instant,
}

impl Events {
    pub fn new(client: Client, controller: String, instance: String) -> Self {
        let reporter = Reporter {
            controller,
            instance: Some(instance),
        };
        let (queue, mut events) = channel(WAITING);
        let mut publisher = Publisher {
            client,
            reporter,
            series: HashMap::new(),
        };
        let _publisher = AbortOnDropHandle::new(tokio::spawn(async move {
            while let Some((event, about)) = events.recv().await {
                publisher.publish(event, about).await;
            }
        }));
        Self { queue, _publisher }
    }

    pub fn publish(&self, about: ObjectReference, type_: EventType, reason: &str, note: &str) {
        let event = Event {
            type_,
            reason: reason.into(),
            note: Some(cut(note).into()),
            action: "Reconcile".into(),
            secondary: None,
        };
        if self.queue.try_send((event, about)).is_err() {
            tracing::warn!(reason, "event is dropped: too many are pending");
        }
    }
}

impl Publisher {
    async fn publish(&mut self, event: Event, about: ObjectReference) {
        let reason = &event.reason;
        let recorder = self.recorder(about.uid.clone(), reason, event.note.as_deref());
        match timeout(TIMEOUT, recorder.publish(&event, &about)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(reason, "event cannot be published: {error}"),
            Err(_) => tracing::warn!(reason, "event cannot be published: no answer"),
        }
    }

    fn recorder(&mut self, uid: Option<String>, reason: &str, note: Option<&str>) -> Recorder {
        self.series
            .retain(|_, series| series.last.elapsed() < SERIES);
        let note = note.unwrap_or_default();
        let new = || Series {
            note: note.into(),
            recorder: Recorder::new(self.client.clone(), self.reporter.clone()),
            last: Instant::now(),
        };
        let about = (uid.unwrap_or_default(), reason.into());
        let series = self.series.entry(about).or_insert_with(new);
        if series.note != note {
            *series = new();
        }
        series.last = Instant::now();
        series.recorder.clone()
    }
}

fn cut(note: &str) -> &str {
    let mut end = note.len().min(MAX_NOTE);
    while !note.is_char_boundary(end) {
        end -= 1;
    }
    &note[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_cut_between_characters() {
        assert_eq!(cut("short"), "short");
        let long = "é".repeat(1000);
        assert_eq!(cut(&format!("a{long}")).len(), 1023);
        assert_eq!(cut(&long).len(), 1024);
    }
}
