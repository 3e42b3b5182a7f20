//! A second controller of the kind `Web`, which changes nothing. It shares the caches of the first controller, and
//! sees the writes of that controller as changes by others.

use crate::operator::{OPERATOR, Web};
use crate::passes::{Log, begin};
use crate::run::{Run, Scenario, in_paused_time};
use crate::user;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::ResourceExt;
use parking_lot::Mutex;
use runtime::{Action, Context, Controller};
use serde_json::Value;
use std::sync::Arc;

async fn reconcile(web: Arc<Web>, ctx: Arc<Context>, log: Arc<Mutex<Log>>) -> anyhow::Result<Action> {
    let pass = begin(&log, &*web);
    let maps = ctx.children::<ConfigMap>(&*web)?;
    pass.applied(maps.iter().map(ResourceExt::resource_version).collect());
    pass.succeeded();
    Ok(Action::await_change())
}

pub(crate) fn controller(log: Arc<Mutex<Log>>) -> Controller<Web> {
    Controller::namespaced("mirror", move |web, ctx| reconcile(web, ctx, log.clone())).owns::<ConfigMap>()
}

fn version(object: &Value) -> Option<String> {
    object["metadata"]["resourceVersion"].as_str().map(str::to_owned)
}

impl Run {
    /// Checks that the last pass of the second controller has seen each object and its ConfigMap as the server has them.
    pub(crate) fn mirrored(&mut self, when: &str) {
        if self.scenario != Scenario::Shared {
            return;
        }
        let webs = self.world.lock().server.all("webs");
        for web in webs {
            let name = web["metadata"]["name"].as_str().unwrap_or_default().to_owned();
            let is_child = |map: &Value| {
                map["metadata"]["ownerReferences"][0]["uid"] == web["metadata"]["uid"]
                    && map["metadata"]["labels"]["app.kubernetes.io/managed-by"] == OPERATOR
            };
            let map = self.child("configmaps", &name).filter(is_child);
            let there: Vec<_> = map.iter().map(version).collect();
            let log = self.processes[0].mirror.lock();
            let last = log.passes.iter().rfind(|pass| pass.is_of("webs", &name)).cloned();
            drop(log);
            let same = last.as_ref().is_some_and(|pass| {
                pass.metadata.resource_version == version(&web) && pass.children.as_ref() == Some(&there)
            });
            if !same && web["metadata"]["deletionTimestamp"].is_null() {
                self.say(&format!(
                    "{when}, the other controller has seen {name} as {last:?}, not {web} with {there:?}"
                ));
            }
        }
    }
}

#[test]
fn controllers_share_watches_and_see_what_another_one_writes() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Shared).await;
        run.rest().await;
        let mut watched: Vec<_> = run.world.lock().open.iter().map(|open| open.watch.request.kind.plural).collect();
        watched.sort_unstable();
        assert_eq!(watched, ["configmaps", "roles", "webs"], "one watch for each kind");
        run.mirrored("at rest");

        // The watches tell nothing of what the first controller writes next, and yet it is known.
        user::act(&mut run.world.lock(), "a", 1);
        run.pass_time(1).await;
        run.world.lock().open.iter_mut().for_each(|open| open.held = true);
        run.processes[0].trigger.reconcile(("ns", "a"));
        user::act(&mut run.world.lock(), "a", 7);
        run.pass_time(5).await;
        let before = run.processes[0].mirror.lock().passes.len();
        for kind in ["configmaps", "webs"] {
            let mut world = run.world.lock();
            let open = world.open.iter_mut().find(|open| open.watch.request.kind.plural == kind);
            open.unwrap().held = false;
        }
        run.pass_time(5).await;
        assert!(run.processes[0].mirror.lock().passes.len() > before, "a change by a user is seen");
        run.mirrored("after a drift");
        run.settled().await;
    });
}

#[test]
fn an_own_write_starts_a_pass_of_the_other_controller_before_the_watch_tells() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Shared).await;
        // The children are made, and the status is written, while no watch reports anything.
        run.held = |request| request.writes();
        run.pass_time(5).await;
        run.world.lock().open.iter_mut().for_each(|open| open.held = true);
        run.held = |_| false;
        run.pass_time(10).await;
        assert!(run.child("configmaps", "a").is_some());
        run.mirrored("while no watch reports anything");
        assert!(run.wrong.is_empty(), "{:#?}", run.wrong);
        run.settled().await;
    });
}
