//! Orders of events that are known to be hard, one test each.

use crate::model::Request;
use crate::run::{Run, Scenario, in_paused_time};
use crate::user;
use crate::world::Fate;
use serde_json::{Value, json};

impl Run {
    fn status(&self, name: &str) -> Value {
        let web = self.world.lock().server.get(&("webs", "ns".to_owned(), name.to_owned())).unwrap();
        web["status"].clone()
    }

    fn notes(&self) -> Vec<String> {
        let events = self.world.lock().server.all("events");
        events.iter().map(|event| event["note"].as_str().unwrap_or_default().to_owned()).collect()
    }

    pub(crate) fn child(&self, plural: &'static str, name: &str) -> Option<Value> {
        self.world.lock().server.get(&(plural, "ns".to_owned(), name.to_owned())).map(|child| (*child).clone())
    }

    /// Plays the run to its end, and panics if a property does not hold.
    pub(crate) async fn settled(mut self) {
        self.judge().await;
        assert!(self.wrong.is_empty(), "{}\n{:#?}", self.world.lock().trace.join("\n"), self.wrong);
    }
}

/// Returns true for a request for the second or a later page of a list.
fn continues(request: &Request) -> bool {
    request.method == "GET" && request.asks("continue").is_some()
}

pub(crate) fn creates(request: &Request, plural: &str) -> bool {
    request.method == "POST" && request.kind.plural == plural
}

#[test]
fn a_failure_is_in_the_status_and_each_of_its_notes_in_an_event() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Plain).await;
        run.fate = |request| if creates(request, "configmaps") { Fate::Refused(500) } else { Fate::Answered };
        run.pass_time(10).await;
        let ready = run.status("a")["conditions"][0].clone();
        assert_eq!(ready["status"], "False", "{ready}");
        assert_eq!(ready["reason"], "ReconcileFailed");
        run.fate = |request| if creates(request, "roles") { Fate::Refused(500) } else { Fate::Answered };
        run.pass_time(60).await;
        for kind in ["ConfigMap", "Role"] {
            let notes = run.notes();
            assert!(notes.iter().any(|note| note.contains(kind)), "{kind}: {notes:#?}");
        }
        run.settled().await;
    });
}

#[test]
fn a_failure_is_tried_again_in_time_and_a_change_does_not_wait_for_that() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Plain).await;
        run.fate = |request| if creates(request, "configmaps") { Fate::Refused(500) } else { Fate::Answered };
        // Until then, the pause has grown to its maximum.
        run.pass_time(300).await;
        let passes =
            |run: &Run| run.processes[0].log.lock().passes.iter().filter(|pass| pass.is_of("webs", "a")).count();
        let before = passes(&run);
        while passes(&run) == before {
            run.pass_time(1).await;
        }
        user::act(&mut run.world.lock(), "a", 1);
        run.pass_time(60).await;
        run.settled().await;
    });
}

#[test]
fn a_conflict_that_lasts_is_a_failure() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Plain).await;
        run.fate = |request| if creates(request, "configmaps") { Fate::Refused(409) } else { Fate::Answered };
        run.pass_time(5).await;
        assert_eq!(run.notes(), [""; 0], "the cache may be stale");
        run.pass_time(20).await;
        let ready = run.status("a")["conditions"][0].clone();
        assert_eq!((&ready["status"], &ready["reason"]), (&"False".into(), &"ReconcileFailed".into()), "{ready}");
        run.fate = |_| Fate::Answered;
        run.pass_time(60).await;
        run.settled().await;
    });
}

#[test]
fn a_list_that_fails_is_asked_for_less_and_less() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Plain).await;
        run.fate = |request| match request.method == "GET" && request.kind.plural == "webs" {
            true => Fate::Refused(500),
            false => Fate::Answered,
        };
        run.pass_time(120).await;
        let asked = run.world.lock().trace.iter().filter(|line| line.ends_with("Refused(500)")).count();
        assert!((3..15).contains(&asked), "{asked} times in two minutes");
        run.fate = |_| Fate::Answered;
        run.pass_time(60).await;
        run.settled().await;
    });
}

