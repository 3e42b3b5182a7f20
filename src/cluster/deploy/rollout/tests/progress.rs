//! Tests for Deployments that make no progress, and for Deployments that wait for their old pods.

use super::{
    NEW, OLD, UNSEEN, deployment, going, judge, observed, pod, progressing, ready, refused, said, seen, set, waiting,
};
use serde_json::{Value, json};

/// Returns a Deployment with the update strategy `strategy` and a `progressDeadlineSeconds` of 6.
fn bounded(status: &Value, strategy: &str) -> Value {
    let mut deployment = deployment(status);
    deployment["spec"]["progressDeadlineSeconds"] = json!(6);
    deployment["spec"]["strategy"] = json!({"type": strategy});
    deployment
}

#[test]
fn progress_is_measured_where_the_controller_says_nothing() {
    let [old, new] = [OLD, NEW].map(|image| set(image, &json!({})));
    let exceeded = |name: &str| {
        progressing("ProgressDeadlineExceeded", &format!("ReplicaSet \"{name}\" has timed out progressing."))
    };
    let available = json!({"type": "Progressing", "status": "True", "reason": "NewReplicaSetAvailable"});
    let with = |condition: &Value| bounded(&seen(&[("conditions", json!([condition]))]), "RollingUpdate");
    let edited = |key: &str, value: Value| {
        let mut deployment = with(&available);
        deployment["spec"][key] = value;
        deployment
    };
    let stalled = "stalled: 0 of 1 pods are ready, after 11s";
    let waiting = "0 of 1 pods are ready";
    let starting = || vec![pod(NEW, &json!({}))];
    for (order, deployment, pods, earlier, expected) in [
        ("a set is used again before the controller has seen another", with(&exceeded(NEW)), starting(), true, stalled),
        ("a set is used again, and the words are the one's before", with(&exceeded(OLD)), starting(), false, stalled),
        ("a set is used again after the old pods had gone", with(&available), starting(), false, stalled),
        ("old pods go", with(&available), vec![pod(NEW, &json!({})), going(pod(OLD, &ready()))], false, waiting),
        (
            "time of before the set was used again is counted",
            with(&exceeded(NEW)),
            starting(),
            false,
            "deadline: ReplicaSet \"web:2\" has timed out progressing., after 5s",
        ),
        ("it is paused", edited("paused", json!(true)), starting(), false, waiting),
        ("it may take any time", edited("progressDeadlineSeconds", Value::Null), starting(), false, waiting),
    ] {
        let earlier = deployment["status"]["conditions"].get(0).filter(|_| earlier);
        assert_eq!(said(&deployment, &[old.clone(), new.clone()], &pods, earlier), expected, "{order}");
    }
}

#[test]
fn a_pod_more_is_progress() {
    let verdict = |counts: &[(&str, Value)]| {
        judge(&observed(&bounded(&seen(counts), "RollingUpdate"), &[set(NEW, &json!({}))], &[]), None)
    };
    let before = verdict(&[]);
    assert_eq!(before, verdict(&[]));
    for key in ["replicas", "readyReplicas", "updatedReplicas"] {
        assert_ne!(before, verdict(&[(key, json!(2))]), "{key}");
    }
}

#[test]
fn the_old_pods_go_first_where_all_are_replaced_at_once() {
    let [old, new] = [OLD, NEW].map(|image| set(image, &json!({})));
    let again = set(NEW, &refused("no room"));
    let status = |condition: Value| json!({"observedGeneration": 3, "conditions": [condition]});
    let (none, behind) = (json!({"observedGeneration": 3}), json!({"observedGeneration": 2, "replicas": 1}));
    let late =
        |name: &str| status(progressing("ProgressDeadlineExceeded", &format!("{name} has timed out progressing.")));
    let created = status(progressing("ReplicaSetCreateError", "no room"));
    let ended = json!({"phase": "Succeeded"});
    let (one, runs) = ("1 old pod still terminating", "stalled: 1 old pod still running, after 11s");
    let is_going = || vec![going(pod(OLD, &ready()))];
    let all = seen(&[("availableReplicas", json!(1))]);
    for (order, status, sets, pods, expected) in [
        ("nobody has looked", &behind, vec![&old], vec![pod(OLD, &ready())], UNSEEN),
        ("the old pod runs", &none, vec![&old], vec![pod(OLD, &ready())], runs),
        ("the old pod is broken", &none, vec![&old], vec![pod(OLD, &waiting("ImagePullBackOff", 0))], runs),
        ("the old pod goes", &none, vec![&old], is_going(), one),
        ("it goes for longer than the deadline", &late("Deployment \"web\""), vec![&old], is_going(), one),
        ("the set before this one was refused", &created, vec![&old], is_going(), one),
        ("the old pod has ended", &none, vec![&old], vec![pod(OLD, &ended)], UNSEEN),
        ("the set is refused", &created, vec![&old], vec![], "refused: no room, after 10s"),
        ("the set is there from before", &none, vec![&old, &new], is_going(), one),
        ("as is its deadline", &late("ReplicaSet \"web:2\""), vec![&old, &new], vec![pod(OLD, &ready())], runs),
        ("as is its refusal", &none, vec![&old, &again], vec![pod(OLD, &ready())], runs),
        ("no pod comes", &none, vec![&old, &new], vec![], "stalled: 0 of 1 pods are created, after 11s"),
        (
            "a pod starts",
            &seen(&[]),
            vec![&new],
            vec![pod(NEW, &json!({}))],
            "stalled: 0 of 1 pods are ready, after 11s",
        ),
        (
            "the new pod is broken",
            &seen(&[]),
            vec![&new],
            vec![pod(NEW, &waiting("ImagePullBackOff", 0))],
            "pod of web:2, after 0s",
        ),
        ("the new pod is ready", &all, vec![&old, &new], vec![pod(NEW, &ready())], "done"),
    ] {
        let sets: Vec<Value> = sets.into_iter().cloned().collect();
        assert_eq!(said(&bounded(status, "Recreate"), &sets, &pods, None), expected, "{order}");
    }
    let mut paused = bounded(&none, "Recreate");
    paused["spec"]["paused"] = json!(true);
    assert_eq!(said(&paused, &[old], &[pod(OLD, &ready())], None), "paused, after 0s");
}
