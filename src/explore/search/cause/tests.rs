use super::*;
use crate::explore::judge::suspicion::suspicion;
use crate::explore::plan::fault_plan::Step;
use crate::explore::record::state::Difference;

fn finding(plan: &Plan, text: &str) -> Finding {
    Finding {
        severity: Severity::Error,
        oracle: Oracle::State,
        message: text.to_owned(),
        code: "never-heals",
        plan: Some(plan.to_string()),
        object: None,
        replay: None,
        remember: None,
        seconds: 0.0,
        heals: None,
        repeats: Repeats::default(),
        differences: Vec::new(),
        timeline: Vec::new(),
        reference_timeline: Vec::new(),
        reference_next: None,
        log: Vec::new(),
        also: Vec::new(),
    }
}

/// Creates a suspicious run whose objects differ from the reference in `places`, which are pairs of an object and a
/// field. The first pair is the most significant difference.
fn suspect(plan: &str, oracle: Oracle, heals: Option<Recovery>, places: &[(&str, &str)]) -> Suspect {
    let plan: Plan = plan.parse().unwrap();
    let difference = |(object, path): &(&str, &str)| Difference {
        object: (*object).to_owned(),
        name: None,
        path: (*path).to_owned(),
        expected: Some("1".to_owned()),
        found: None,
    };
    let differences: Vec<Difference> = places.iter().map(difference).collect();
    let found = suspicion(oracle, Severity::Error, String::new(), differences[0].key(), Step::Create);
    let finding = finding(&plan, &plan.to_string());
    Suspect { plan, suspicions: vec![(Suspicion { heals, differences, ..found }, finding)] }
}

#[test]
fn one_bug_is_one_group_and_two_bugs_of_an_object_are_two() {
    let (never, event) = (Some(Recovery::Never), Some(Recovery::NextEvent));
    let (service, map) = (("services/w", ""), ("configmaps/w", ""));
    let (image, label) = (("deployments.apps/w", ".spec.image"), ("deployments.apps/w", ".metadata.labels.app"));
    let (crash, child) = ("crash:patch:webs.e.com/w/status#1@create", "delete-child:services/w@create");
    let hand_over = "hand-over:patch:webs.e.com/w/status#1@create";
    let field = "field:webs.e.com/w/spec.image=\"b\"@change";
    let state = Oracle::State;
    for (one, other, is_same) in [
        (suspect(crash, state, never, &[map, service]), suspect(child, state, never, &[service]), true),
        (suspect(child, state, never, &[service]), suspect(crash, state, never, &[map, service]), true),
        (suspect(crash, state, never, &[service]), suspect(child, state, event, &[service]), false),
        (suspect("down@change", state, never, &[image]), suspect("down@change", state, never, &[label]), false),
        (suspect("lease@create", state, never, &[map]), suspect(hand_over, state, never, &[service]), true),
        (suspect("lease@create", state, never, &[map]), suspect(hand_over, state, event, &[service]), false),
        (suspect(child, state, never, &[map]), suspect(hand_over, state, never, &[service]), false),
        (suspect("down@change", state, never, &[image]), suspect(field, state, never, &[image]), false),
        (suspect(crash, Oracle::Deletion, None, &[service]), suspect(child, Oracle::Deletion, None, &[service]), true),
        (
            suspect(crash, Oracle::Deletion, None, &[map, service]),
            suspect(child, Oracle::Deletion, None, &[service]),
            false,
        ),
    ] {
        assert_eq!(Group::of(one).explains(&other), is_same, "{}", other.plan);
    }
}

fn of_the_service(plan: &str) -> Suspect {
    suspect(plan, Oracle::State, Some(Recovery::Never), &[("services/w", "")])
}

/// Counts a full set of repeated runs for the plan that `group` is repeating, with and without the fault. `shown` is
/// true if the runs with the fault show the suspicion. Returns the finding if the runs confirm the group.
fn repeat(group: &mut Group, shown: bool) -> Option<Finding> {
    let runs = [false, true].into_iter().cycle().take(2 * REPEATS as usize);
    runs.filter_map(|placebo| group.count(placebo, &[shown && !placebo], 7.0).cloned()).last()
}

#[test]
fn an_unconfirmed_finding_is_repeated_with_another_class_of_fault() {
    let of = of_the_service;
    let mut group = Group::of(of("crash:create:services/w#1@change"));
    group.add(of("crash:create:services/w#1@create"));
    assert_eq!(group.begin_repetition().unwrap().plan.step, Step::Create, "the first step comes first");
    assert!(group.begin_repetition().is_none(), "its runs are being repeated");
    assert_eq!(repeat(&mut group, false), None);
    assert!(group.begin_repetition().is_none(), "all plans are of one class");
    group.add(of("down@create"));
    assert_eq!(group.begin_repetition().unwrap().plan.class, Class::Down);
    let found = repeat(&mut group, true).unwrap();
    assert_eq!((found.repeats.shown, found.repeats.placebo, found.seconds), (3, 0, 7.0));
    let Result::Confirmed(found) = group.result() else { panic!("it is confirmed") };
    assert_eq!(found.plan.as_deref(), Some("down@create"));
    assert_eq!(found.also, ["crash:create:services/w#1@change", "crash:create:services/w#1@create"]);
}

#[test]
fn the_second_fault_of_a_pair_is_of_a_class_too() {
    let pair = |second: &str| format!("crash:create:services/w#1@create then {second}@create");
    let (crash, lost) = (pair("crash:patch:webs.e.com/w#1"), pair("lost:patch:webs.e.com/w#1"));
    let mut group = Group::of(of_the_service(&crash));
    group.add(of_the_service(&pair("crash:patch:webs.e.com/w#2")));
    group.begin_repetition();
    assert_eq!(repeat(&mut group, false), None);
    assert!(group.begin_repetition().is_none(), "both pairs are of the same classes");
    group.add(of_the_service(&lost));
    assert_eq!(group.begin_repetition().unwrap().plan.to_string(), lost);
    assert_eq!(repeat(&mut group, true).and_then(|found| found.plan), Some(lost));
}

#[test]
fn a_run_without_the_fault_that_shows_it_ends_the_repetition() {
    let plan: Plan = "down@create".parse().unwrap();
    let mut group = Group::of(suspect("down@create", Oracle::State, None, &[("services/w", "")]));
    group.begin_repetition();
    assert!(group.count(false, &[true], 1.0).is_none() && group.repeats(&plan));
    assert!(group.count(true, &[true], 2.0).is_none() && !group.repeats(&plan));
    let Result::Flaky(found) = group.result() else { panic!("it comes without the fault, too") };
    let Repeats { shown, of, placebo, placebos } = found.repeats;
    assert_eq!([shown, of, placebo, placebos], [1, 1, 1, 1]);
}

#[test]
fn a_finding_with_too_few_repeats_is_kept_as_not_repeated() {
    let mut group = Group::of(suspect("down@create", Oracle::State, None, &[("services/w", "")]));
    group.begin_repetition();
    group.count(false, &[true], 1.0);
    let Result::NotRepeated(found) = group.result() else { panic!("three runs are missing") };
    assert_eq!((found.plan.as_deref(), found.repeats.of), (Some("down@create"), 0));
}