#[test]
fn a_throttled_leader_tries_again_and_reports_nothing() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Election).await;
        run.pass_time(1).await;
        let throttled: [fn(&Request) -> Fate; 2] = [
            |request| if request.is_work() && request.writes() { Fate::Refused(429) } else { Fate::Answered },
            |request| if request.is_work() && request.writes() { Fate::Refused(503) } else { Fate::Answered },
        ];
        for throttled in throttled {
            user::act(&mut run.world.lock(), "a", 1);
            run.fate = throttled;
            run.pass_time(3).await;
            run.fate = |_| Fate::Answered;
            run.pass_time(5).await;
        }
        assert!(run.world.lock().trace.iter().any(|line| line.ends_with("Refused(503)")));
        assert_eq!(run.notes(), [""; 0]);
        assert_eq!(run.starts, 2);
        run.settled().await;
    });
}

#[test]
fn a_leader_whose_renewals_are_answered_too_late_goes_on() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Election).await;
        run.pass_time(20).await;
        for _ in 0..5 {
            run.fate = |request| match &request.method[..] {
                "PUT" if request.kind.plural == "leases" => Fate::TimedOut,
                _ => Fate::Answered,
            };
            run.pass_time(3).await;
            run.fate = |_| Fate::Answered;
            run.pass_time(5).await;
        }
        assert!(run.world.lock().trace.iter().any(|line| line.ends_with("TimedOut")));
        assert_eq!(run.starts, 2, "{}", run.world.lock().trace.join("\n"));
        run.settled().await;
    });
}

#[test]
fn a_list_without_an_answer_is_asked_for_again() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Plain).await;
        tokio::time::sleep(std::time::Duration::from_secs(100)).await;
        run.idle().await;
        assert!(run.world.lock().trace.iter().all(|line| line.starts_with("user")));
        run.settled().await;
    });
}

#[test]
fn a_restored_etcd_is_believed() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Plain).await;
        run.rest().await;
        let backup = run.world.lock().server.clone();
        for act in [1, 1, 2, 1] {
            user::act(&mut run.world.lock(), "a", act);
            run.rest().await;
        }
        {
            let mut world = run.world.lock();
            world.server = backup;
            world.open.clear();
        }
        run.rest().await;
        // Older versions are expected here.
        let older = |line: &String| line.contains("an older version");
        for process in &run.processes {
            process.log.lock().wrong.retain(|line| !older(line));
        }
        run.settled().await;
    });
}

#[test]
fn a_field_goes_that_was_removed_before_the_creation_was_known() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Plain).await;
        run.held = |request| creates(request, "configmaps");
        run.pass_time(5).await;
        {
            let mut world = run.world.lock();
            let maps = world.open.iter_mut().find(|open| open.watch.request.kind.plural == "configmaps");
            maps.expect("the operator watches its children before it creates them").held = true;
        }
        run.held = |_| false;
        run.fate = |request| if creates(request, "configmaps") { Fate::Lost } else { Fate::Answered };
        while run.world.lock().server.all("configmaps").len() < 2 {
            run.pass_time(1).await;
        }
        user::act(&mut run.world.lock(), "a", 2);
        // Only the answer that it exists already tells the operator of the child.
        run.fate = |_| Fate::Answered;
        run.pass_time(30).await;
        run.settled().await;
    });
}

#[test]
fn children_outlive_an_owner_that_is_deleted_without_them() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Plain).await;
        run.rest().await;
        user::act(&mut run.world.lock(), "a", 5);
        run.rest().await;
        let map = run.world.lock().server.get(&("configmaps", "ns".to_owned(), "a".to_owned()));
        assert!(map.is_some_and(|map| map["metadata"]["ownerReferences"].is_null()), "it was to be an orphan");
        run.settled().await;
    });
}

#[test]
fn changes_that_only_a_list_shows_are_reconciled_despite_a_slow_page() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Plain).await;
        run.rest().await;
        {
            let mut world = run.world.lock();
            let webs = world.open.iter().position(|open| open.watch.request.kind.plural == "webs").unwrap();
            world.cut(webs, false);
            user::act(&mut world, "a", 1);
            user::act(&mut world, "b", 1);
            // No watch reports these changes any more: only the list shows them.
            world.server.compact();
            world.server.page = Some(1);
        }
        run.held = continues;
        run.pass_time(30).await;
        assert!(
            run.world.lock().pending.iter().any(|pending| continues(&pending.request)),
            "the second page is to wait"
        );
        run.held = |_| false;
        run.pass_time(5).await;
        for name in user::NAMES {
            assert_eq!(run.child("configmaps", name).unwrap()["data"]["value"], "2", "{name}");
        }
        run.settled().await;
    });
}

