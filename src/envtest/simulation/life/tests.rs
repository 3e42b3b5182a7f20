use super::super::pod::SchedulingGate;
use super::*;
use k8s_openapi::jiff::Timestamp;
use serde_json::{Value, json};

fn at(seconds: i64) -> Time {
    Time(Timestamp::from_second(1_700_000_000 + seconds).unwrap())
}

fn pod(spec: &Value) -> Pod {
    let metadata = json!({"name": "web", "namespace": "default", "uid": "u"});
    let mut pod: Pod = serde_json::from_value(json!({"metadata": metadata, "spec": spec})).unwrap();
    pod.spec.node_name = Some(NODE.to_owned());
    pod
}

/// Returns a pod with one container.
fn single(image: &str, policy: &str) -> Pod {
    pod(&json!({"restartPolicy": policy, "containers": [{"name": "main", "image": image}]}))
}

/// Computes the next step of the simulated node at the time `seconds`. If the step reports a status, writes the status
/// to the pod, as the API server would. Returns the number of seconds after which the pod must be checked again; `None`
/// if this is not necessary.
fn step(pod: &mut Pod, seconds: i64) -> Option<u64> {
    let (step, again) = next(pod, &at(seconds), None, || "10.128.0.1".to_owned());
    if let Step::Report(status) = step {
        pod.status = Some(serde_json::from_value(serde_json::to_value(*status).unwrap()).unwrap());
    }
    again.map(|again| again.as_secs())
}

fn state(pod: &Pod) -> (Phase, String) {
    let status = pod.status.clone().unwrap();
    let state = &status.container_statuses[0].state;
    let reason = match (&state.waiting, &state.terminated) {
        (Some(waiting), _) => waiting.reason.clone(),
        (None, Some(ended)) => format!("{} {}", ended.reason, ended.exit_code),
        (None, None) => "running".to_owned(),
    };
    (status.phase, reason)
}

fn is_ready(pod: &Pod) -> bool {
    let conditions = pod.status.clone().unwrap().conditions;
    conditions.iter().any(|condition| condition.type_ == "Ready" && condition.status == "True")
}

#[test]
fn a_pod_that_is_to_be_restarted_runs_and_is_left_alone_then() {
    let mut web = single("nginx", "Always");
    assert_eq!(step(&mut web, 0), None);
    assert_eq!(state(&web), (Phase::Running, "running".to_owned()));
    assert!(is_ready(&web));
    assert_eq!(next(&web, &at(100), None, || panic!("it has an address")), (Step::Nothing, None));
}

#[test]
fn a_pod_that_has_something_to_finish_succeeds() {
    for policy in ["Never", "OnFailure"] {
        let mut job = single("busybox", policy);
        assert_eq!(step(&mut job, 0), Some(1));
        assert_eq!(state(&job), (Phase::Running, "running".to_owned()));
        assert_eq!(step(&mut job, 1), None);
        assert_eq!(state(&job), (Phase::Succeeded, "Completed 0".to_owned()));
        assert!(!is_ready(&job));
        assert_eq!(next(&job, &at(9), None, String::new), (Step::Nothing, None));
    }
}

#[test]
fn images_fail_as_they_are_named() {
    for (image, policy, phase, first, later) in [
        ("fail:pull", "Always", Phase::Pending, "ErrImagePull", "ImagePullBackOff"),
        ("fail:whatever@sha256:0", "Never", Phase::Pending, "ErrImagePull", "ImagePullBackOff"),
        ("fail:crash", "Always", Phase::Running, "CrashLoopBackOff", "CrashLoopBackOff"),
        ("fail:crash", "OnFailure", Phase::Running, "CrashLoopBackOff", "CrashLoopBackOff"),
        ("fail:crash", "Never", Phase::Failed, "Error 1", "Error 1"),
        ("fail:unready", "Always", Phase::Running, "running", "running"),
    ] {
        let mut pod = single(image, policy);
        step(&mut pod, 0);
        assert_eq!(state(&pod), (phase, first.to_owned()), "{image} {policy}");
        step(&mut pod, 2);
        assert_eq!(state(&pod), (phase, later.to_owned()), "{image} {policy}");
        assert!(!is_ready(&pod), "{image}");
    }
}

