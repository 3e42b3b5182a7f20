use super::*;
use crate::explore::record::journal::Request;
use crate::explore::record::state::State;
use crate::explore::run::field_run::Changed;
use crate::explore::run::held::UnwellObservations;
use std::collections::BTreeMap;
use std::time::Duration;

fn request(seconds: u64, request: &str, status: u16, changes: &[&str]) -> Entry {
    let effective = (200..300).contains(&status) && !request.starts_with("list");
    let changes = changes.iter().map(|change| (*change).to_owned()).collect();
    let request =
        Request { request: request.to_owned(), status, changes, effective, moved: effective, ..Request::default() };
    Entry { at: Duration::from_secs(seconds), step: Step::Create, event: Event::Request(request) }
}

fn rest(differences: Vec<Difference>, restless: bool) -> Rest {
    let (step, state, heals, took) = (Step::Create, State::default(), Recovery::Restart, Duration::ZERO);
    Rest { step, state, heals, differences, restless, took }
}

fn outcome(journal: Vec<Entry>, rests: Vec<Rest>) -> Outcome {
    Outcome { reached: true, rests, journal, ..Outcome::default() }
}

fn texts(found: &[Suspicion]) -> Vec<(Oracle, Severity, &str)> {
    found.iter().map(|found| (found.oracle, found.severity, found.text.as_str())).collect()
}

fn judged(plan: &str, outcome: &Outcome) -> Vec<Suspicion> {
    let samples = BTreeSet::from(["webs.e.com".to_owned()]);
    let known = vec![request(0, "list:pods#1", 403, &[]), request(0, "create:services/taken#1", 422, &[])];
    let reference = Reference::of([(Vec::new(), known), (Vec::new(), Vec::new())]);
    judge(&plan.parse().unwrap(), outcome, &reference, &samples)
}

#[test]
fn a_missing_object_is_told_before_a_field() {
    let difference = |object: &str, path: &str| Difference {
        object: object.to_owned(),
        name: None,
        path: path.to_owned(),
        expected: Some("1".to_owned()),
        found: None,
    };
    let differences = vec![difference("a/a", ".spec"), difference("services/web", "")];
    let found = judged("down@change", &outcome(Vec::new(), vec![rest(differences, true)]));
    assert_eq!(texts(&found), [(Oracle::State, Severity::Error, "services/web is missing")]);
    assert_eq!((found[0].heals, found[0].differences.len()), (Some(Recovery::Restart), 2));
    assert!(judged("down@change", &outcome(Vec::new(), vec![rest(Vec::new(), false)])).is_empty());
}

#[test]
fn a_job_that_is_left_of_a_value_is_no_error() {
    let left = |object: &str| Difference {
        object: object.to_owned(),
        name: None,
        path: String::new(),
        expected: None,
        found: Some("1".to_owned()),
    };
    for (plan, objects, severity) in [
        ("field:webs.e.com/w/spec.image=\"b\"@change", &["jobs.batch/b"][..], Severity::Warning),
        ("field:webs.e.com/w/spec.image=\"b\"@change", &["configmaps/b", "jobs.batch/b"], Severity::Error),
        ("down@change", &["jobs.batch/b"], Severity::Error),
    ] {
        let differences = objects.iter().map(|object| left(object)).collect();
        let found = judged(plan, &outcome(Vec::new(), vec![rest(differences, false)]));
        let text = format!("{} exists, and should not", objects[0]);
        assert_eq!(texts(&found), [(Oracle::State, severity, text.as_str())]);
    }
}

#[test]
fn an_object_that_is_written_again_and_again_is_named() {
    let writes = (0..9).map(|second| request(second, "patch:webs.e.com/w/status#1", 200, &[])).collect();
    let found = judged("down@change", &outcome(writes, vec![rest(Vec::new(), true)]));
    assert!(found.iter().all(|found| found.severity == Severity::Warning), "one in a second is no loop: {found:?}");
    let writes = (0..9).map(|_| request(1, "patch:webs.e.com/w/status#1", 200, &[])).collect();
    let found = judged("down@change", &outcome(writes, vec![rest(Vec::new(), true)]));
    let text = "the operator writes webs.e.com/w/status again and again: 9 times in 2 s";
    assert_eq!(texts(&found), [(Oracle::Restless, Severity::Error, text)]);
}

