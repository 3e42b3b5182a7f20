//! Tests of watches for objects that affect reconciled objects, of indexes and of predicates, under orders of
//! events that are known to be hard.

use crate::model::Request;
use crate::operator::manager;
use crate::page::Page;
use crate::run::{Run, Scenario, in_paused_time};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::core::Selector;
use kube::{Resource, ResourceExt};
use parking_lot::Mutex;
use runtime::{Action, CancellationToken, Context, Controller, Name, Objects, Watch};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::task::JoinHandle;

/// The sender number of the process that reconciles pages, which runs in addition to the operator under test.
pub(crate) const SENDER: usize = 90;

/// A process that reconciles pages and changes nothing.
struct Reader {
    passes: Arc<Mutex<Vec<String>>>,
    stop: CancellationToken,
    ended: JoinHandle<anyhow::Result<()>>,
}

/// Returns the names of the pages that have the labels in the data of a `ConfigMap`.
fn selected(map: &ConfigMap, pages: &Objects<Page>) -> Vec<Name> {
    let data = map.data.iter().flatten();
    let tiers = data.filter(|(name, _)| *name == "tier").map(|(_, tier)| ("tier".to_owned(), tier.clone()));
    let labels: Selector = tiers.collect();
    if labels.selects_all() { Vec::new() } else { pages.in_namespace("ns").with_labels(&labels).names() }
}

fn start(run: &Run, with: impl FnOnce(Controller<Page>) -> Controller<Page>) -> Reader {
    let (passes, stop) = (Arc::<Mutex<Vec<String>>>::default(), CancellationToken::new());
    let mut manager = manager(&run.world, SENDER, Scenario::Plain, &stop);
    let seen = passes.clone();
    let reconcile = move |page: Arc<Page>, _: Arc<Context>| {
        seen.lock().push(page.name_any());
        async { anyhow::Ok(Action::await_change()) }
    };
    manager.add(with(Controller::namespaced("reader", reconcile)));
    let ended = tokio::spawn(async move { manager.run().await });
    Reader { passes, stop, ended }
}

impl Reader {
    /// Returns the passes that began since the last call of this function, each as the name of its object.
    fn seen(&self) -> Vec<String> {
        let mut seen = std::mem::take(&mut *self.passes.lock());
        seen.sort();
        seen
    }

    async fn stop(self) {
        self.stop.cancel();
        self.ended.await.unwrap().unwrap();
    }
}

impl Run {
    pub(crate) fn user(&self, method: &str, plural: &str, name: &str, mut body: Value) {
        if method == "POST" {
            body["metadata"]["name"] = name.into();
        }
        let answer = self.world.lock().server.answer(&Request::new(method, plural, name, body));
        assert!(answer.code < 300, "{method} {plural} {name}: {}", answer.body);
    }

    fn hold(&self, plural: &str, held: bool) {
        let mut world = self.world.lock();
        for open in world.open.iter_mut().filter(|open| open.sender == SENDER) {
            if open.watch.request.kind.plural == plural {
                open.held = held;
            }
        }
    }

    /// Ends the reader's watches of a kind. The server forgets old versions, so the reader must list the objects.
    fn forget(&self, plural: &str) {
        let mut world = self.world.lock();
        while let Some(index) =
            world.open.iter().position(|open| open.sender == SENDER && open.watch.request.kind.plural == plural)
        {
            world.cut(index, true);
        }
    }
}

impl Run {
    /// Deletes the pages, which the operator under test does not reconcile, and ends the run.
    pub(crate) async fn without_pages(self) {
        for name in ["x", "y", "z"].into_iter().filter(|name| self.child("pages", name).is_some()) {
            self.user("DELETE", "pages", name, json!({ "propagationPolicy": "Background" }));
        }
        self.settled().await;
    }
}

/// Makes a run with three pages.
async fn with_pages() -> Run {
    let run = Run::new(Scenario::Plain).await;
    for (name, tier) in [("x", "front"), ("y", "back"), ("z", "none")] {
        run.user("POST", "pages", name, json!({ "metadata": { "labels": { "tier": tier } }, "spec": { "value": 1 } }));
    }
    run
}

fn tier(tier: &str) -> Value {
    json!({ "data": { "tier": tier } })
}