#[test]
fn a_crashed_container_is_restarted_ever_more_slowly() {
    let mut pod = single("fail:crash", "Always");
    let restarts = |pod: &Pod| pod.status.as_ref().unwrap().container_statuses[0].restart_count;
    let mut now = 0;
    for (times, pause) in [(1, 10), (2, 20), (3, 40), (4, 80), (5, 160), (6, 300), (7, 300)] {
        assert_eq!(step(&mut pod, now), Some(pause));
        assert_eq!(restarts(&pod), times);
        // An event during the back-off is not a restart.
        assert_eq!(step(&mut pod, now + 1), Some(pause - 1));
        now += i64::try_from(pause).unwrap();
    }
    assert_eq!(restarts(&pod), 7);
}

#[test]
fn another_image_is_another_run() {
    let mut pod = single("fail:pull", "Always");
    step(&mut pod, 0);
    pod.spec.containers[0].image = "nginx".to_owned();
    step(&mut pod, 5);
    assert_eq!(state(&pod), (Phase::Running, "running".to_owned()));
    assert_eq!(pod.status.as_ref().unwrap().container_statuses[0].restart_count, 1);
}

#[test]
fn containers_that_initialise_come_first() {
    let spec = json!({
        "initContainers": [
            {"name": "beside", "image": "proxy", "restartPolicy": "Always"},
            {"name": "setup", "image": "busybox"},
        ],
        "restartPolicy": "Never",
        "containers": [{"name": "main", "image": "busybox"}],
    });
    let mut job = pod(&spec);
    step(&mut job, 0);
    assert_eq!(state(&job), (Phase::Running, "running".to_owned()));
    step(&mut job, 1);
    assert_eq!(state(&job), (Phase::Succeeded, "Completed 0".to_owned()));
    let init = &job.status.as_ref().unwrap().init_container_statuses;
    assert!(init.iter().all(|status| status.state.terminated.is_some()), "{init:?}");

    let spec = json!({
        "initContainers": [{"name": "setup", "image": "fail:crash"}],
        "containers": [{"name": "main", "image": "nginx"}],
    });
    let mut web = pod(&spec);
    step(&mut web, 0);
    assert_eq!(state(&web), (Phase::Pending, "PodInitializing".to_owned()));
}

#[test]
fn a_readiness_gate_is_somebody_elses() {
    let mut web = pod(&json!({
        "readinessGates": [{"conditionType": "example.com/routed"}],
        "containers": [{"name": "main", "image": "nginx"}],
    }));
    step(&mut web, 0);
    assert!(!is_ready(&web));
    let routed = json!({"type": "example.com/routed", "status": "True", "lastTransitionTime": null});
    web.status.as_mut().unwrap().conditions.push(serde_json::from_value(routed).unwrap());
    step(&mut web, 1);
    assert!(is_ready(&web));
}

#[test]
fn only_what_is_due_is_scheduled() {
    let due = |change: fn(&mut Pod)| {
        let mut pod = single("nginx", "Always");
        pod.spec.node_name = None;
        change(&mut pod);
        next(&pod, &at(0), None, String::new).0
    };
    assert_eq!(due(|_| {}), Step::Schedule { claims: Vec::new() });
    assert_eq!(due(|pod| pod.spec.scheduler_name = Some("mine".to_owned())), Step::Nothing);
    assert_eq!(due(|pod| pod.spec.scheduling_gates.push(SchedulingGate::default())), Step::Nothing);
    assert_eq!(due(|pod| pod.metadata.deletion_timestamp = Some(at(0))), Step::Nothing);
    assert_eq!(due(|pod| pod.spec.node_name = Some("another".to_owned())), Step::Nothing);
    let claims = due(|pod| {
        let volumes =
            json!([{"name": "a", "persistentVolumeClaim": {"claimName": "data"}}, {"name": "b", "ephemeral": {}}]);
        pod.spec.volumes = serde_json::from_value(volumes).unwrap();
    });
    assert_eq!(claims, Step::Schedule { claims: vec!["data".to_owned(), "web-b".to_owned()] });
}