#[test]
fn requests_and_logs_are_judged() {
    let journal = vec![
        request(0, "list:pods#1", 403, &[]),
        request(0, "delete:services/web#1", 403, &[]),
        request(0, "delete:secrets/key#1", 200, &[]),
        request(0, "delete:services/old#1", 200, &[]),
    ];
    let mut outcome = outcome(journal, vec![rest(Vec::new(), false)]);
    outcome.log.push((Duration::ZERO, "thread 'main' (1) panicked at src/main.rs:7:5:".to_owned()));
    outcome.foreign_lost = true;
    let found = judged("conflict:update:services/web#1@change", &outcome);
    assert_eq!(
        texts(&found),
        [
            (Oracle::Panic, Severity::Error, "the operator panics at src/main.rs:7:5"),
            (Oracle::Denied, Severity::Error, "the operator is not allowed to `delete services/web`"),
            (Oracle::Deletion, Severity::Error, "the operator deletes secrets/key"),
            (Oracle::ForeignField, Severity::Error, "an annotation that somebody else wrote into services/web is lost"),
            (Oracle::Deletion, Severity::Warning, "the operator deletes services/old"),
        ]
    );
}

#[test]
fn a_restart_that_writes_is_an_error_where_pods_restart() {
    for (change, severity) in [("spec.template.x: 1", Severity::Error), ("data.x: 1", Severity::Warning)] {
        let write = request(2, "patch:deployments.apps/web#1", 200, &[change]);
        let mut outcome = outcome(vec![request(1, "list:pods#1", 200, &[]), write], Vec::new());
        outcome.at_rest = Some(0..0);
        let found = judged("restart@create", &outcome);
        let text = format!("a restart of the idle operator leads to a `patch` of deployments.apps/web: {change}");
        assert_eq!(texts(&found), [(Oracle::RestartWrites, severity, text.as_str())]);
        outcome.at_rest = Some(2..2);
        assert!(judged("restart@create", &outcome).is_empty());
    }
}

#[test]
fn a_value_that_no_child_can_have_is_refused_and_no_more() {
    let difference = Difference {
        object: "services/web".to_owned(),
        name: None,
        path: String::new(),
        expected: None,
        found: Some("exists".to_owned()),
    };
    for (impossible, oracles) in [(true, vec![Oracle::Refused]), (false, vec![Oracle::Differential, Oracle::Refused])] {
        let mut entry = request(0, "update:services/web#1", 422, &[]);
        entry.step = Step::Change;
        let mut outcome = outcome(vec![entry], Vec::new());
        let differences = vec![difference.clone()];
        outcome.changed = Some(Changed { differences, impossible, text: "spec.port=0".to_owned() });
        let found = judged("field:webs.e.com/w/spec.port=0@change", &outcome);
        assert_eq!(found.iter().map(|found| found.oracle).collect::<Vec<_>>(), oracles);
        // The reference has the same refusal, because two concurrent runs want the same node port.
        outcome.journal[0].event = request(0, "create:services/taken#1", 422, &[]).event;
        let found = judged("field:webs.e.com/w/spec.port=0@change", &outcome);
        assert!(found.iter().all(|found| found.oracle != Oracle::Refused), "{found:?}");
    }
}

fn missing(object: &str, path: &str) -> Difference {
    Difference {
        object: object.to_owned(),
        name: None,
        path: path.to_owned(),
        expected: Some("1".to_owned()),
        found: None,
    }
}

#[test]
fn an_object_is_replaced_once_for_each_change_of_a_field() {
    let deletes = |step, number: usize| {
        let mut entry = request(1, &format!("delete:jobs.batch/x#{number}"), 200, &[]);
        entry.step = step;
        entry
    };
    let (there, back) = (|number| deletes(Step::Change, number), |number| deletes(Step::Back, number));
    let field = "field:webs.e.com/w/spec.image=\"b\"@change";
    for (plan, journal, expected) in [
        (field, vec![there(1), back(1)], None),
        (field, vec![there(1), there(2), back(1)], Some("the operator deletes jobs.batch/x (3 times)")),
        ("down@change", vec![there(1)], Some("the operator deletes jobs.batch/x")),
    ] {
        let rest = Rest { step: if plan == field { Step::Back } else { Step::Change }, ..rest(Vec::new(), false) };
        let found = judged(plan, &outcome(journal, vec![rest]));
        assert_eq!(found.first().map(|found| found.text.as_str()), expected, "{plan}");
    }
}

