//! Smaller guarantees of the runtime, one test each.

use crate::directed::creates;
use crate::model::Request;
use crate::run::{Run, Scenario, in_paused_time};
use crate::user;
use crate::world::Fate;
use serde_json::json;
use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;

/// Returns true for a write that releases the lease.
fn releases(request: &Request) -> bool {
    request.method == "PUT" && request.kind.plural == "leases" && request.body["spec"]["holderIdentity"] == ""
}

#[test]
fn a_lease_that_changes_while_it_is_released_is_released_all_the_same() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Election).await;
        run.pass_time(20).await;
        let id = ("leases", "default".to_owned(), "web-operator".to_owned());
        let holder = |run: &Run| run.world.lock().server.get(&id).unwrap()["spec"]["holderIdentity"].clone();
        let before = holder(&run);
        run.held = releases;
        run.processes.iter().for_each(|process| process.stop.cancel());
        run.pass_time(1).await;
        assert!(run.world.lock().pending.iter().any(|pending| releases(&pending.request)));
        let note = json!({ "metadata": { "annotations": { "note": "x" } } });
        let mut change = Request::new("PATCH", "leases", "web-operator", note);
        change.namespace = Some("default".to_owned());
        run.world.lock().server.answer(&change);
        run.held = |_| false;
        run.pass_time(5).await;
        assert_ne!(holder(&run), before);
        run.settled().await;
    });
}

#[test]
fn an_object_that_its_type_cannot_hold_can_be_deleted() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Finalizer).await;
        let broken = json!({ "spec": { "value": "text" } });
        run.world.lock().server.answer(&Request::new("PATCH", "webs", "a", broken));
        run.pass_time(10).await;
        user::act(&mut run.world.lock(), "a", 3);
        run.pass_time(10).await;
        assert_eq!(run.child("webs", "a"), None);
        run.settled().await;
    });
}

#[test]
fn an_object_waits_for_the_end_of_its_children_where_its_deletion_says_so() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Plain).await;
        run.rest().await;
        for plural in ["configmaps", "roles"] {
            let child = run.child(plural, "a").unwrap();
            assert_eq!(child["metadata"]["ownerReferences"][0]["blockOwnerDeletion"], true, "{plural}");
        }
        run.settled().await;
    });
}

#[test]
fn an_object_that_awaits_a_change_has_no_other_pass() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Beside).await;
        user::act(&mut run.world.lock(), "b", 3);
        run.rest().await;
        let passes = |run: &Run| {
            let log = run.processes[0].log.lock();
            log.passes.iter().filter(|pass| pass.is_of("pages", "b")).count()
        };
        let before = passes(&run);
        assert!(before > 0);
        run.pass_time(2 * 3600).await;
        assert_eq!(passes(&run), before);
        run.settled().await;
    });
}

#[test]
fn a_trigger_has_the_object_reconciled_that_it_names() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Plain).await;
        run.rest().await;
        let passes = |run: &Run| {
            let log = run.processes[0].log.lock();
            ["a", "b"].map(|name| log.passes.iter().filter(|pass| pass.is_of("webs", name)).count())
        };
        let [a, b] = passes(&run);
        for name in [("ns", "a"), ("ns", "none"), ("none", "b")] {
            run.processes[0].trigger.reconcile(name);
        }
        run.pass_time(1).await;
        assert_eq!(passes(&run), [a + 1, b]);
        run.settled().await;
    });
}

#[test]
fn a_watch_asks_for_what_it_is_about_in_pages_of_its_size() {
    in_paused_time(async {
        let run = Run::new(Scenario::Beside).await;
        let mut asked: Vec<_> = {
            let world = run.world.lock();
            let maps = world.pending.iter().filter(|pending| pending.request.kind.plural == "configmaps");
            let asked = |name: &str, request: &Request| request.asks(name).unwrap_or_default().to_owned();
            maps.map(|pending| ["labelSelector", "limit"].map(|name| asked(name, &pending.request))).collect()
        };
        asked.sort();
        let ours = "app.kubernetes.io/managed-by=web-operator";
        assert_eq!(asked, [[ours, "100"].map(str::to_owned), [format!("part=page,{ours}"), "50".to_owned()]]);
        run.settled().await;
    });
}

#[test]
fn each_line_of_a_pass_says_which_object_it_is_about() {
    let lines = Arc::new(tempfile::tempfile().unwrap());
    let logs = tracing_subscriber::fmt().with_ansi(false).with_writer(lines.clone()).finish();
    let _logs = tracing::subscriber::set_default(logs);
    let run = || {
        in_paused_time(async {
            let mut run = Run::new(Scenario::Plain).await;
            run.fate = |request| if creates(request, "roles") { Fate::Refused(500) } else { Fate::Answered };
            run.pass_time(5).await;
            run.stop().await;
        });
    };
    // A line or a span that another test begins for the first time just now may be left out for good, until the cache is
    // made anew.
    run();
    tracing::callsite::rebuild_interest_cache();
    let begun = (&*lines).stream_position().unwrap();
    run();
    let mut text = String::new();
    (&*lines).seek(SeekFrom::Start(begun)).unwrap();
    (&*lines).read_to_string(&mut text).unwrap();
    let about = |name: &str| format!("kind=\"Web\" namespace=\"ns\" name=\"{name}\" uid=\"");
    for name in user::NAMES {
        let of_it = || text.lines().filter(|line| line.contains(&about(name)));
        for (attempt, said) in [(1, "applied child.kind"), (1, "cannot be applied"), (2, "cannot be applied")] {
            let attempt = format!("generation=1 attempt={attempt} reconcileID=");
            assert!(of_it().any(|line| line.contains(said) && line.contains(&attempt)), "{name} {attempt}:\n{text}");
        }
    }
    let mut unnamed = text.lines().filter(|line| line.contains("cannot be applied") && !line.contains("reconcile{"));
    assert_eq!(unnamed.next(), None);
}

#[test]
fn an_event_without_an_answer_holds_up_nothing() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Plain).await;
        run.fate = |request| if creates(request, "configmaps") { Fate::Refused(500) } else { Fate::Answered };
        run.held = |request| request.kind.plural == "events";
        run.pass_time(8).await;
        let tried = run.world.lock().trace.iter().filter(|line| line.contains("POST configmaps a ")).count();
        assert!(tried >= 5, "{tried}");
        run.settled().await;
    });
}
