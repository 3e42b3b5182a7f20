//! Tests of the text of a status, and of its problems.

use super::count_objects::{Objects, Unready};
use super::definitions::Installed;
use super::events::Warning;
use super::found::{KindStatus, OperatorStatus};
use super::operator::{End, Leader, Operator, Replica};
use super::problems::problems;
use super::render_status::text;
use super::status_part::Part;
use crate::cluster::Manager;
use k8s_openapi::jiff::Timestamp;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn unknown<T>() -> Part<T> {
    Part::Unknown { error: "you may not\nlist it".to_owned() }
}

fn well() -> OperatorStatus {
    let pod = Replica {
        name: "web-1".to_owned(),
        ready: true,
        state: "Running".to_owned(),
        held_up: None,
        restarts: 1,
        started: Some(at("2026-01-01T00:00:00Z")),
        last_end: Some(End {
            reason: "OOMKilled".to_owned(),
            exit_code: 137,
            message: None,
            at: Some(at("2026-01-01T11:00:00Z")),
        }),
    };
    let operator = Operator {
        image: "web:1".to_owned(),
        wanted: 1,
        ready: 1,
        observed: true,
        elects: true,
        pods: Part::Known(vec![pod]),
    };
    let leader = Leader { holder: "web-1".to_owned(), renewed: Some(at("2026-01-01T11:59:57Z")), expired: false };
    let installed = Installed {
        established: true,
        served: vec!["v1".to_owned(), "v1alpha1".to_owned()],
        storage: "v1".to_owned(),
        stored: vec!["v1".to_owned()],
        drifted: false,
        has_conditions: true,
    };
    let objects = Objects { total: Some(2), looked_at: 2, ready: 2, ..Objects::default() };
    let kind = KindStatus {
        name: "webs.example.com".to_owned(),
        kind: "Web".to_owned(),
        definition: Part::Known(Some(installed)),
        objects: Part::Known(Some(objects)),
    };
    OperatorStatus {
        context: "here".to_owned(),
        server: "https://here".to_owned(),
        server_version: None,
        manager: Manager { namespace: "web-system".to_owned(), name: "web-manager".to_owned() },
        operator: Part::Known(Some(operator)),
        leader: Part::Known(Some(leader)),
        kinds: Part::Known(vec![kind]),
        warnings: Part::Known(Vec::new()),
        problems: Vec::new(),
    }
}

fn shown(found: &OperatorStatus) -> String {
    text(found, at("2026-01-01T12:00:00Z"))
}

#[test]
fn an_operator_that_is_well_takes_a_few_lines() {
    let expected = "\
Deployment:   web-system/web-manager
Image:        web:1
Replicas:     1 of 1 ready
Leader:       web-1, renewed 3s ago

POD     READY   STATUS    RESTARTS   LAST END                 AGE
web-1   yes     Running   1          OOMKilled (137) 60m ago   12h

DEFINITION         INSTALLED   SERVED         STORAGE   CONFIG/CRD
webs.example.com   yes         v1, v1alpha1   v1        the same

KIND   OBJECTS   READY   NOT READY   UNKNOWN   STALE   NO REPORT   DELETING
Web    2         2       0           0         0       0           0";
    let expected = expected.replace("LAST END                 AGE", "LAST END                  AGE");
    assert_eq!(shown(&well()), expected);
    assert_eq!(problems(&well()), [""; 0]);
}

#[test]
fn status_gives_reasons_of_unready_objects_and_names_unreadable_parts() {
    let mut found = well();
    let first = Unready {
        namespace: Some("shop".to_owned()),
        name: "a".to_owned(),
        ready: "False",
        reason: "Waiting".to_owned(),
        message: "for\nthe disk".to_owned(),
    };
    let objects = Objects { looked_at: 3, not_ready: 1, stale: 2, first: vec![first], ..Objects::default() };
    let warning = Warning {
        kind: "Web".to_owned(),
        namespace: Some("shop".to_owned()),
        name: "a".to_owned(),
        reason: "Failed".to_owned(),
        message: "no disk".to_owned(),
        count: 7,
        last: Some(at("2026-01-01T11:58:00Z")),
    };
    let Part::Known(kinds) = &mut found.kinds else { panic!("they are known") };
    kinds[0].objects = Part::Known(Some(objects));
    found.warnings = Part::Known(vec![warning]);
    let text = shown(&found);
    for part in [
        "Web    over 3    0 ",
        "Web         shop        a      False   Waiting   for the disk",
        "Failed    Web shop/a   2m",
    ] {
        assert!(text.contains(part), "{part}:\n{text}");
    }
    assert_eq!(problems(&found), ["of 3 objects of Web, 1 not ready, 2 stale"]);
    let Part::Known(kinds) = &mut found.kinds else { panic!("they are known") };
    (kinds[0].definition, kinds[0].objects) = (unknown(), unknown());
    (found.operator, found.leader, found.warnings) = (unknown(), unknown(), unknown());
    let text = shown(&found);
    assert_eq!(text.matches("cannot be read: you may not list it").count(), 5, "{text}");
    assert_eq!(problems(&found).len(), 4, "events are no part of it");
}

#[test]
fn an_operator_that_does_not_run_is_a_problem() {
    let mut found = well();
    let Part::Known(Some(operator)) = &mut found.operator else { panic!("it is known") };
    operator.ready = 0;
    let Part::Known(pods) = &mut operator.pods else { panic!("they are known") };
    pods[0].ready = false;
    pods[0].state = "CrashLoopBackOff".to_owned();
    let Part::Known(Some(leader)) = &mut found.leader else { panic!("it is known") };
    leader.expired = true;
    let expected = [
        "0 of 1 replicas are ready",
        "pod `web-1` is not ready: CrashLoopBackOff",
        "no replica leads: the lease has expired",
    ];
    assert_eq!(problems(&found), expected);
    found.leader = Part::Known(None);
    assert_eq!(problems(&found).last().unwrap(), "no replica has led yet: there is no lease");
    let Part::Known(Some(operator)) = &mut found.operator else { panic!("it is known") };
    operator.elects = false;
    assert_eq!(problems(&found).len(), 2);
    (found.operator, found.kinds) = (Part::Known(None), Part::Known(Vec::new()));
    assert_eq!(problems(&found), ["the Deployment `web-manager` is not in namespace `web-system`"]);
    let text = shown(&found);
    assert!(text.contains("not deployed") && text.contains("defines no kind"), "{text}");
}