#[test]
fn labels_that_stay_away_are_a_warning_of_their_own() {
    let (plan, object) = ("strip-labels:secrets/key@create", "secrets/key");
    let text = "the labels of secrets/key are not restored: does anything select the object by these labels?";
    let label = || missing(object, ".metadata.labels.app");
    for (differences, heals, severity, expected, key) in [
        (vec![label()], Recovery::Never, Severity::Warning, text, "labels of secrets/key"),
        (
            vec![label()],
            Recovery::Restart,
            Severity::Error,
            "secrets/key .metadata.labels.app is missing: 1",
            "labels of secrets/key",
        ),
        (
            vec![label(), missing("services/x", "")],
            Recovery::Never,
            Severity::Error,
            "services/x is missing",
            "services/x",
        ),
    ] {
        let found = judged(plan, &outcome(Vec::new(), vec![Rest { heals, ..rest(differences, false) }]));
        assert_eq!(texts(&found), [(Oracle::State, severity, expected)]);
        assert_eq!(found[0].key, key);
    }
}

#[test]
fn an_unseen_deletion_that_the_next_event_heals_is_no_finding() {
    for (heals, number) in [(Recovery::NextEvent, 0), (Recovery::Restart, 1), (Recovery::Never, 1)] {
        let rest = Rest { heals, ..rest(vec![missing("services/web", "")], false) };
        let found = judged("delete-unseen:services/web@create", &outcome(Vec::new(), vec![rest]));
        assert_eq!(found.len(), number, "{heals:?}");
    }
}

#[test]
fn a_default_that_a_value_leaves_behind_is_no_error() {
    let field = "field:webs.e.com/w/spec.image=\"b\"@change";
    let (policy, image) = (".spec.template.spec.containers[name=a].imagePullPolicy", ".spec.image");
    for (paths, severity) in [(&[policy][..], Severity::Warning), (&[policy, image], Severity::Error)] {
        let differences = paths.iter().map(|path| missing("deployments.apps/web", path)).collect();
        let found = judged(field, &outcome(Vec::new(), vec![rest(differences, false)]));
        assert_eq!((found[0].severity, found[0].text.contains("set it explicitly")), (severity, paths.len() == 1));
    }
}

#[test]
fn the_most_telling_suspicion_comes_first() {
    let deletes = |request: &str| vec![self::request(1, request, 200, &[])];
    let left = |object: &str, found: &str| Difference {
        object: object.to_owned(),
        name: None,
        path: String::new(),
        expected: None,
        found: Some(found.to_owned()),
    };
    let ending = |object| left(object, "is being deleted");
    for (step, journal, differences, oracle, text) in [
        (
            Step::Create,
            deletes("delete:services/web#1"),
            vec![missing("services/web", "")],
            Oracle::Deletion,
            "the operator deletes services/web",
        ),
        (
            Step::Create,
            deletes("delete:secrets/*#1"),
            vec![missing("secrets/*#2", "")],
            Oracle::Deletion,
            "the operator deletes secrets/*",
        ),
        (
            Step::Create,
            deletes("delete:services/old#1"),
            vec![missing("services/web", "")],
            Oracle::State,
            "services/web is missing",
        ),
        (
            Step::Delete,
            Vec::new(),
            vec![left("configmaps/record", "exists"), ending("webs.e.com/w")],
            Oracle::Leak,
            "the deletion of webs.e.com/w does not end",
        ),
        (
            Step::Delete,
            Vec::new(),
            vec![ending("configmaps/record"), ending("webs.e.com/w")],
            Oracle::Leak,
            "the deletion of webs.e.com/w does not end",
        ),
        (
            Step::Delete,
            Vec::new(),
            vec![left("configmaps/record", "exists")],
            Oracle::Leak,
            "after the deletion, configmaps/record exists, and should not",
        ),
    ] {
        let expected = differences.clone();
        let found = judged("down@create", &outcome(journal, vec![Rest { step, ..rest(differences, false) }]));
        assert_eq!(texts(&found)[0], (oracle, Severity::Error, text));
        assert_eq!(found[0].differences, expected, "the first one has what came of it");
    }
}

