//! Reads the operator's Deployment, its pods, and the leader among them.

use super::status_part::Part;
use crate::Result;
use crate::cluster::operator::{pod_events, replicas};
use crate::cluster::{Attempt, Connection, Manager, request_error};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::{Container, ContainerStateTerminated, ContainerStatus, Node, Pod, PodStatus};
use k8s_openapi::jiff::Timestamp;
use kube::Api;
use serde::Serialize;

/// The operator's Deployment and pods.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Operator {
    pub(super) image: String,
    pub(super) wanted: i32,
    pub(super) ready: i32,
    /// False while the Deployment controller has not seen the newest generation of the Deployment.
    pub(super) observed: bool,
    /// True if the operator's replicas elect a leader.
    #[serde(skip)]
    pub(super) elects: bool,
    pub(super) pods: Part<Vec<Replica>>,
}

/// A pod of the operator.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Replica {
    pub(super) name: String,
    pub(super) ready: bool,
    /// The phase of the pod, or the reason why a container waits.
    pub(super) state: String,
    /// The reason why the pod does not run: the scheduler's message, the reason why its node runs no pods, or the
    /// newest event if that is a warning about the start of the pod.
    pub(super) held_up: Option<String>,
    pub(super) restarts: i32,
    pub(super) started: Option<Timestamp>,
    /// The most recent termination of a container in the pod; `None` if no container has terminated.
    pub(super) last_end: Option<End>,
}

/// The termination of a container.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct End {
    pub(super) reason: String,
    pub(super) exit_code: i32,
    /// The termination message, which the container runtime or the container itself wrote.
    pub(super) message: Option<String>,
    pub(super) at: Option<Timestamp>,
}

/// The holder of the operator's lease.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Leader {
    /// The name of the holder; empty if the last holder has released the lease.
    pub(super) holder: String,
    pub(super) renewed: Option<Timestamp>,
    /// True once the lease's duration has passed since its last renewal.
    pub(super) expired: bool,
}

/// Reads the state of the operator and its pods; returns `None` if the operator is not deployed.
pub(super) async fn operator(
    connection: &Connection,
    manager: &Manager,
    deployment: Result<Option<Deployment>>,
) -> Result<Option<Operator>> {
    let Some(deployment) = deployment? else { return Ok(None) };
    let pods = replicas::pods(connection, manager, &deployment).await;
    let container = replicas::container(&deployment);
    let image = container.and_then(|container| container.image.clone());
    let elects = container.is_some_and(has_leader_election);
    let status = deployment.status.unwrap_or_default();
    Ok(Some(Operator {
        image: image.unwrap_or_default(),
        wanted: deployment.spec.replicas.unwrap_or(1),
        ready: status.ready_replicas.unwrap_or_default(),
        observed: status.observed_generation >= deployment.metadata.generation,
        elects,
        pods: match pods {
            Ok(pods) => Ok(Box::pin(replicas_of(pods, connection)).await).into(),
            Err(error) => Err(error).into(),
        },
    }))
}

async fn replicas_of(pods: Vec<Pod>, connection: &Connection) -> Vec<Replica> {
    let mut replicas = Vec::new();
    for pod in pods {
        let node = pod.spec.as_ref().and_then(|spec| spec.node_name.clone());
        let namespace = pod.metadata.namespace.clone().unwrap_or_default();
        let mut replica = replica(pod);
        if let (false, Some(node)) = (replica.ready, node) {
            let api: Api<Node> = Api::all(connection.client.clone());
            // Whoever may not read nodes sees the rest.
            let found = api.get_opt(&node).await.ok();
            replica.held_up = found.and_then(|found| node_not_ready_reason(&node, found.as_ref()));
            if replica.held_up.is_none() && pod_events::is_before_start(&replica.state) {
                replica.held_up = pod_events::start_warning(connection, &namespace, &replica.name).await;
            }
        }
        replicas.push(replica);
    }
    replicas
}

/// Returns the reason why the node `name` runs no pods; `None` if the node is ready or does not report if it is ready.
/// `node` is `None` if the node no longer exists.
fn node_not_ready_reason(name: &str, node: Option<&Node>) -> Option<String> {
    let Some(node) = node else { return Some(format!("its node `{name}` no longer exists")) };
    let conditions = node.status.as_ref().and_then(|status| status.conditions.as_ref()).into_iter().flatten();
    let ready = conditions.into_iter().find(|condition| condition.type_ == "Ready")?;
    let message = ready.message.as_deref().map(|message| format!(": {message}")).unwrap_or_default();
    (ready.status != "True").then(|| format!("its node `{name}` is not ready{message}"))
}

/// Returns the scheduler's reason why no node can run a pod; `None` if the scheduler reports no failure.
fn scheduling_failure(status: &PodStatus) -> Option<String> {
    let mut conditions = status.conditions.iter().flatten();
    let condition = conditions.find(|one| one.type_ == "PodScheduled" && one.status == "False")?;
    Some(format!("no node can run the pod: {}", condition.message.as_deref().unwrap_or_default()))
}

/// Returns true if `--leader-elect` or `LEADER_ELECT` makes the operator in this container elect a leader.
fn has_leader_election(container: &Container) -> bool {
    let mut arguments = container.args.iter().chain(&container.command).flatten();
    let mut variables = container.env.iter().flatten();
    arguments.any(|argument| argument == "--leader-elect")
        || variables.any(|variable| variable.name == "LEADER_ELECT" && variable.value.as_deref() == Some("true"))
}

