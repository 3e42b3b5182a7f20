use super::*;
use crate::explore::record::state::State;
use serde_json::json;
use std::time::Duration;

fn entry(step: Step, event: Event) -> Entry {
    Entry { at: Duration::ZERO, step, event }
}

fn request(step: Step, request: &str, status: u16, effective: bool) -> Entry {
    let request = Request { request: request.to_owned(), status, changes: Vec::new(), effective, ..Request::default() };
    entry(step, Event::Request(request))
}

fn list(request: &str, query: &str) -> Entry {
    let (request, query) = (request.to_owned(), query.to_owned());
    entry(Step::Create, Event::Request(Request { request, status: 200, query, ..Request::default() }))
}

fn journal(extra: &str) -> Vec<Entry> {
    vec![
        list("list:webs.e.com#1", "resourceVersion=0"),
        list("list:services#1", "limit=500"),
        list("list:configmaps#1", "limit=500"),
        request(Step::Create, "watch:webs.e.com#1", 200, false),
        entry(Step::Create, Event::User("creates webs.e.com/w".to_owned())),
        entry(Step::Create, Event::Told("ADDED webs.e.com/w".to_owned())),
        request(Step::Create, "create:services/w#1", 201, true),
        request(Step::Create, "create:services/w#2", 409, false),
        request(Step::Create, extra, 201, true),
        request(Step::Create, "patch:webs.e.com/w/status#1", 200, true),
        request(Step::Recreate, "create:services/w#1", 201, true),
    ]
}

#[test]
fn a_class_begins_with_what_is_new() {
    let text = [
        "crash:patch:a/x#1@create",
        "crash:patch:a/y#1@create",
        "crash:patch:b/x#1@create",
        "crash:patch:a/x#1@change",
        "crash:patch:a/*#1@create",
    ];
    let plans = text.iter().map(|text| text.parse().unwrap()).collect();
    let found: Vec<String> = in_turns(BTreeMap::from([(Class::Crash, plans)])).iter().map(Plan::to_string).collect();
    assert_eq!(found, [text[4], text[0], text[2], text[1], text[3]]);
}

#[test]
fn a_conflict_with_an_update_comes_first() {
    let text = ["conflict:patch:a/*#1@create", "conflict:patch:b/x#1@create", "conflict:update:b/x#2@create"];
    let plans = text.iter().map(|text| text.parse().unwrap()).collect();
    let found: Vec<String> = in_turns(BTreeMap::from([(Class::Conflict, plans)])).iter().map(Plan::to_string).collect();
    assert_eq!(found, [text[2], text[0], text[1]]);
}

#[test]
fn a_field_that_is_removed_is_new() {
    let text = ["spec.port=1", "spec.port=2", "spec.port=null", "spec.name=\"x\""];
    let text = text.map(|field| format!("field:webs.e.com/w/{field}@change"));
    let plans = text.iter().map(|text| text.parse().unwrap()).collect();
    let found: Vec<String> = in_turns(BTreeMap::from([(Class::Field, plans)])).iter().map(Plan::to_string).collect();
    assert_eq!(found, [&text[0], &text[2], &text[3], &text[1]].map(Clone::clone));
}

#[test]
fn labels_that_the_api_server_gives_to_a_job_are_left_alone() {
    for (labels, planned) in [
        (json!({"app": "w"}), true),
        (json!({"batch.kubernetes.io/controller-uid": "1", "batch.kubernetes.io/job-name": "w"}), false),
    ] {
        let job = json!({"metadata": {"name": "w", "labels": labels, "ownerReferences": [{"name": "o"}]}});
        let state = State::of("explore-1", &[("jobs.batch".to_owned(), vec![job])]);
        let create = || request(Step::Create, "create:jobs.batch/w#1", 201, true);
        let recorded = || (vec![(Step::Create, state.clone(), Duration::ZERO)], vec![create()]);
        let plans = plans(&Reference::of([recorded(), recorded()]), &[]);
        assert_eq!(plans.iter().any(|plan| plan.class == Class::StripLabels), planned, "{plans:?}");
    }
}

