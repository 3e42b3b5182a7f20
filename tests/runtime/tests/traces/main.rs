//! Traces of an operator on the real API server that `KUBECONFIG` names. A collector receives them over TLS.

mod collector;
mod operator;

use collector::{Collector, Span};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Api, DeleteParams, Patch, PatchParams, PostParams};
use kube::{Client, CustomResourceExt, ResourceExt};
use operator::{Fleet, FleetSpec, Ship, is_ready};
use runtime::testing;
use serde_json::json;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const TRACEPARENT: &str = "tracing.k8s.io/traceparent";

struct Operator(Child);

impl Operator {
    /// Starts this test's program as an operator that sends its spans to the collector.
    fn start(collector: &Collector) -> Self {
        let mut operator = Command::new(std::env::current_exe().unwrap());
        operator.args(["--exact", "operator::runs", "--ignored", "--nocapture"]).stdin(Stdio::null());
        operator.env("OTEL_EXPORTER_OTLP_ENDPOINT", collector.address());
        operator.env("OTEL_EXPORTER_OTLP_CERTIFICATE", collector.authority()).env("OTEL_BSP_SCHEDULE_DELAY", "100");
        // What is traced does not depend on what is logged: neither less nor more.
        operator.env("RUST_LOG", "warn,traces=debug");
        Self(operator.spawn().unwrap())
    }

    fn stop(mut self) {
        let told = Command::new("kill").arg(self.0.id().to_string()).status().unwrap();
        assert!(told.success() && self.0.wait().unwrap().success());
    }
}

impl Drop for Operator {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

async fn define(client: &Client, definition: CustomResourceDefinition) {
    let definitions: Api<CustomResourceDefinition> = Api::all(client.clone());
    let (name, apply) = (definition.name_any(), PatchParams::apply("test"));
    definitions.patch(&name, &apply, &Patch::Apply(definition)).await.unwrap();
    let is_served = |definition: &CustomResourceDefinition| {
        let conditions = definition.status.as_ref().and_then(|status| status.conditions.clone()).unwrap_or_default();
        conditions.iter().any(|condition| condition.type_ == "Established" && condition.status == "True")
    };
    until(&definitions, &name, is_served).await;
}

async fn until<K>(api: &Api<K>, name: &str, is: impl Fn(&K) -> bool)
where
    K: Clone + std::fmt::Debug + serde::de::DeserializeOwned,
{
    testing::until(name, async || api.get_opt(name).await.unwrap().filter(|object| is(object))).await;
}

/// Returns the spans with this name that are about an object.
fn of<'a>(spans: &'a [Span], name: &str, kind: &str, object: &str) -> Vec<&'a Span> {
    let is = |span: &&Span| span.name == name && span.says("kind") == kind && span.says("name") == object;
    spans.iter().filter(is).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn one_trace_leads_from_a_change_to_ready() {
    let client = Client::try_default().await.expect("KUBECONFIG names a control plane");
    define(&client, Fleet::crd()).await;
    define(&client, Ship::crd()).await;
    let collector = Collector::start().await;
    let operator = Operator::start(&collector);
    let (fleets, ships) = (Api::<Fleet>::default_namespaced(client.clone()), Api::<Ship>::default_namespaced(client));
    fleets.create(&PostParams::default(), &Fleet::new("a", FleetSpec { flag: "red".into() })).await.unwrap();
    until(&fleets, "a", is_ready).await;
    let created = collector.with_span("change", "Fleet", "a").await;

    let spans = collector.spans();
    let passes = passes_until_ready(&spans, &created);
    let ship = change_of_the_ship(&spans, &created, &passes);
    // No request of a watch, a list or the lease is a trace of its own.
    assert!(
        spans.iter().all(|span| ["change", "reconcile"].contains(&&*span.name) || !span.parent.is_empty()),
        "{spans:#?}"
    );
    the_annotation_takes_no_write_of_its_own(&ships, ship).await;
    a_lost_ship_is_about_the_change_and_no_part_of_it(&collector, &ships, &created).await;
    let edited = next_change(&collector, &fleets, &created).await;
    an_edit_by_others_is_a_trace_of_its_own(&collector, &ships, &edited).await;

    let failed = failed_pass(&collector, &fleets).await;
    operator.stop();
    // The last spans are sent when the operator ends: that of the change that is not Ready.
    let last = collector.until("the last change", |span| span.is_change_of("Fleet", "a", "3")).await;
    assert_eq!(last.trace, failed.trace);
    a_restart_takes_only_what_is_not_ready_for_changed(&collector, &fleets).await;
}

/// Returns the passes of the fleet's change, and checks that the change is the root of its trace, from its first pass
/// until it is Ready.
fn passes_until_ready<'a>(spans: &'a [Span], created: &Span) -> Vec<&'a Span> {
    let passes = of(spans, "reconcile", "Fleet", "a");
    let (passes, later): (Vec<_>, Vec<_>) = passes.into_iter().partition(|pass| pass.trace == created.trace);
    assert!(passes.len() >= 2, "the fleet waits for its ship: {spans:#?}");
    assert!(passes.iter().all(|pass| pass.parent == created.id), "{spans:#?}");
    assert!(later.iter().all(|pass| pass.links == [created.trace.clone()]), "{spans:#?}");
    assert_eq!(created.parent, "", "{spans:#?}");
    assert_eq!(created.says("generation"), "1");
    passes
}