#[test]
fn a_pod_that_waits_for_a_claim_says_so_once() {
    let mut pod = single("nginx", "Always");
    pod.status = unschedulable(&pod, "persistentvolumeclaim \"data\" not found", &at(0));
    let condition = &pod.status.as_ref().unwrap().conditions[0];
    assert_eq!((condition.type_.as_str(), condition.reason.as_deref()), ("PodScheduled", Some("Unschedulable")));
    assert_eq!(unschedulable(&pod, "persistentvolumeclaim \"data\" not found", &at(5)), None);
}

#[test]
fn a_deleted_pod_goes_once_and_who_waits_for_its_end_sees_it() {
    let mut web = single("nginx", "Always");
    step(&mut web, 0);
    web.metadata.deletion_timestamp = Some(at(1));
    web.metadata.deletion_grace_period_seconds = Some(30);
    assert_eq!(next(&web, &at(1), None, String::new).0, Step::Remove);

    web.metadata.finalizers = Some(vec!["batch.kubernetes.io/job-tracking".to_owned()]);
    step(&mut web, 1);
    assert_eq!(state(&web), (Phase::Failed, "Error 137".to_owned()));
    assert_eq!(next(&web, &at(1), None, String::new).0, Step::Remove);
    web.metadata.deletion_grace_period_seconds = Some(0);
    assert_eq!(next(&web, &at(1), None, String::new).0, Step::Nothing, "only the finalizer keeps it");
}

#[test]
fn a_pod_in_trouble_gets_well_when_it_ends() {
    let take = |pod: &mut Pod, seconds, trouble| {
        let (step, _) = next(pod, &at(seconds), trouble, || "10.128.0.1".to_owned());
        if let Step::Report(status) = &step {
            pod.status = Some(serde_json::from_value(serde_json::to_value(status).unwrap()).unwrap());
        }
        let ready = pod.status.iter().flat_map(|status| &status.conditions).find(|found| found.type_ == "Ready");
        (ready.is_some_and(|ready| ready.status == "True"), step)
    };
    for trouble in [Trouble::Crash, Trouble::Unready, Trouble::NodeGone] {
        let mut web = single("nginx", "Always");
        assert!(take(&mut web, 0, None).0);
        assert!(!take(&mut web, 1, Some(trouble)).0, "{trouble}");
        assert_eq!(take(&mut web, 1, Some(trouble)).1, Step::Nothing, "{trouble}");
        assert!(take(&mut web, 3, None).0, "{trouble}");
    }
    let mut web = single("nginx", "Always");
    web.metadata.deletion_timestamp = Some(at(0));
    assert_eq!(take(&mut web, 1, Some(Trouble::NodeGone)).1, Step::Nothing);
    assert_eq!(take(&mut web, 1, None).1, Step::Remove);
    let mut new = single("nginx", "Always");
    new.spec.node_name = None;
    assert!(matches!(take(&mut new, 0, Some(Trouble::NodeGone)).1, Step::Report(_)), "it cannot be scheduled");
    assert_eq!(take(&mut new, 1, Some(Trouble::NodeGone)).1, Step::Nothing);
    assert_eq!(take(&mut new, 1, None).1, Step::Schedule { claims: Vec::new() });

    let mut job = single("busybox", "Never");
    take(&mut job, 0, Some(Trouble::Slow));
    take(&mut job, 60, Some(Trouble::Slow));
    assert_eq!(state(&job).0, Phase::Running);
    take(&mut job, 61, None);
    assert_eq!(state(&job).0, Phase::Succeeded);
}