#[test]
fn an_object_at_which_its_type_panics_stops_nothing() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Plain).await;
        run.rest().await;
        let pause = |pause: Value| Request::new("PATCH", "webs", "a", json!({ "spec": { "pause": pause } }));
        {
            let mut world = run.world.lock();
            world.server.answer(&pause("9999999999999999h".into()));
            user::act(&mut world, "b", 1);
        }
        run.pass_time(10).await;
        assert_eq!(run.child("configmaps", "b").unwrap()["data"]["value"], "2");
        assert!(run.notes().iter().any(|note| note.contains("does not fit")), "{:#?}", run.notes());
        assert_eq!(run.starts, 1);
        run.world.lock().server.answer(&pause(Value::Null));
        run.settled().await;
    });
}

#[test]
fn an_object_of_somebody_else_is_not_taken_over() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Plain).await;
        user::act(&mut run.world.lock(), "a", 12);
        let before = run.child("configmaps", "a").unwrap();
        run.pass_time(30).await;
        assert_eq!(run.child("configmaps", "a").unwrap(), before);
        let ready = run.status("a")["conditions"][0].clone();
        assert_eq!(ready["status"], "False", "{ready}");
        assert_eq!(ready["reason"], "NameTaken");
        run.settled().await;
    });
}

#[test]
fn the_status_of_a_deleted_object_is_not_written_to_its_successor() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Plain).await;
        run.rest().await;
        // The role is refused, so that a retry follows, whose status differs.
        run.fate = |request| match request.kind.plural == "roles" && request.writes() {
            true => Fate::Refused(500),
            false => Fate::Answered,
        };
        user::act(&mut run.world.lock(), "a", 9);
        run.pass_time(5).await;
        assert_eq!(run.status("a")["conditions"][0]["status"], "False");
        {
            let mut world = run.world.lock();
            let watch = world.open.iter_mut().find(|open| open.watch.request.kind.plural == "webs");
            watch.unwrap().held = true;
            user::act(&mut world, "a", 3);
            user::act(&mut world, "a", 0);
        }
        run.fate = |_| Fate::Answered;
        run.pass_time(60).await;
        assert_eq!(run.status("a"), Value::Null, "no pass has seen this object");
        run.settled().await;
    });
}

#[test]
fn a_status_on_its_way_is_not_written_to_a_successor() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Plain).await;
        run.rest().await;
        run.held = |request| request.method == "PATCH" && request.subresource == "status";
        user::act(&mut run.world.lock(), "a", 1);
        run.pass_time(2).await;
        {
            let mut world = run.world.lock();
            assert!(world.pending.iter().any(|pending| (run.held)(&pending.request)), "a status is on its way");
            let watch = world.open.iter_mut().find(|open| open.watch.request.kind.plural == "webs");
            watch.unwrap().held = true;
            user::act(&mut world, "a", 3);
            user::act(&mut world, "a", 0);
        }
        run.held = |_| false;
        run.pass_time(5).await;
        assert_eq!(run.status("a"), Value::Null, "no pass has seen this object");
        run.settled().await;
    });
}

#[test]
fn an_apply_on_its_way_makes_no_child_of_a_deleted_owner() {
    in_paused_time(async {
        let mut run = Run::new(Scenario::Plain).await;
        run.rest().await;
        user::act(&mut run.world.lock(), "a", 1);
        run.rest().await;
        run.held = |request| request.method == "PATCH" && request.kind.plural == "configmaps";
        user::act(&mut run.world.lock(), "a", 1);
        run.pass_time(2).await;
        assert!(run.world.lock().pending.iter().any(|pending| (run.held)(&pending.request)), "an apply is on its way");
        user::act(&mut run.world.lock(), "a", 3);
        run.pass_time(5).await;
        assert!(run.child("webs", "a").is_none() && run.child("configmaps", "a").is_none(), "both are gone");
        run.held = |_| false;
        run.settled().await;
    });
}
