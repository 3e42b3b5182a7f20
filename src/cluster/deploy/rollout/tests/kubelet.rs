//! Tests for the reasons in the status of a pod, as the kubelet and the scheduler write them.

use super::super::pod::{hopeless, scheduling_failure, trouble};
use super::{NEW, pod};
use kube::api::DynamicObject;
use serde_json::{Value, json};

fn read(status: &Value) -> DynamicObject {
    serde_json::from_value(pod(NEW, status)).unwrap()
}

fn container(restarts: u32, state: &Value, last: &Value) -> Value {
    let status = json!({
        "name": "manager", "ready": false, "restartCount": restarts, "state": state, "lastState": {"terminated": last},
    });
    json!({"containerStatuses": [status]})
}

#[test]
fn the_message_of_the_runtime_is_passed_on() {
    let message = "failed to create containerd task: exec: \"/manager\": stat /manager: no such file or directory\n";
    let ended = json!({"exitCode": 128, "reason": "StartError", "message": message});
    let reason =
        trouble(&read(&container(2, &json!({"waiting": {"reason": "CrashLoopBackOff"}}), &ended))).unwrap().reason;
    let expected = format!("container `manager` exited with code 128 (StartError), 2 restarts: {}", message.trim_end());
    assert_eq!(reason, expected);
    let long = json!({"exitCode": 1, "reason": "Error", "message": "a".repeat(9000)});
    let reason = trouble(&read(&container(2, &json!({"waiting": {}}), &long))).unwrap().reason;
    assert!(reason.len() < 400, "{}", reason.len());
}

#[test]
fn a_container_that_is_started_again_and_again_by_its_probes_is_given_up() {
    let (running, ended) = (json!({"running": {}}), json!({"exitCode": 0, "reason": "Completed"}));
    for (restarts, seconds) in [(0, None), (1, None), (2, Some(15)), (4, Some(15))] {
        let found = hopeless(&read(&container(restarts, &running, &ended)));
        assert_eq!(found.map(|(_, patience)| patience.as_secs()), seconds, "{restarts}");
    }
}

#[test]
fn the_scheduler_says_why_no_node_takes_a_pod() {
    let condition = |status: &str| {
        let message = "0/1 nodes are available: 1 Insufficient memory.";
        json!({"conditions": [{"type": "PodScheduled", "status": status, "message": message}]})
    };
    let expected = "no node can run the pod: 0/1 nodes are available: 1 Insufficient memory.";
    assert_eq!(scheduling_failure(&read(&condition("False"))).as_deref(), Some(expected));
    assert_eq!(scheduling_failure(&read(&condition("True"))), None);
}