#[test]
fn objects_affected_by_the_old_or_the_new_state_are_reconciled() {
    in_paused_time(async {
        let mut run = with_pages().await;
        let reader = start(&run, |pages| pages.watches_map(Watch::new(), selected));
        run.pass_time(5).await;
        assert_eq!(reader.seen(), ["x", "y", "z"]);

        run.user("POST", "configmaps", "map", tier("front"));
        run.pass_time(2).await;
        assert_eq!(reader.seen(), ["x"]);
        run.user("PATCH", "configmaps", "map", tier("back"));
        run.pass_time(2).await;
        assert_eq!(reader.seen(), ["x", "y"], "both states count");

        // The change of a page may be known later than that of the map, and then is the reason of a pass.
        run.hold("pages", true);
        run.user("PATCH", "pages", "z", json!({ "metadata": { "labels": { "tier": "late" } } }));
        run.user("PATCH", "configmaps", "map", tier("late"));
        run.pass_time(2).await;
        assert_eq!(reader.seen(), ["y"]);
        run.hold("pages", false);
        run.pass_time(2).await;
        assert_eq!(reader.seen(), ["z"]);

        // Only a list shows the change, and later the deletion.
        run.forget("configmaps");
        run.user("PATCH", "configmaps", "map", tier("front"));
        run.world.lock().server.compact();
        run.pass_time(5).await;
        assert_eq!(reader.seen(), ["x", "z"]);
        run.forget("configmaps");
        run.user("DELETE", "configmaps", "map", json!({}));
        run.world.lock().server.compact();
        run.pass_time(5).await;
        assert_eq!(reader.seen(), ["x"]);

        run.user("POST", "configmaps", "map", tier("back"));
        run.pass_time(2).await;
        run.user("DELETE", "configmaps", "map", json!({}));
        run.pass_time(2).await;
        assert_eq!(reader.seen(), ["y", "y"]);
        reader.stop().await;
        run.without_pages().await;
    });
}

#[test]
fn a_function_that_panics_at_a_watched_object_stops_nothing() {
    in_paused_time(async {
        let mut run = with_pages().await;
        let map = |map: &ConfigMap, pages: &Objects<Page>| {
            assert!(map.name_any() != "bad", "no such name");
            selected(map, pages)
        };
        let reader = start(&run, |pages| pages.watches_map(Watch::new(), map));
        run.pass_time(5).await;
        reader.seen();
        run.user("POST", "configmaps", "bad", tier("back"));
        run.user("POST", "configmaps", "good", tier("front"));
        run.pass_time(2).await;
        assert_eq!(reader.seen(), ["x"]);
        for name in ["bad", "good"] {
            run.user("DELETE", "configmaps", name, json!({}));
        }
        reader.stop().await;
        run.without_pages().await;
    });
}

/// Returns true for a list of pages or of ConfigMaps by the reader.
fn lists(request: &Request, plural: &str) -> bool {
    request.method == "GET" && !request.is_watch() && request.kind.plural == plural
}

#[test]
fn objects_dropped_by_predicates_are_not_reconciled_after_a_restart() {
    in_paused_time(async {
        let mut run = with_pages().await;
        let with = |pages: Controller<Page>| {
            let is_open = |page: &Page| page.metadata.annotations.iter().flatten().any(|(name, _)| name == "open");
            let front = |map: &ConfigMap| map.data.iter().flatten().any(|(_, tier)| tier == "front");
            let maps = Watch::<ConfigMap>::new().create_predicate(front).delete_predicate(front);
            pages.objects(Watch::new().create_predicate(is_open)).watches_map(maps, selected)
        };
        let reader = start(&run, with);
        run.pass_time(5).await;
        assert_eq!(reader.seen(), [""; 0]);
        run.user("POST", "configmaps", "map", tier("back"));
        run.pass_time(2).await;
        assert_eq!(reader.seen(), [""; 0], "no creation that matters");
        run.user("PATCH", "pages", "y", json!({ "metadata": { "annotations": { "open": "yes" } } }));
        run.pass_time(2).await;
        assert_eq!(reader.seen(), ["y"], "a change is no creation");
        reader.stop().await;
        let reader = start(&run, with);
        run.pass_time(5).await;
        assert_eq!(reader.seen(), ["y"]);
        run.user("DELETE", "configmaps", "map", json!({}));
        run.pass_time(2).await;
        assert_eq!(reader.seen(), [""; 0], "no deletion that matters");
        reader.stop().await;

        // What a map affects has a pass in either order of the first lists.
        run.user("POST", "configmaps", "map", tier("front"));
        for held in [|request: &Request| lists(request, "pages"), |request: &Request| lists(request, "configmaps")] {
            let reader = start(&run, with);
            run.held = held;
            run.pass_time(5).await;
            assert_eq!(reader.seen(), [""; 0]);
            run.held = |_| false;
            run.pass_time(5).await;
            assert_eq!(reader.seen(), ["x", "y"]);
            reader.stop().await;
        }
        run.user("DELETE", "configmaps", "map", json!({}));
        run.without_pages().await;
    });
}