fn replica(pod: Pod) -> Replica {
    let status = pod.status.unwrap_or_default();
    let held_up = scheduling_failure(&status);
    let containers = status.container_statuses.unwrap_or_default();
    let is_ready = status.conditions.iter().flatten().any(|one| one.type_ == "Ready" && one.status == "True");
    let waiting = |one: &ContainerStatus| one.state.as_ref()?.waiting.as_ref()?.reason.clone();
    let state = if pod.metadata.deletion_timestamp.is_some() {
        "Terminating".to_owned()
    } else {
        let waiting = containers.iter().find_map(waiting).or(status.reason);
        waiting.or(status.phase).unwrap_or_else(|| "Unknown".to_owned())
    };
    Replica {
        name: pod.metadata.name.unwrap_or_default(),
        ready: is_ready,
        state,
        held_up,
        restarts: containers.iter().map(|container| container.restart_count).sum(),
        started: pod.metadata.creation_timestamp.map(|time| time.0),
        last_end: containers.iter().filter_map(last_termination).max_by_key(|end| end.at),
    }
}

/// Returns the reason and the time of the container's last termination: from `state` if the container is terminated
/// now, otherwise from `lastState`. Returns `None` if it has never terminated.
fn last_termination(container: &ContainerStatus) -> Option<End> {
    let now = container.state.as_ref().and_then(|state| state.terminated.as_ref());
    let before = || container.last_state.as_ref().and_then(|state| state.terminated.as_ref());
    let ContainerStateTerminated { reason, exit_code, finished_at, message, .. } = now.or_else(before)?;
    Some(End {
        reason: reason.clone().unwrap_or_default(),
        exit_code: *exit_code,
        message: message.clone(),
        at: finished_at.as_ref().map(|time| time.0),
    })
}

/// Reads the lease `name`; returns `None` if the lease does not exist, because no replica has ever held it.
pub(super) async fn leader(
    connection: &Connection,
    namespace: &str,
    name: &str,
    now: Timestamp,
) -> Result<Option<Leader>> {
    let api: Api<Lease> = Api::namespaced(connection.client.clone(), namespace);
    let attempt = Attempt { verb: "get", resource: "leases", name, namespace: Some(namespace) };
    let lease = api.get_opt(name).await.map_err(|error| request_error(&error, connection, attempt))?;
    Ok(lease.map(|lease| leader_of_lease(&lease, now)))
}

fn leader_of_lease(lease: &Lease, now: Timestamp) -> Leader {
    let spec = lease.spec.clone().unwrap_or_default();
    let renewed = spec.renew_time.map(|time| time.0);
    let lasts = i64::from(spec.lease_duration_seconds.unwrap_or_default());
    Leader {
        holder: spec.holder_identity.unwrap_or_default(),
        renewed,
        expired: renewed.is_none_or(|renewed| now.as_second() - renewed.as_second() > lasts),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_lease_expires_when_its_time_is_over() {
        let lease = json!({"spec": {"holderIdentity": "a", "leaseDurationSeconds": 15, "renewTime": "2026-01-01T00:00:00.000000Z"}});
        let lease: Lease = serde_json::from_value(lease).unwrap();
        let held_at = |now: &str| leader_of_lease(&lease, at(now)).expired;
        assert!(!held_at("2026-01-01T00:00:15Z"));
        assert!(held_at("2026-01-01T00:00:16Z"));
        assert!(leader_of_lease(&Lease::default(), at("2026-01-01T00:00:00Z")).expired);
    }

    #[test]
    fn a_pod_says_what_it_waits_for_and_how_it_ended_last() {
        let pod = json!({"metadata": {"name": "a"}, "status": {"phase": "Running", "containerStatuses": [{
            "name": "manager", "image": "", "imageID": "", "ready": false, "restartCount": 3,
            "state": {"waiting": {"reason": "CrashLoopBackOff"}},
            "lastState": {"terminated": {"exitCode": 137, "reason": "OOMKilled", "message": "out of memory", "finishedAt": "2026-01-01T00:00:00Z"}},
        }]}});
        let replica = replica(serde_json::from_value(pod).unwrap());
        assert_eq!((replica.state.as_str(), replica.restarts, replica.ready), ("CrashLoopBackOff", 3, false));
        let end = replica.last_end.unwrap();
        assert_eq!((end.reason.as_str(), end.exit_code), ("OOMKilled", 137));
        assert_eq!(super::replica(Pod::default()).state, "Unknown");
        assert_eq!((end.message.as_deref(), replica.held_up), (Some("out of memory"), None));
    }

    #[test]
    fn a_pod_says_what_holds_it_up() {
        let condition = json!({"type": "PodScheduled", "status": "False", "message": "0/1 nodes are available"});
        let pod = json!({"metadata": {"name": "a"}, "status": {"phase": "Pending", "conditions": [condition]}});
        let pending = replica(serde_json::from_value(pod).unwrap());
        assert_eq!(pending.held_up.as_deref(), Some("no node can run the pod: 0/1 nodes are available"));
        let node = |ready: &str| {
            let condition =
                json!({"type": "Ready", "status": ready, "message": "Kubelet stopped posting node status."});
            serde_json::from_value::<Node>(json!({"metadata": {}, "status": {"conditions": [condition]}})).unwrap()
        };
        let expected = "its node `n` is not ready: Kubelet stopped posting node status.";
        assert_eq!(node_not_ready_reason("n", Some(&node("Unknown"))).as_deref(), Some(expected));
        assert_eq!(node_not_ready_reason("n", Some(&node("True"))), None);
        assert_eq!(node_not_ready_reason("n", None).as_deref(), Some("its node `n` no longer exists"));
    }
}
