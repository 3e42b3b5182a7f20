//! A controller whose requests are answered by a function: time limits, and namespaces that cannot be listed.

use crate::operator::{OPERATOR, Status, Web};
use crate::passes::{Log, begin};
use crate::run::in_paused_time;
use axum::body::{Body, Bytes};
use axum::http::{Request, Response};
use clap::Parser;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::{Client, ResourceExt};
use parking_lot::Mutex;
use runtime::{Action, CancellationToken, Context, Controller, Manager, Options};
use serde_json::{Value, json};
use std::future::pending;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout};
use tower::{BoxError, service_fn};

const SECOND: Duration = Duration::from_secs(1);

/// A response: its status code and its body. `None` if the request gets no response.
type Answer = Option<(u16, Value)>;

type Settings = fn(Controller<Web>) -> Controller<Web>;

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    options: Options,
}

/// A running operator, its requests so far, and a log of its passes.
struct Running {
    stop: CancellationToken,
    requests: Arc<Mutex<Vec<String>>>,
    log: Arc<Mutex<Log>>,
}

impl Running {
    /// Returns the names of the objects of the passes so far.
    fn passes(&self) -> Vec<String> {
        let passes = self.log.lock().passes.clone();
        passes.into_iter().map(|pass| pass.metadata.name.unwrap_or_default()).collect()
    }

    fn requests(&self, beginning: &str) -> usize {
        self.requests.lock().iter().filter(|request| request.starts_with(beginning)).count()
    }

