//! Tests for the verdict on a rollout (done, in progress or stuck): each test checks the verdict on a state of the
//! cluster that is easy to misinterpret.

mod kubelet;
mod progress;

use super::observed::Observed;
use super::verdict::{Cause, Verdict, judge};
use kube::api::DynamicObject;
use serde_json::{Value, json};

const OLD: &str = "web:1";
const NEW: &str = "web:2";

fn template(image: &str) -> Value {
    json!({"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "manager", "image": image}]}})
}

/// Returns a Deployment of generation 3 that specifies one pod with the image [`NEW`].
fn deployment(status: &Value) -> Value {
    let spec = json!({"replicas": 1, "template": template(NEW)});
    json!({"metadata": {"name": "web", "uid": "d", "generation": 3}, "spec": spec, "status": status})
}

fn owner(uid: &str) -> Value {
    json!([{"apiVersion": "apps/v1", "kind": "K", "name": "o", "uid": uid, "controller": true}])
}

/// Returns a `ReplicaSet` for pods with the image `image`; its name and its uid are also `image`.
fn set(image: &str, status: &Value) -> Value {
    let mut template = template(image);
    template["metadata"]["labels"]["pod-template-hash"] = json!(image);
    json!({
        "metadata": {"name": image, "uid": image, "ownerReferences": owner("d"), "creationTimestamp": "2026-01-01T00:00:00Z"},
        "spec": {"template": template}, "status": status,
    })
}

fn pod(image: &str, status: &Value) -> Value {
    json!({"metadata": {"name": format!("pod of {image}"), "ownerReferences": owner(image)}, "status": status})
}

fn going(mut pod: Value) -> Value {
    pod["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
    pod
}

fn ready() -> Value {
    json!({"conditions": [{"type": "Ready", "status": "True"}]})
}

fn waiting(reason: &str, restarts: u32) -> Value {
    let state = json!({"waiting": {"reason": reason}});
    json!({"containerStatuses": [{"name": "manager", "ready": false, "restartCount": restarts, "state": state}]})
}

fn progressing(reason: &str, message: &str) -> Value {
    json!({"type": "Progressing", "status": "False", "reason": reason, "message": message})
}

fn seen(extra: &[(&str, Value)]) -> Value {
    let mut status = json!({"observedGeneration": 3, "replicas": 1, "updatedReplicas": 1});
    for (key, value) in extra {
        status[*key] = value.clone();
    }
    status
}

/// Returns a status that the controller wrote for generation 2.
fn outdated() -> Value {
    json!({"observedGeneration": 2, "replicas": 1, "updatedReplicas": 1, "availableReplicas": 1})
}

fn refused(reason: &str) -> Value {
    json!({"conditions": [{"type": "ReplicaFailure", "status": "True", "reason": "FailedCreate", "message": reason}]})
}

fn observed(deployment: &Value, sets: &[Value], pods: &[Value]) -> Observed {
    let read = |value: &Value| serde_json::from_value::<DynamicObject>(value.clone()).unwrap();
    Observed {
        deployment: read(deployment),
        sets: sets.iter().map(read).collect(),
        pods: pods.iter().map(read).collect(),
    }
}

/// Returns the verdict on the rollout of `deployment` as text: `done`, the progress message, or the cause of a stuck
/// rollout with the time after which the rollout fails.
fn said(deployment: &Value, sets: &[Value], pods: &[Value], earlier: Option<&Value>) -> String {
    match judge(&observed(deployment, sets, pods), earlier) {
        Verdict::Done => "done".to_owned(),
        Verdict::Waiting(message) => message,
        Verdict::Stuck(cause, patience) => {
            let cause = match cause {
                Cause::Deleted => "deleted".to_owned(),
                Cause::Paused => "paused".to_owned(),
                Cause::DeadlineExceeded(message) => format!("deadline: {message}"),
                Cause::Stalled(stall) => format!("stalled: {}", stall.message),
                Cause::Refused(message) => format!("refused: {message}"),
                Cause::Pod(trouble) => trouble.pod,
            };
            format!("{cause}, after {}s", patience.as_secs())
        }
    }
}

/// Checks the verdict on the rollout of a Deployment that has one `ReplicaSet` for each image in `images`. `order`
/// describes the test case in the message of a failure.
#[track_caller]
fn assert_said(order: &str, deployment: &Value, images: &[&str], pods: &[Value], expected: &str) {
    let sets: Vec<Value> = images.iter().map(|image| set(image, &json!({}))).collect();
    assert_eq!(said(deployment, &sets, pods, None), expected, "{order}");
}

const UNSEEN: &str = "for the Deployment controller";

#[test]
fn only_what_is_of_this_generation_and_template_counts() {
    let broken = waiting("ImagePullBackOff", 0);
    let (unseen, behind, rolling) = (deployment(&json!({})), deployment(&outdated()), deployment(&seen(&[])));
    for (order, deployment, images, pods, expected) in [
        ("nobody has looked yet", &unseen, &[][..], vec![], UNSEEN),
        ("the status is behind, and the old pods are well", &behind, &[OLD], vec![pod(OLD, &ready())], UNSEEN),
        ("the status is behind, and an old pod is broken", &behind, &[OLD], vec![pod(OLD, &broken)], UNSEEN),
        ("the status is behind, and the ReplicaSet is an old one", &behind, &[NEW], vec![pod(NEW, &broken)], UNSEEN),
        (
            "an old pod is broken, a new one starts",
            &rolling,
            &[OLD, NEW],
            vec![pod(OLD, &broken), pod(NEW, &json!({}))],
            "0 of 1 pods are ready",
        ),
        (
            "the old set is the newer one",
            &rolling,
            &[NEW, OLD],
            vec![pod(OLD, &broken), pod(NEW, &json!({}))],
            "0 of 1 pods are ready",
        ),
        (
            "a broken pod of this template goes",
            &rolling,
            &[NEW],
            vec![going(pod(NEW, &broken))],
            "0 of 1 pods are ready",
        ),
    ] {
        assert_said(order, deployment, images, &pods, expected);
    }
}

#[test]
fn a_new_pod_that_keeps_failing_is_named() {
    let rolling = deployment(&seen(&[]));
    let pods = [pod(OLD, &ready()), pod(NEW, &waiting("ImagePullBackOff", 0))];
    assert_said("a new pod is broken", &rolling, &[OLD, NEW], &pods, "pod of web:2, after 0s");
    for (order, status, expected) in [
        ("a new pod has crashed twice", waiting("CrashLoopBackOff", 1), "0 of 1 pods are ready"),
        ("a new pod has crashed three times", waiting("CrashLoopBackOff", 2), "pod of web:2, after 0s"),
        ("its image could not be had once", waiting("ErrImagePull", 0), "0 of 1 pods are ready"),
        ("a Secret is not there yet", waiting("CreateContainerConfigError", 0), "pod of web:2, after 15s"),
    ] {
        assert_said(order, &rolling, &[NEW], &[pod(NEW, &status)], expected);
    }
}

#[test]
fn a_rollout_is_done_when_the_new_pods_are_ready_and_the_old_ones_gone() {
    let counting = |pods: u32| deployment(&seen(&[("replicas", json!(pods)), ("availableReplicas", json!(pods))]));
    let uncreated = deployment(&json!({"observedGeneration": 3, "replicas": 1}));
    let mut unwanted = deployment(&seen(&[]));
    unwanted["spec"]["replicas"] = json!(0);
    let (old_pod, new_pod) = (pod(OLD, &ready()), pod(NEW, &ready()));
    for (order, deployment, images, pods, expected) in [
        ("no pod is made yet", uncreated, &[OLD, NEW][..], vec![old_pod], "0 of 1 pods are created"),
        ("an old pod is left", counting(2), &[NEW], vec![new_pod.clone()], "1 old pod still terminating"),
        ("old pods are left", counting(3), &[NEW], vec![new_pod.clone()], "2 old pods still terminating"),
        ("everything is there", counting(1), &[OLD, NEW], vec![new_pod.clone()], "done"),
        (
            "a ReplicaSet used again counts a pod that goes",
            counting(1),
            &[NEW],
            vec![going(new_pod)],
            "0 of 1 pods are ready",
        ),
        ("no pods are wanted", unwanted, &[NEW], vec![], "1 old pod still terminating"),
    ] {
        assert_said(order, &deployment, images, &pods, expected);
    }
}

#[test]
fn a_deadline_is_of_the_template_and_generation_that_missed_it() {
    let late = |name: &str| {
        progressing("ProgressDeadlineExceeded", &format!("ReplicaSet \"{name}\" has timed out progressing."))
    };
    let with = |mut status: Value, condition: Value| {
        status["conditions"] = json!([condition]);
        deployment(&status)
    };
    let all = seen(&[("availableReplicas", json!(1))]);
    for (order, deployment, images, pods, expected) in [
        (
            "its deadline has passed",
            with(seen(&[]), late(NEW)),
            &[NEW][..],
            vec![pod(NEW, &json!({}))],
            "deadline: ReplicaSet \"web:2\" has timed out progressing., after 5s",
        ),
        (
            "the deadline of another template has passed",
            with(seen(&[]), late(OLD)),
            &[OLD, NEW],
            vec![pod(NEW, &json!({}))],
            "0 of 1 pods are ready",
        ),
        ("the deadline of another generation has passed", with(outdated(), late(NEW)), &[NEW], vec![], UNSEEN),
        ("all is well after a deadline", with(all, late(NEW)), &[NEW], vec![pod(NEW, &ready())], "done"),
    ] {
        assert_said(order, &deployment, images, &pods, expected);
    }
}

#[test]
fn a_deployment_that_is_being_deleted_ends_the_wait() {
    let mut deployment = deployment(&seen(&[]));
    deployment["metadata"] = json!({"name": "web", "deletionTimestamp": "2026-01-01T00:00:00Z"});
    assert_said("it is being deleted", &deployment, &[NEW], &[], "deleted, after 0s");
}

#[test]
fn a_refusal_is_of_the_replica_set_that_is_refused() {
    let status = json!({"observedGeneration": 3});
    let (old, new) = (set(OLD, &refused("old")), set(NEW, &refused("new")));
    let fine = set(NEW, &json!({}));
    let created = progressing("ReplicaSetCreateError", "no room");
    let mut not_created = deployment(&json!({"observedGeneration": 2}));
    not_created["status"]["conditions"] = json!([created]);
    let mut paused = deployment(&status);
    paused["spec"]["paused"] = json!(true);
    let known = Some(&created);
    for (order, deployment, sets, pods, earlier, expected) in [
        ("an old set's", deployment(&status), vec![&old, &fine], vec![], None, "0 of 1 pods are created"),
        ("the new set's", deployment(&status), vec![&old, &new], vec![], None, "refused: new, after 10s"),
        (
            "a pod that goes makes room",
            deployment(&status),
            vec![&old, &new],
            vec![going(pod(OLD, &ready()))],
            None,
            "0 of 1 pods are created",
        ),
        (
            "it came in the end",
            deployment(&status),
            vec![&new],
            vec![pod(NEW, &json!({}))],
            None,
            "0 of 1 pods are created",
        ),
        ("of the set itself", not_created.clone(), vec![&old], vec![], None, "refused: no room, after 10s"),
        ("of the set before", not_created.clone(), vec![&old], vec![], known, "refused: no room, after 30s"),
        ("the set is there now", not_created, vec![&fine], vec![], None, UNSEEN),
        ("paused before there was a set", paused.clone(), vec![&old], vec![], None, "paused, after 0s"),
        ("paused while pods start", paused, vec![&fine], vec![], None, "0 of 1 pods are created"),
    ] {
        let sets: Vec<Value> = sets.into_iter().cloned().collect();
        assert_eq!(said(&deployment, &sets, &pods, earlier), expected, "{order}");
    }
}

#[test]
fn a_condition_from_before_the_new_spec_does_not_fail_the_rollout() {
    let exceeded = progressing("ProgressDeadlineExceeded", "Deployment \"web\" has timed out progressing.");
    let deployment = deployment(&seen(&[("conditions", json!([exceeded]))]));
    let sets = [set(NEW, &json!({}))];
    let deadline = "deadline: Deployment \"web\" has timed out progressing., after 5s";
    assert_eq!(said(&deployment, &sets, &[], None), deadline);
    assert_eq!(said(&deployment, &sets, &[], Some(&exceeded)), "0 of 1 pods are ready");
}