#[test]
fn wrong_reactions_to_an_unready_workload_are_errors() {
    let again = |count: u64, request_of: &str, status| -> Vec<Entry> {
        (0..count).map(|number| request(2, &format!("{request_of}#{}", number + 1), status, &[])).collect()
    };
    let held = |claims: &[(&str, &str)], journal: &[Entry]| UnwellObservations {
        claims: claims.iter().map(|(sample, child)| ((*sample).to_owned(), (*child).to_owned())).collect(),
        during: 0..journal.len(),
        lasted: Duration::from_secs(8),
    };
    let plan = "unready:jobs.batch=failed@create";
    for (claims, journal, expected) in [
        (&[][..], again(2, "delete:jobs.batch/a", 200), None),
        (
            &[("webs.e.com/w", "jobs.batch/a")],
            vec![],
            Some("webs.e.com/w reports that it is ready, but jobs.batch/a is not"),
        ),
        (
            &[],
            again(7, "patch:webs.e.com/w/status", 200),
            Some("the operator writes webs.e.com/w/status again and again: 7 times in 2 s"),
        ),
        (&[], again(6, "patch:webs.e.com/w/status", 200), None),
        (&[], again(2, "create:jobs.batch/*", 201), None),
        (
            &[],
            again(3, "create:jobs.batch/*", 201),
            Some("the operator makes 3 further jobs.batch within 8 s, without a pause"),
        ),
        (&[], again(3, "delete:jobs.batch/a", 200), Some("the operator deletes jobs.batch/a (3 times)")),
        (&[], again(1, "delete:persistentvolumeclaims/a", 200), Some("the operator deletes persistentvolumeclaims/a")),
    ] {
        let held = Some(held(claims, &journal));
        let rests = vec![rest(Vec::new(), false)];
        let found = judged(plan, &Outcome { held, ..outcome(journal, rests) });
        let errors = found.iter().filter(|found| found.severity == Severity::Error);
        assert_eq!(errors.map(|found| found.text.as_str()).collect::<Vec<_>>(), expected.as_slice(), "{found:?}");
    }
}

#[test]
fn a_difference_in_a_status_field_about_the_past_is_only_a_warning() {
    for (path, severity) in [(".status.failures", Severity::Warning), (".status.phase", Severity::Error)] {
        let difference = Difference {
            object: "webs.e.com/w".to_owned(),
            name: None,
            path: path.to_owned(),
            expected: None,
            found: Some("1".to_owned()),
        };
        let found = judged("unready:pods=crash@create", &outcome(Vec::new(), vec![rest(vec![difference], false)]));
        assert_eq!((found.len(), found[0].severity), (1, severity));
    }
}

#[test]
fn an_operator_that_works_on_others_meanwhile_only_gets_a_warning() {
    for (works_on_another, severity) in [(true, Severity::Warning), (false, Severity::Error)] {
        let works_on_another = Some(works_on_another);
        let waits = Outcome { works_on_another, ..outcome(Vec::new(), vec![rest(Vec::new(), false)]) };
        let found = judged("unanswered:create:services/web#1@create", &waits);
        assert_eq!((found.len(), found[0].oracle, found[0].severity), (1, Oracle::Waits, severity));
        assert!(
            found[0].text.starts_with("the operator waits for `create services/web` without a time limit"),
            "{found:?}"
        );
    }
    assert!(judged("unanswered:create:services/web#1@create", &outcome(Vec::new(), vec![])).is_empty());
}

#[test]
fn a_sample_that_needs_an_order_is_an_error() {
    let order = BTreeMap::from([("webs.e.com/w".to_owned(), "no queue".to_owned())]);
    let found = judge_undisturbed(&Outcome { order, ..Outcome::default() }, &BTreeSet::new());
    let text = "webs.e.com/w never becomes Ready when the samples are created in the reverse order: no queue";
    assert_eq!(texts(&found), [(Oracle::Order, Severity::Error, text)]);
}

#[test]
fn additional_objects_with_random_names_are_counted() {
    let extra = |object: &str, name: Option<&str>| Difference {
        object: object.to_owned(),
        name: name.map(str::to_owned),
        path: String::new(),
        expected: None,
        found: Some("exists".to_owned()),
    };
    let one = extra("configmaps/a-*", Some("a-x"));
    let two = vec![one.clone(), extra("configmaps/a-*#2", Some("a-y"))];
    for (differences, text) in [
        (vec![one], "there is 1 more object than without the fault: configmaps/a-x~"),
        (two, "there are 2 more objects than without the fault: configmaps/a-x~, configmaps/a-y~"),
        (vec![extra("configmaps/a", None)], "configmaps/a exists, and should not"),
    ] {
        let found = judged("down@change", &outcome(Vec::new(), vec![rest(differences, false)]));
        assert_eq!(texts(&found), [(Oracle::State, Severity::Error, text)]);
    }
}
