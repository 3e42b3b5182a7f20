//! Errors that are permanent, and errors of an apply.

use crate::affected::SENDER;
use crate::directed::creates;
use crate::model::Request;
use crate::operator::{Status, manager};
use crate::page::Page;
use crate::run::{Run, Scenario, in_paused_time};
use crate::world::Fate;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::{Resource, ResourceExt};
use parking_lot::Mutex;
use runtime::{Action, ApplyError, CancellationToken, Context, Controller, TerminalError};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;

type Seen = Arc<Mutex<Vec<String>>>;

/// Fails permanently while the value is negative. Otherwise, it applies a ConfigMap, with another page as the owner
/// if the value is 7, and logs the result.
async fn reconcile(page: Arc<Page>, ctx: Arc<Context<Mutex<Vec<String>>>>) -> anyhow::Result<Action> {
    if page.spec.value < 0 {
        ctx.state.lock().push(page.spec.value.to_string());
        let error = TerminalError::new("Negative", "the value is negative");
        return Err(anyhow::Error::from(error).context("the page is of no use"));
    }
    let map: ConfigMap = serde_json::from_value(json!({ "metadata": { "name": "of-x" } }))?;
    let mut owner = Page::clone(&page);
    if page.spec.value == 7 {
        owner.meta_mut().uid = Some("another".into());
        owner.meta_mut().name = Some("y".into());
    }
    let result = ctx.apply(&owner, map).await;
    ctx.state.lock().push(match &result {
        Ok(map) => format!("applied {}", map.name_any()),
        Err(error) => match error.downcast_ref() {
            Some(ApplyError::NameTaken(_)) => "taken".to_owned(),
            Some(ApplyError::Conflict(_)) => "conflict".to_owned(),
            Some(ApplyError::Refused(_)) => {
                let answer = error.downcast_ref::<kube::Error>().expect("it is the answer of the API server");
                format!("refused, {answer:?}").split(" {").next().unwrap_or_default().to_owned()
            }
            _ => error.to_string(),
        },
    });
    result.map(|_| Action::await_change())
}

async fn start(run: &mut Run) -> (Seen, CancellationToken, JoinHandle<anyhow::Result<()>>) {
    let (seen, stop) = (Seen::default(), CancellationToken::new());
    let mut manager = manager(&run.world, SENDER, Scenario::Plain, &stop);
    let controller = Controller::namespaced("failing", reconcile)
        .owns::<ConfigMap>()
        .backoff(Duration::from_secs(1), Duration::from_secs(2))
        .conditions(|status: &mut Status| &mut status.conditions);
    manager.add_with(seen.clone(), controller);
    let running = tokio::spawn(async move { manager.run().await });
    run.pass_time(5).await;
    seen.lock().clear();
    (seen, stop, running)
}

fn page(value: i64) -> Value {
    json!({ "spec": { "value": value } })
}

fn writes_status(request: &Request) -> bool {
    request.method == "PATCH" && request.kind.plural == "pages" && request.subresource == "status"
}

#[test]
fn a_terminal_error_is_in_the_status_and_is_not_tried_again() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Plain).await;
        let (seen, stop, running) = start(&mut run).await;
        let take = || std::mem::take(&mut *seen.lock());
        run.user("POST", "pages", "x", page(-1));
        run.pass_time(5).await;
        assert_eq!(take(), ["-1"]);
        let ready = run.child("pages", "x").unwrap()["status"]["conditions"][0].clone();
        for (field, expected) in [
            ("type", "Ready"),
            ("status", "False"),
            ("reason", "Negative"),
            ("message", "the page is of no use: the value is negative"),
        ] {
            assert_eq!(ready[field], expected, "{ready}");
        }
        let events = run.world.lock().server.all("events");
        assert!(events.iter().any(|event| event["reason"] == "Negative" && event["type"] == "Warning"));
        run.pass_time(2 * 3600).await;
        assert_eq!(take(), [""; 0], "until the resync");

        // While the status cannot be stored, nothing but another pass brings it there.
        run.fate = |request| if writes_status(request) { Fate::Refused(500) } else { Fate::Answered };
        run.user("PATCH", "pages", "x", page(-2));
        run.pass_time(5).await;
        assert!(take().len() > 1);
        run.fate = |_| Fate::Answered;
        run.pass_time(5).await;
        take();
        let ready = run.child("pages", "x").unwrap()["status"]["conditions"][0].clone();
        assert_eq!(ready["observedGeneration"], 2, "{ready}");
        run.pass_time(600).await;
        assert_eq!(take(), [""; 0]);

        // The object changes while the status is on its way.
        run.held = writes_status;
        run.user("PATCH", "pages", "x", page(-3));
        run.pass_time(2).await;
        run.user("PATCH", "pages", "x", page(3));
        run.held = |_| false;
        run.pass_time(5).await;
        assert_eq!(take(), ["-3", "applied of-x"]);
        stop.cancel();
        run.pass_time(1).await;
        running.await.unwrap().unwrap();
        run.without_pages().await;
    });
}

#[test]
fn the_errors_of_an_apply_can_be_told_apart() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Plain).await;
        let (seen, stop, running) = start(&mut run).await;
        run.user("POST", "configmaps", "of-x", json!({}));
        run.user("POST", "pages", "x", page(1));
        run.pass_time(3).await;
        assert_eq!(seen.lock().first().unwrap(), "taken");
        run.user("DELETE", "configmaps", "of-x", json!({}));
        let creation = |code: u16| -> fn(&Request) -> Fate {
            match code {
                409 => |request| if creates(request, "configmaps") { Fate::Refused(409) } else { Fate::Answered },
                422 => |request| if creates(request, "configmaps") { Fate::Refused(422) } else { Fate::Answered },
                500 => |request| if creates(request, "configmaps") { Fate::Refused(500) } else { Fate::Answered },
                _ => |_| Fate::Answered,
            }
        };
        for (code, expected) in [
            (422, "refused, Api(Status"),
            (409, "conflict"),
            (500, "ConfigMap of-x cannot be applied"),
            (200, "applied of-x"),
        ] {
            run.fate = creation(code);
            run.pass_time(5).await;
            assert_eq!(seen.lock().last().unwrap(), expected, "{:?}", seen.lock());
        }
        run.user("PATCH", "pages", "x", page(7));
        run.pass_time(2).await;
        let told = "Page y cannot get a child here, because this pass reconciles Page x, and two passes would change the \
                    child: apply it when y is reconciled, which `.watches_map(..)` or a `Trigger` can bring about, or make \
                    x the owner";
        assert_eq!(seen.lock().last().unwrap(), told);
        stop.cancel();
        run.pass_time(1).await;
        running.await.unwrap().unwrap();
        run.without_pages().await;
    });
}