/// Returns a pass's request with this method, to a path with this end.
fn request<'a>(spans: &'a [Span], pass: &Span, method: &str, path: &str) -> Option<&'a Span> {
    let mut requests = spans.iter().filter(|span| span.parent == pass.id && span.name == method);
    requests.find(|span| span.says("url.path").ends_with(path))
}

/// Returns the change of the ship, and checks that a pass of the fleet writes the ship, and that the ship's controller
/// continues the trace from there.
fn change_of_the_ship<'a>(spans: &'a [Span], created: &Span, passes: &[&Span]) -> &'a Span {
    let made = passes.iter().find_map(|pass| request(spans, pass, "POST", "/ships"));
    let made = made.expect("a request makes the ship");
    assert_eq!((made.says("http.response.status_code"), made.is_client), ("201".to_owned(), true), "{made:#?}");
    let ship = of(spans, "change", "Ship", "a")[0];
    let writer = passes.iter().find(|pass| pass.id == ship.parent).expect("a pass of the fleet leads to the ship");
    assert_eq!((&ship.trace, &made.parent), (&created.trace, &writer.id), "{spans:#?}");
    let pass = of(spans, "reconcile", "Ship", "a")[0];
    assert_eq!((&pass.trace, &pass.parent), (&created.trace, &ship.id), "{spans:#?}");
    assert!(request(spans, pass, "PATCH", "/ships/a/status").is_some(), "{spans:#?}");
    assert!(passes.iter().any(|pass| request(spans, pass, "PATCH", "/fleets/a/status").is_some()), "{spans:#?}");
    ship
}

/// Checks that the ship was created with the annotation, which names the pass that led to `change`, and never changed.
async fn the_annotation_takes_no_write_of_its_own(ships: &Api<Ship>, change: &Span) {
    let stored = ships.get("a").await.unwrap();
    assert_eq!(stored.annotations()[TRACEPARENT], format!("00-{}-{}-01", change.trace, change.parent));
    assert_eq!(stored.metadata.generation, Some(1));
    let managers = stored.managed_fields().iter().filter(|entry| entry.subresource.is_none());
    assert_eq!(managers.count(), 1, "{:#?}", stored.managed_fields());
}

/// Checks that the pass that makes a deleted ship again has a link to the change of the fleet, which is Ready, and a
/// trace of its own.
async fn a_lost_ship_is_about_the_change_and_no_part_of_it(collector: &Collector, ships: &Api<Ship>, created: &Span) {
    let stored = ships.get("a").await.unwrap();
    ships.delete("a", &DeleteParams::default()).await.unwrap();
    until(ships, "a", |ship| ship.uid() != stored.uid() && is_ready(ship)).await;
    let is_drift = |span: &Span| span.name == "POST" && span.trace != created.trace;
    let request = collector.until("a ship in place of the deleted one", is_drift).await;
    let drift = collector.until("the pass that makes it", |span| span.id == request.parent).await;
    assert!(drift.links == [created.trace.clone()] && drift.parent.is_empty(), "{drift:#?}");
}

/// Changes the fleet, and returns that change. Checks that it has a trace of its own, and with it the ship, whose
/// annotation is written anew.
async fn next_change(collector: &Collector, fleets: &Api<Fleet>, created: &Span) -> Span {
    let edit = json!({ "spec": { "flag": "black" } });
    fleets.patch("a", &PatchParams::default(), &Patch::Merge(&edit)).await.unwrap();
    let edited = collector.until("the second change", |span| span.is_change_of("Fleet", "a", "2")).await;
    assert!(edited.trace != created.trace && edited.parent.is_empty(), "{edited:#?}");
    let ship = collector.until("that of its ship", |span| span.is_change_of("Ship", "a", "2")).await;
    assert_eq!(ship.trace, edited.trace);
    edited
}

/// Checks that somebody else's edit of the ship, which leaves the annotation as it is, is not part of the trace there.
async fn an_edit_by_others_is_a_trace_of_its_own(collector: &Collector, ships: &Api<Ship>, edited: &Span) {
    let edit = json!({ "spec": { "name": "Potemkin" } });
    ships.patch("a", &PatchParams::default(), &Patch::Merge(&edit)).await.unwrap();
    let by_others = collector.until("an edit by others", |span| span.is_change_of("Ship", "a", "3")).await;
    assert!(by_others.trace != edited.trace && by_others.parent.is_empty(), "{by_others:#?}");
}

/// Gives the fleet a flag with which a pass fails, and returns that pass, which says so.
async fn failed_pass(collector: &Collector, fleets: &Api<Fleet>) -> Span {
    let edit = json!({ "spec": { "flag": "none" } });
    fleets.patch("a", &PatchParams::default(), &Patch::Merge(&edit)).await.unwrap();
    let failed = collector.until("a failed pass", |span| span.name == "reconcile" && span.error.is_some()).await;
    assert_eq!(failed.error.as_deref(), Some("a fleet needs a flag"));
    failed
}

async fn a_restart_takes_only_what_is_not_ready_for_changed(collector: &Collector, fleets: &Api<Fleet>) {
    fleets.create(&PostParams::default(), &Fleet::new("b", FleetSpec { flag: "red".into() })).await.unwrap();
    let before = collector.spans().len();
    let operator = Operator::start(collector);
    collector.with_span("change", "Fleet", "b").await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    operator.stop();
    let spans = collector.spans().split_off(before);
    assert!(of(&spans, "change", "Ship", "a").is_empty(), "{spans:#?}");
    assert_eq!(of(&spans, "change", "Fleet", "a").len(), 1, "{spans:#?}");
}
