use super::*;
use serde_json::json;

fn call(verb: &str, path: &str) -> Call {
    Call::parse(verb, path, "").unwrap()
}

fn gate(plan: &str, placebo: bool) -> Gate {
    let gate = Gate::new(placebo, Names::default());
    let plan: Plan = plan.parse().unwrap();
    gate.begin_step(plan.step, Some(&plan));
    gate
}

fn decided(gate: &Gate, call: &Call) -> (u32, Before) {
    let asked = gate.before(call, false);
    (asked.number, asked.before)
}

const WEB: &str = "/api/v1/namespaces/a/services/web";

#[test]
fn the_fault_happens_at_its_point_and_once() {
    let body = json!({"metadata": {"name": "web"}});
    for (class, expected) in [
        ("crash", After::Kill),
        ("lost", After::Close),
        ("slow", After::AnswerIn(LATE)),
        ("conflict", After::Answer),
        ("hand-over", After::Suspend),
    ] {
        let gate = gate(&format!("{class}:patch:services/web#2@change"), false);
        let write = call("PATCH", WEB);
        let answers: Vec<After> = (0..3)
            .map(|_| {
                let asked = gate.before(&write, false);
                assert_eq!(asked.before == Before::WriteFirst, class == "conflict" && asked.number == 2);
                gate.after(&write, asked, 200, &body)
            })
            .collect();
        assert_eq!(answers, [After::Answer, expected, After::Answer], "{class}");
        assert!(gate.has_injected_faults());
        gate.begin_step(Step::Back, None);
        assert_eq!(decided(&gate, &write), (1, Before::Forward));
    }
}

#[test]
fn requests_of_the_second_replica_get_no_fault_and_are_recorded_as_its_own() {
    for (class, faulty) in
        [("hand-over", (Before::Forward, After::Suspend)), ("conflict", (Before::WriteFirst, After::Answer))]
    {
        let gate = gate(&format!("{class}:patch:services/web#2@create"), false);
        let write = call("PATCH", WEB);
        let send = |is_standby| {
            let asked = gate.before(&write, is_standby);
            let before = asked.before.clone();
            (before, gate.after(&write, asked, 200, &json!({"metadata": {"name": "web"}})))
        };
        let sound = (Before::Forward, After::Answer);
        assert_eq!([send(true), send(true)], [sound.clone(), sound.clone()], "{class}");
        assert_eq!([send(false), send(false)], [sound, faulty], "{class}");
        let standby: Vec<bool> = gate.journal().iter().filter_map(|entry| Some(entry.request()?.standby)).collect();
        assert_eq!(standby, [true, true, false, false]);
    }
}

#[test]
fn the_second_fault_follows_the_end_of_the_first() {
    let body = json!({"metadata": {"name": "web"}});
    let second = "crash:patch:services/web#3@create";
    for (first, is_request) in
        [("lost:patch:services/web#1", true), ("conflict:patch:services/web#1", true), ("restart", false)]
    {
        let gate = gate(&format!("{first}@create then {second}"), false);
        let write = call("PATCH", WEB);
        let send = || {
            let asked = gate.before(&write, false);
            gate.after(&write, asked, 200, &body)
        };
        assert_eq!(send() == After::Close, first.starts_with("lost"), "{first}");
        if !is_request {
            gate.reach("the operator is restarted");
        }
        assert!(!gate.has_injected_faults(), "{first}");
        assert_eq!(send(), After::Answer);
        assert_eq!(send(), After::Kill, "{first}");
        assert!(gate.has_injected_faults());
        assert_eq!(send(), After::Answer);
    }
}

#[test]
fn a_second_fault_waits_for_the_end_of_refusals() {
    let gate = gate("refuse:patch:services/web#1@create then refuse:patch:services/web#2@create", false);
    let write = call("PATCH", WEB);
    assert_eq!(decided(&gate, &write), (1, Before::Refuse(500)));
    std::thread::sleep(QUIET);
    assert_eq!(decided(&gate, &write), (2, Before::Forward));
    assert!(!gate.has_injected_faults());
    // The second one was aimed at the request that ended the first, and at those that follow.
    assert_eq!(decided(&gate, &write), (3, Before::Refuse(500)));
    assert!(gate.has_injected_faults());
}

