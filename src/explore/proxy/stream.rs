//! Forwards the events of a watch to the operator in order; the `Gate` may hold events back or end the watch.

use super::decision::Flow;
use super::gate::Gate;
use crate::explore::plan::fault_plan::EVERY_WATCH;
use crate::explore::record::run_scope::RunScope;
use http_body_util::BodyExt;
use hyper::body::{Bytes, Frame};
use kube::client::Body;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::Sender;

/// A frame of the body of a watch response.
pub type Part = Result<Frame<Bytes>, Infallible>;

/// The delay between the stale events at the beginning of a watch and the events that follow them.
const BEHIND: Duration = Duration::from_millis(800);

/// Forwards the events of a watch of `collection` until the operator, the API server or `gate` ends the watch. If there
/// are stale events in `first`, sends these at once, and the events of the response body `from` only after the delay
/// [`BEHIND`]. Leaves out the events of objects that `scope` hides.
pub async fn pass(
    collection: String,
    first: Vec<Bytes>,
    mut from: Body,
    to: Sender<Part>,
    gate: Arc<Gate>,
    scope: Arc<RunScope>,
) {
    let mut flow = gate.flow();
    // The end of an earlier watch does not concern this one.
    let mut now = match current(&mut flow, &collection) {
        Flow::Held => Flow::Held,
        _ => Flow::Open,
    };
    let (mut buffer, mut lines, mut ended) = (Vec::new(), VecDeque::<Bytes>::new(), false);
    if !first.is_empty() {
        for line in first {
            record(&collection, &line, &gate, &scope);
            if to.send(Ok(Frame::data(line))).await.is_err() {
                return;
            }
        }
        tokio::time::sleep(BEHIND).await;
    }
    loop {
        match now {
            Flow::Open => {
                while let Some(line) = lines.pop_front() {
                    record(&collection, &line, &gate, &scope);
                    if to.send(Ok(Frame::data(line))).await.is_err() {
                        return;
                    }
                }
                if ended {
                    return;
                }
            }
            Flow::Held => {}
            Flow::Expire => return drop(to.send(Ok(Frame::data(expired_event()))).await),
            Flow::Close => return,
        }
        tokio::select! {
            changed = flow.changed() => {
                if changed.is_err() {
                    return;
                }
                now = current(&mut flow, &collection);
            }
            () = to.closed() => return,
            frame = from.frame(), if !ended => match frame {
                Some(Ok(frame)) => {
                    buffer.extend_from_slice(frame.data_ref().map(AsRef::as_ref).unwrap_or_default());
                    lines.extend(whole_lines(&mut buffer).into_iter().filter(|line| !hides(&scope, line)));
                }
                _ => ended = true,
            },
        }
    }
}

fn current(flow: &mut tokio::sync::watch::Receiver<(String, Flow)>, collection: &str) -> Flow {
    let flow = flow.borrow_and_update();
    if [collection, EVERY_WATCH].contains(&flow.0.as_str()) { flow.1 } else { Flow::Open }
}

/// Removes the complete lines from the buffer, and returns them.
fn whole_lines(buffer: &mut Vec<u8>) -> Vec<Bytes> {
    let Some(end) = buffer.iter().rposition(|byte| *byte == b'\n') else { return Vec::new() };
    let rest = buffer.split_off(end + 1);
    let whole = std::mem::replace(buffer, rest);
    whole.split_inclusive(|byte| *byte == b'\n').map(Bytes::copy_from_slice).collect()
}

fn hides(scope: &RunScope, line: &[u8]) -> bool {
    scope.is_cluster_wide() && serde_json::from_slice::<Value>(line).is_ok_and(|event| scope.hides(&event["object"]))
}

fn record(collection: &str, line: &[u8], gate: &Gate, scope: &RunScope) {
    let Ok(event) = serde_json::from_slice::<Value>(line) else { return };
    let kind = event["type"].as_str().unwrap_or_default();
    // A bookmark is not a change.
    if ["ADDED", "MODIFIED", "DELETED"].contains(&kind) {
        gate.record_event(collection, kind, &scope.plain_object(collection, &event["object"]));
    }
}

/// Returns the event with which kube-apiserver ends a watch that is too far behind, within a response of status 200
/// (apiserver's `storage/cacher/cacher.go`).
fn expired_event() -> Bytes {
    let status = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "reason": "Expired", "code": 410,
        "message": "too old resource version: 1 (2)",
    });
    format!("{}\n", json!({"type": "ERROR", "object": status})).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::record::random_names::Names;

    fn scope() -> Arc<RunScope> {
        Arc::new(RunScope::new("explore-1", true))
    }

    fn event(name: &str) -> String {
        format!("{}\n", json!({"type": "MODIFIED", "object": {"metadata": {"name": name}}}))
    }

    /// Returns the events that arrive once a blocked watch gets the state `flow`. To test this, blocks the watches of
    /// the resource `held`, sends two events, checks that neither event arrives, and only then sets the state of the
    /// watches to `flow`.
    async fn after(held: &str, flow: Flow) -> String {
        let gate = Arc::new(Gate::new(false, Names::default()));
        let (to, mut from) = tokio::sync::mpsc::channel(16);
        gate.set_flow(held, Flow::Held);
        // The event of another run's object never arrives.
        let body = Body::from(format!("{}{}{}", event("a"), event("x-explore-2"), event("b")).into_bytes());
        let pump = tokio::spawn(pass("services".to_owned(), Vec::new(), body, to, Arc::clone(&gate), scope()));
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        assert!(from.try_recv().is_err(), "an event gets past");
        gate.set_flow(held, flow);
        pump.await.unwrap();
        let mut text = String::new();
        while let Some(Ok(frame)) = from.recv().await {
            text += std::str::from_utf8(frame.data_ref().unwrap()).unwrap();
        }
        text
    }

    #[tokio::test]
    async fn held_events_arrive_in_their_order_or_not_at_all() {
        for held in ["services", EVERY_WATCH] {
            assert_eq!(after(held, Flow::Open).await, event("a") + &event("b"));
            assert_eq!(after(held, Flow::Close).await, "");
            assert!(after(held, Flow::Expire).await.contains("\"code\":410"));
        }
    }

    #[tokio::test]
    async fn a_watch_that_begins_later_is_open() {
        let gate = Arc::new(Gate::new(false, Names::default()));
        gate.set_flow("services", Flow::Expire);
        let (to, mut from) = tokio::sync::mpsc::channel(16);
        let first = vec![event("first").into()];
        let body = Body::from(event("a").into_bytes());
        pass("services".to_owned(), first, body, to, Arc::clone(&gate), scope()).await;
        for name in ["first", "a"] {
            assert_eq!(from.recv().await.unwrap().unwrap().data_ref().unwrap(), event(name).as_bytes());
        }
        assert_eq!(gate.journal().len(), 2);
    }

    #[test]
    fn a_line_is_passed_on_when_it_is_whole() {
        let mut buffer = b"one\ntwo\nthr".to_vec();
        assert_eq!(whole_lines(&mut buffer), ["one\n", "two\n"]);
        assert_eq!(buffer, b"thr");
        assert!(whole_lines(&mut buffer).is_empty());
    }
}