fn value(page: &Page) -> String {
    page.spec.value.to_string()
}

/// Applies a ConfigMap, and looks it up in the caches: the caches must contain the reconciler's own writes before
/// the watches report them.
async fn look(page: Arc<Page>, ctx: Arc<Context<Mutex<Vec<String>>>>) -> anyhow::Result<Action> {
    let name = format!("of-{}", page.name_any());
    let data = json!({ "metadata": { "name": name }, "data": { "value": value(&page) } });
    ctx.apply(&*page, serde_json::from_value::<ConfigMap>(data)?).await?;
    let maps = ctx.objects::<ConfigMap>()?.in_namespace("ns");
    let found = maps.by_index("value", &value(&page)).names() == [Name::from(("ns", name.as_str()))];
    let got = ctx.get::<ConfigMap>(&*page, &name).await?.is_some();
    let pages = ctx.objects::<Page>()?.by_index("value", &value(&page)).list();
    let own = pages.iter().any(|one| one.meta().uid == page.meta().uid);
    let stale = maps.by_index("value", &(page.spec.value - 1).to_string()).names().len();
    ctx.state.lock().push(format!("{} found={found} got={got} own={own} stale={stale}", page.name_any()));
    Ok(Action::await_change())
}

#[test]
fn own_writes_are_in_lists_and_indexes_before_the_watch_tells() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Plain).await;
        let (seen, stop) = (Arc::<Mutex<Vec<String>>>::default(), CancellationToken::new());
        let mut manager = manager(&run.world, SENDER, Scenario::Plain, &stop);
        let values = |map: &ConfigMap| map.data.iter().flatten().map(|(_, value)| value.clone()).collect();
        let of_map = || Watch::<ConfigMap>::new().index("value", values);
        let controller = Controller::namespaced("looker", look)
            .objects(Watch::new().index("value", |page: &Page| vec![value(page)]))
            .owns_with(of_map())
            // This cache knows of no own write.
            .watches_with(of_map(), |_| Vec::new());
        manager.add_with(seen.clone(), controller);
        let ended = tokio::spawn(async move { manager.run().await });
        let page = |value: i64| json!({ "spec": { "value": value } });
        run.user("POST", "pages", "x", page(10));
        run.pass_time(5).await;
        let good = "x found=true got=true own=true stale=0";
        assert_eq!(std::mem::take(&mut *seen.lock()), [good]);
        run.hold("configmaps", true);
        for value in 11..14 {
            run.user("PATCH", "pages", "x", page(value));
            run.pass_time(2).await;
            assert_eq!(std::mem::take(&mut *seen.lock()), [good], "{value}");
        }
        run.hold("configmaps", false);
        run.pass_time(2).await;
        seen.lock().clear();

        // A list is half way while an own write is answered; what is deleted meanwhile is no longer found.
        run.forget("configmaps");
        run.held = |request| lists(request, "configmaps");
        run.user("PATCH", "pages", "x", page(14));
        run.pass_time(2).await;
        run.held = |_| false;
        run.pass_time(5).await;
        assert_eq!(std::mem::take(&mut *seen.lock()), [good]);
        run.user("DELETE", "configmaps", "of-x", json!({}));
        run.pass_time(2).await;
        assert_eq!(std::mem::take(&mut *seen.lock()), [good], "it is made again");
        stop.cancel();
        run.pass_time(1).await;
        ended.await.unwrap().unwrap();
        run.user("DELETE", "pages", "x", json!({ "propagationPolicy": "Background" }));
        run.rest().await;
        assert!(run.child("configmaps", "of-x").is_none());
        run.settled().await;
    });
}