#[test]
fn requests_are_refused_until_the_operator_rests() {
    let gate = gate("refuse:create:services/web#1@create", false);
    let write = call("POST", "/api/v1/namespaces/a/services").with_name_from(br#"{"metadata": {"name": "web"}}"#);
    assert_eq!(decided(&gate, &write), (1, Before::Refuse(500)));
    assert_eq!(decided(&gate, &write), (2, Before::Refuse(500)));
    assert_eq!(decided(&gate, &call("GET", WEB)), (1, Before::Forward));
    std::thread::sleep(QUIET);
    assert_eq!(decided(&gate, &write), (3, Before::Forward));
    assert_eq!(decided(&gate, &write), (4, Before::Forward));
}

#[test]
fn lists_are_answered_as_they_may_be() {
    let gate = gate("pages:services@create", false);
    gate.set_listing("services", Listing::Pages { expires: true });
    let list = |query: &str| Call::parse("GET", "/api/v1/namespaces/a/services", query).unwrap();
    let small = |query: &str| Before::Ask(query.to_owned());
    assert_eq!(decided(&gate, &list("")).1, Before::Forward);
    assert!(!gate.has_injected_faults());
    assert_eq!(decided(&gate, &list("limit=500")).1, small("limit=1"));
    assert_eq!(decided(&gate, &list("limit=500&continue=x")).1, Before::Refuse(410));
    assert_eq!(decided(&gate, &list("limit=500&continue=x")).1, small("limit=1&continue=x"));
    assert_eq!(decided(&gate, &call("GET", "/api/v1/namespaces/a/pods")).1, Before::Forward);
    assert!(gate.has_injected_faults());
}

#[test]
fn a_request_without_an_answer_is_not_made_twice() {
    let gate = gate("hang:patch:services/web#1@create", false);
    assert_eq!(decided(&gate, &call("PATCH", WEB)), (1, Before::Hang(SILENT)));
    assert_eq!(decided(&gate, &call("PATCH", WEB)), (2, Before::Forward));
}

#[test]
fn a_placebo_changes_nothing() {
    let body = json!({"metadata": {"name": "web"}});
    for class in ["crash", "lost", "refuse"] {
        let gate = gate(&format!("{class}:patch:services/web#1@change"), true);
        let asked = gate.before(&call("PATCH", WEB), false);
        assert_eq!(asked.before, Before::Forward);
        assert!(matches!(gate.after(&call("PATCH", WEB), asked, 200, &body), After::Answer | After::AnswerIn(_)));
        assert!(gate.has_injected_faults());
    }
}

#[test]
fn a_write_says_what_it_changed() {
    let gate = Gate::new(false, Names::default());
    let web =
        |version: &str, spec: &Value| json!({"metadata": {"name": "web", "resourceVersion": version}, "spec": spec});
    gate.record_event("services", "ADDED", &web("1", &json!({"a": 1, "b": 1})));
    let (write, spec) = (call("PATCH", WEB), json!({"a": 2, "c": 1}));
    let asked = gate.before(&write, false);
    // The watch is faster than the response.
    gate.record_event("services", "MODIFIED", &web("2", &spec));
    gate.after(&write, asked, 200, &web("2", &spec));
    gate.after(&write, gate.before(&write, false), 200, &web("2", &spec));
    gate.after(&write, gate.before(&write, false), 409, &json!({}));
    // A watch of metadata does not tell of the other fields.
    let metadata = json!({"kind": "PartialObjectMetadata", "metadata": {"name": "web", "resourceVersion": "3"}});
    gate.record_event("services", "MODIFIED", &metadata);
    let mut same = web("4", &spec);
    same["status"] = json!({"by": "another"});
    gate.after(&write, gate.before(&write, false), 200, &same);
    let journal = gate.journal();
    let requests: Vec<&Request> = journal.iter().filter_map(Entry::request).collect();
    assert_eq!(requests[0].changes, ["spec.a: 2", "spec.c: 1", "without spec.b"]);
    assert_eq!(requests.iter().map(|request| request.effective).collect::<Vec<_>>(), [true, false, false, false]);
}

#[test]
fn the_removal_of_the_last_finalizer_is_shown() {
    let gate = Gate::new(false, Names::default());
    let web =
        |finalizers: &[&str]| json!({"metadata": {"name": "web", "resourceVersion": "1", "finalizers": finalizers}});
    gate.record_event("services", "MODIFIED", &web(&["e.com/a"]));
    let write = call("PATCH", WEB);
    // The object is gone after this answer, which has the version of before.
    gate.after(&write, gate.before(&write, false), 200, &web(&[]));
    let journal = gate.journal();
    let requests: Vec<&Request> = journal.iter().filter_map(Entry::request).collect();
    assert_eq!(
        (requests[0].changes.as_slice(), requests[0].effective),
        (&["without metadata.finalizers[e.com/a]".to_owned()][..], false)
    );
}

#[test]
fn an_own_write_is_held_back() {
    let gate = gate("lag-own:patch:services/web#1@change", false);
    assert!(!gate.is_held());
    let write = call("PATCH", WEB);
    gate.after(&write, gate.before(&write, false), 200, &json!({"metadata": {"name": "web"}}));
    assert!(gate.is_held());
    assert_eq!(gate.flow().borrow().0, "services");
}

#[test]
fn a_claim_is_early_if_the_operator_sees_what_is_not_well() {
    let claimed = |gate: &Gate| -> Vec<String> {
        let status = call("PATCH", "/apis/e.com/v1/namespaces/a/webs/w/status");
        let asked = gate.before(&status, false);
        gate.after(&status, asked, 200, &json!({"metadata": {"name": "w"}, "status": {"phase": "Ready"}}));
        let left = gate.journal().last().and_then(|entry| Some(entry.request()?.left.clone())).unwrap();
        left.claims_early.into_iter().collect()
    };
    let gate = Gate::new(false, Names::default());
    let set =
        |ready: u32| json!({"metadata": {"name": "w"}, "spec": {"replicas": 1}, "status": {"readyReplicas": ready}});
    assert!(claimed(&gate).is_empty());
    gate.read("statefulsets.apps", &json!({"metadata": {"resourceVersion": "1"}, "items": null}));
    assert!(claimed(&gate).is_empty());
    gate.record_event("statefulsets.apps", "ADDED", &set(0));
    assert_eq!(claimed(&gate), ["statefulsets.apps"]);
    gate.read("statefulsets.apps", &json!({"items": [set(1)]}));
    assert!(claimed(&gate).is_empty());
    gate.read("statefulsets.apps", &set(0));
    gate.record_event("statefulsets.apps", "DELETED", &set(0));
    assert!(claimed(&gate).is_empty());
    let removal = call("DELETE", "/apis/apps/v1/namespaces/a/statefulsets/w");
    gate.after(
        &removal,
        gate.before(&removal, false),
        200,
        &json!({"kind": "Status", "metadata": {}, "status": "Success"}),
    );
    assert!(claimed(&gate).is_empty());
}