const SHARED_POINTS: &[&str] = &[
    "restart@create",
    "delete-child:services/w@create",
    "strip-labels:services/w@create",
    "crash:create:secrets/*#1@create",
    "stale-list:webs.e.com@change",
    "field:webs.e.com/w/spec.port=0@change",
    "lease@create",
    "refuse:create:secrets/*#1@create",
    "hand-over:create:secrets/*#1@create",
    "abandon:create:secrets/*#1@create",
    "lost:create:secrets/*#1@create",
    "expire:webs.e.com@create",
    "lag:webs.e.com@create",
    "conflict:patch:webs.e.com/w/status#1@create",
    "lag-own:patch:webs.e.com/w/status#1@create",
    "relist:webs.e.com@create",
    "cut:webs.e.com@create",
    "pages:configmaps@create",
    "throttle:create:secrets/*#1@create",
    "hang:create:secrets/*#1@create",
    "unanswered:create:services/w#1@create",
    "slow:create:secrets/*#1@create",
    "crash:create:services/w#1@create",
    "refuse:create:services/w#1@create",
    "crash:patch:webs.e.com/w/status#1@create",
    "stale-list:webs.e.com@delete",
    "refuse:patch:webs.e.com/w/status#1@create",
    "hand-over:create:services/w#1@create",
    "abandon:create:services/w#1@create",
    "lost:create:services/w#1@create",
    "relist:webs.e.com@delete",
    "throttle:create:services/w#1@create",
    "hang:create:services/w#1@create",
    "unanswered:patch:webs.e.com/w/status#1@create",
    "slow:create:services/w#1@create",
    "refuse:list:webs.e.com#1@create",
    "refuse:list:services#1@create",
    "hand-over:patch:webs.e.com/w/status#1@create",
    "abandon:patch:webs.e.com/w/status#1@create",
    "lost:patch:webs.e.com/w/status#1@create",
    "throttle:patch:webs.e.com/w/status#1@create",
    "hang:patch:webs.e.com/w/status#1@create",
    "slow:patch:webs.e.com/w/status#1@create",
    "refuse:list:configmaps#1@create",
    "refuse:watch:webs.e.com#1@create",
    "throttle:list:webs.e.com#1@create",
    "throttle:list:services#1@create",
    "throttle:list:configmaps#1@create",
    "throttle:watch:webs.e.com#1@create",
];

#[test]
fn points_are_those_that_both_references_have() {
    let service = json!([{"metadata": {"name": "w", "labels": {"app": "w"}, "ownerReferences": [{"name": "o"}]}}]);
    let maps = json!([{"metadata": {"name": "a"}}, {"metadata": {"name": "b"}}]);
    let lists = [("services", service), ("configmaps", maps)];
    let lists = lists.map(|(resource, list)| (resource.to_owned(), list.as_array().unwrap().clone()));
    let state = State::of("a", &lists);
    let rests = || vec![(Step::Create, state.clone(), Duration::ZERO)];
    let journals = ["create:secrets/a-x1#1", "create:secrets/a-z9#1"].map(journal);
    let mut reference = Reference::of(journals.map(|journal| (rests(), journal)));
    reference.elects = true;
    let found: Vec<String> =
        plans(&reference, &["webs.e.com/w/spec.port=0".to_owned()]).iter().map(ToString::to_string).collect();
    assert_eq!(found, SHARED_POINTS);
}

#[test]
fn all_watches_are_closed_together_where_several_tell_of_something() {
    let told = |resource: &str| entry(Step::Create, Event::Told(format!("ADDED {resource}/w")));
    let watch = |resource: &str| request(Step::Create, &format!("watch:{resource}#1"), 200, false);
    let journal = |more: Option<Entry>| {
        let both = ["webs.e.com", "services"];
        both.iter().map(|one| watch(one)).chain([told("webs.e.com")]).chain(more).collect::<Vec<_>>()
    };
    for (more, expected) in [(None, [].as_slice()), (Some("services"), &["cut:*@create"])] {
        let recorded = || (vec![(Step::Create, State::default(), Duration::ZERO)], journal(more.map(told)));
        let plans = plans(&Reference::of([recorded(), recorded()]), &[]);
        let together: Vec<String> =
            plans.iter().filter(|plan| plan.aim == EVERY_WATCH).map(ToString::to_string).collect();
        assert_eq!(together, expected);
    }
}

#[test]
fn workloads_that_the_operator_makes_get_their_troubles() {
    let set = json!({"metadata": {"name": "w"}, "spec": {"volumeClaimTemplates": [{"metadata": {"name": "data"}}]}});
    let state = State::of("a", &[("statefulsets.apps".to_owned(), vec![set])]);
    let made = || {
        vec![
            request(Step::Create, "patch:statefulsets.apps/w#1", 201, true),
            request(Step::Create, "patch:webs.e.com/w/status#1", 200, true),
            request(Step::Create, "create:jobs.batch/w#1", 201, true),
            entry(Step::Create, Event::User("creates webs.e.com/w".to_owned())),
            entry(Step::Delete, Event::User("deletes webs.e.com/w".to_owned())),
        ]
    };
    let recorded = || (vec![(Step::Create, state.clone(), Duration::ZERO)], made());
    let plans = plans(&Reference::of([recorded(), recorded()]), &[]);
    let of = |class: Class| {
        let plans = plans.iter().filter(|plan| plan.class == class).map(Plan::to_string);
        plans.map(|plan| plan.split_once(':').unwrap().1.to_owned()).collect::<BTreeSet<_>>()
    };
    let expected = [
        "jobs.batch=failed@create",
        "jobs.batch=slow@create",
        "persistentvolumeclaims=pending@create",
        "statefulsets.apps=crash@create",
        "statefulsets.apps=crash@delete",
        "statefulsets.apps=evicted@create",
        "statefulsets.apps=node-gone@create",
    ];
    assert_eq!(of(Class::Unready), expected.map(str::to_owned).into());
    let unanswered = ["patch:statefulsets.apps/w#1@create", "patch:webs.e.com/w/status#1@create"];
    assert_eq!(of(Class::Unanswered), unanswered.map(str::to_owned).into());
}