    /// Waits until at least `passes` passes have begun.
    async fn wait_for(&self, passes: usize) {
        let wait = async {
            while self.log.lock().passes.len() < passes {
                sleep(Duration::from_millis(50)).await;
            }
        };
        timeout(SECOND * 60, wait).await.unwrap_or_else(|_| panic!("only {:?}", self.passes()));
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// Starts an operator with one controller. `reconcile` gets the log to which it adds its passes. `answer` gets the
/// method and the URI of each request except watches, which stay open without events.
fn start<R: Future<Output = anyhow::Result<Action>> + Send + 'static>(
    flags: &[&str],
    answer: impl Fn(&str, &str) -> Answer + Clone + Send + Sync + 'static,
    reconcile: impl Fn(Arc<Web>, Arc<Context>, Arc<Mutex<Log>>) -> R + Send + Sync + 'static,
    settings: impl FnOnce(Controller<Web>) -> Controller<Web>,
) -> Running {
    let requests = Arc::<Mutex<Vec<String>>>::default();
    let seen = requests.clone();
    let service = service_fn(move |request: Request<kube::client::Body>| {
        let (method, uri) = (request.method().to_string(), request.uri().to_string());
        seen.lock().push(format!("{method} {}", request.uri().path()));
        let answer = answer.clone();
        async move {
            if uri.contains("watch=true") {
                return Ok(Response::new(Body::from_stream(futures::stream::pending::<io::Result<Bytes>>())));
            }
            let Some((code, body)) = answer(&method, &uri) else { return pending().await };
            let mut response = Response::new(Body::from(body.to_string()));
            *response.status_mut() = code.try_into()?;
            Ok::<_, BoxError>(response)
        }
    });
    let all = ["operator", "--health-probe-bind-address=0", "--resync=1000h"];
    let options = Flags::parse_from(all.iter().chain(flags)).options;
    let (stop, log) = (CancellationToken::new(), Arc::<Mutex<Log>>::default());
    let mut manager = Manager::with_client(OPERATOR, options, Client::new(service, "default"), stop.clone());
    let passes = log.clone();
    let reconcile = move |web, ctx| reconcile(web, ctx, passes.clone());
    manager.add(settings(Controller::namespaced("web", reconcile)));
    tokio::spawn(async move { manager.run().await });
    Running { stop, requests, log }
}

fn refusal(code: u16, message: &str, cause: &str) -> Answer {
    let details = json!({ "causes": [{ "reason": cause }] });
    let status = json!({
        "apiVersion": "v1", "kind": "Status", "metadata": {}, "status": "Failure",
        "code": code, "reason": "Refused", "message": message, "details": details,
    });
    Some((code, status))
}

fn web(namespace: &str, name: &str, version: &str) -> Value {
    let metadata = json!({
        "name": name, "namespace": namespace, "uid": format!("uid-{namespace}-{name}"), "resourceVersion": version, "generation": 1,
    });
    json!({ "apiVersion": "example.com/v1", "kind": "Web", "metadata": metadata, "spec": { "value": 1 } })
}

fn list(items: &[Value]) -> Answer {
    Some((200, json!({ "apiVersion": "v1", "kind": "List", "metadata": { "resourceVersion": "10" }, "items": items })))
}

#[test]
fn a_pass_that_blocks_ends_before_the_next_one_of_its_object() {
    let threads = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
    threads.block_on(async {
        let answer = |method: &str, _: &str| match method {
            "GET" => list(&[web("ns", "a", "5")]),
            _ => refusal(500, "faults", ""),
        };
        let reconcile = |web: Arc<Web>, _: Arc<Context>, log| async move {
            let _pass = begin(&log, &*web);
            std::thread::sleep(SECOND * 3 / 2); // such as a client that blocks
            Ok(Action::done())
        };
        let run = start(&[], answer, reconcile, |controller| {
            controller.timeout(SECOND / 5).backoff(SECOND / 10, SECOND / 10)
        });
        run.wait_for(3).await;
        let wrong = run.log.lock().wrong.clone();
        assert_eq!(wrong, [""; 0]);
    });
}

#[test]
fn requests_without_an_answer_hold_up_other_objects_for_no_longer_than_their_limit() {
    // Each with the part of the path of what is not answered.
    let unanswered: [(&str, Settings); 2] = [
        ("/status", |controller| controller.conditions(|status: &mut Status| &mut status.conditions)),
        ("/webs/a", |controller| controller.finalizer("example.com/web", async |_, _| anyhow::Ok(Action::done()))),
    ];
    for (path, settings) in unanswered {
        in_paused_time(async {
            let answer = move |method: &str, uri: &str| match method {
                "GET" => list(&[web("ns", "a", "5"), web("ns", "b", "6")]),
                "PATCH" if uri.contains(path) => None,
                "PATCH" => Some((200, web("ns", "b", "7"))),
                _ => refusal(500, "faults", ""),
            };
            let reconcile = |web: Arc<Web>, _: Arc<Context>, log| async move {
                let _pass = begin(&log, &*web);
                anyhow::ensure!(web.name_any() != "a", "it fails");
                Ok(Action::done())
            };
            let start_time = Instant::now();
            let run =
                start(&[], answer, reconcile, |controller| settings(controller.timeout(SECOND * 2).concurrency(1)));
            while !run.passes().contains(&"b".to_owned()) {
                assert!(start_time.elapsed() < SECOND * 15, "{path} holds up b: {:?}", run.passes());
                sleep(SECOND / 10).await;
            }
        });
    }
}

#[test]
fn a_namespace_that_cannot_be_listed_holds_up_no_other() {
    in_paused_time(async {
        let answer = |method: &str, uri: &str| match method {
            "GET" if uri.contains("/namespaces/c/configmaps") => refusal(403, "forbidden", ""),
            "GET" if uri.contains("/configmaps") => list(&[]),
            "GET" if uri.contains("/namespaces/c/") => list(&[web("c", "in-c", "5")]),
            "GET" => list(&[web("a", "in-a", "6")]),
            _ => refusal(500, "faults", ""),
        };
        let reconcile = |web: Arc<Web>, _: Arc<Context>, log| async move {
            begin(&log, &*web);
            Ok(Action::done())
        };
        let run = start(&["--watch-namespace=a,c"], answer, reconcile, |controller| controller.owns::<ConfigMap>());
        run.wait_for(1).await;
        sleep(SECOND * 60).await;
        assert_eq!(run.passes(), ["in-a"], "not all children of the other are known");
    });
}

#[test]
fn an_apply_that_changes_nothing_is_sent_only_once() {
    in_paused_time(async {
        // The server stores one of the fields in another form than it is written in.
        let stored = json!({
            "apiVersion": "v1", "kind": "ConfigMap", "data": { "size": "1" },
            "metadata": {
                "name": "a", "namespace": "ns", "uid": "uid-map", "resourceVersion": "7",
                "labels": { "app.kubernetes.io/managed-by": OPERATOR },
                "ownerReferences": [{
                    "apiVersion": "example.com/v1", "kind": "Web", "name": "a", "uid": "uid-ns-a", "controller": true,
                }],
            },
        });
        let answer = move |method: &str, uri: &str| match method {
            "GET" if uri.contains("/configmaps") => list(std::slice::from_ref(&stored)),
            "GET" => list(&[web("ns", "a", "5")]),
            "PATCH" => Some((200, stored.clone())),
            _ => refusal(500, "faults", ""),
        };
        let reconcile = |web: Arc<Web>, ctx: Arc<Context>, log| async move {
            begin(&log, &*web);
            let map = json!({ "metadata": { "name": "a" }, "data": { "size": "1000m" } });
            ctx.apply(&*web, serde_json::from_value::<ConfigMap>(map)?).await?;
            Ok(Action::requeue(SECOND))
        };
        let run = start(&[], answer, reconcile, |controller| controller.owns::<ConfigMap>());
        run.wait_for(5).await;
        assert_eq!(run.requests("PATCH"), 1);
    });
}

#[test]
fn a_namespace_that_is_being_deleted_is_no_failure() {
    in_paused_time(async {
        let answer = |method: &str, uri: &str| match method {
            "GET" if uri.contains("/configmaps") => list(&[]),
            "GET" => list(&[web("ns", "a", "5")]),
            _ => refusal(403, "forbidden: it is being terminated", "NamespaceTerminating"),
        };
        let reconcile = |web: Arc<Web>, ctx: Arc<Context>, log| async move {
            begin(&log, &*web);
            let map = json!({ "metadata": { "name": "a" } });
            ctx.apply(&*web, serde_json::from_value::<ConfigMap>(map)?).await?;
            Ok(Action::done())
        };
        let run = start(&[], answer, reconcile, |controller| controller.owns::<ConfigMap>());
        run.wait_for(1).await;
        sleep(SECOND * 60).await;
        assert_eq!(run.passes().len(), 1);
        assert_eq!(run.requests("POST /apis/events.k8s.io"), 0);
    });
}

#[test]
fn only_the_reconciled_object_has_children() {
    in_paused_time(async {
        let answer = |method: &str, uri: &str| match method {
            "GET" if uri.contains("/configmaps") => list(&[]),
            "GET" => list(&[web("ns", "a", "5")]),
            _ => refusal(500, "faults", ""),
        };
        let refused = Arc::<Mutex<String>>::default();
        let said = refused.clone();
        let reconcile = move |web: Arc<Web>, ctx: Arc<Context>, log| {
            let said = said.clone();
            async move {
                begin(&log, &*web);
                let map = json!({ "metadata": { "name": "a", "namespace": "ns", "uid": "1" } });
                let map: ConfigMap = serde_json::from_value(map)?;
                *said.lock() = ctx.apply(&map.clone(), map).await.unwrap_err().to_string();
                Ok(Action::done())
            }
        };
        let run = start(&[], answer, reconcile, |controller| controller.owns::<ConfigMap>());
        run.wait_for(1).await;
        let expected = "ConfigMap cannot be a child of ConfigMap, because this controller reconciles Web";
        assert_eq!(*refused.lock(), expected);
        assert_eq!(run.requests("POST"), 0);
    });
}
