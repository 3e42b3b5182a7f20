//! Pods with only the fields that the simulated node reads and writes, because it keeps thousands of pods in memory.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use kube::api::ApiResource;
use kube::core::{GroupVersionKind, Object};
use serde::{Deserialize, Serialize};

/// A pod with the fields that the simulated node uses.
pub(super) type Pod = Object<PodSpec, PodStatus>;

/// Returns the API resource of pods.
pub(super) fn resource() -> ApiResource {
    ApiResource::from_gvk(&GroupVersionKind::gvk("", "v1", "Pod"))
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct PodSpec {
    pub(super) node_name: Option<String>,
    pub(super) scheduler_name: Option<String>,
    pub(super) restart_policy: RestartPolicy,
    pub(super) host_network: bool,
    pub(super) containers: Vec<Container>,
    pub(super) init_containers: Vec<Container>,
    pub(super) volumes: Vec<Volume>,
    pub(super) readiness_gates: Vec<ReadinessGate>,
    pub(super) scheduling_gates: Vec<SchedulingGate>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub(super) enum RestartPolicy {
    #[default]
    Always,
    OnFailure,
    Never,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Container {
    pub(super) name: String,
    pub(super) image: String,
    /// The restart policy of this container, which only sidecars set: `Always` for an init container that is a sidecar;
    /// `None` for a container that follows the policy of its pod.
    pub(super) restart_policy: Option<RestartPolicy>,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Volume {
    pub(super) name: String,
    pub(super) persistent_volume_claim: Option<ClaimSource>,
    pub(super) ephemeral: Option<serde_json::Value>,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ClaimSource {
    pub(super) claim_name: String,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ReadinessGate {
    pub(super) condition_type: String,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub(super) struct SchedulingGate {
    pub(super) name: String,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct PodStatus {
    pub(super) phase: Phase,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    #[serde(rename = "hostIP", skip_serializing_if = "Option::is_none")]
    pub(super) host_ip: Option<String>,
    #[serde(rename = "hostIPs", skip_serializing_if = "Vec::is_empty")]
    pub(super) host_ips: Vec<Address>,
    #[serde(rename = "podIP", skip_serializing_if = "Option::is_none")]
    pub(super) pod_ip: Option<String>,
    #[serde(rename = "podIPs", skip_serializing_if = "Vec::is_empty")]
    pub(super) pod_ips: Vec<Address>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) start_time: Option<Time>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) conditions: Vec<Condition>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) init_container_statuses: Vec<ContainerStatus>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) container_statuses: Vec<ContainerStatus>,
}

/// A pod's phase (<https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-phase>).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub(super) enum Phase {
    #[default]
    Pending,
    Running,
    Succeeded,
    Failed,
    Unknown,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub(super) struct Address {
    pub(super) ip: String,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Condition {
    #[serde(rename = "type")]
    pub(super) type_: String,
    pub(super) status: String,
    pub(super) last_transition_time: Option<Time>,
    // Written even if it is `None`: a strategic merge patch would keep the old value.
    #[serde(default)]
    pub(super) reason: Option<String>,
    #[serde(default)]
    pub(super) message: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ContainerStatus {
    pub(super) name: String,
    pub(super) image: String,
    #[serde(rename = "imageID")]
    pub(super) image_id: String,
    #[serde(rename = "containerID", skip_serializing_if = "Option::is_none")]
    pub(super) container_id: Option<String>,
    pub(super) ready: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) started: Option<bool>,
    pub(super) restart_count: i32,
    pub(super) state: ContainerState,
    pub(super) last_state: ContainerState,
}

/// The state of a container; at most one field is set.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct ContainerState {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) waiting: Option<Waiting>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) running: Option<Running>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) terminated: Option<Terminated>,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct Waiting {
    pub(super) reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Running {
    pub(super) started_at: Time,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Terminated {
    pub(super) exit_code: i32,
    pub(super) reason: String,
    pub(super) started_at: Time,
    pub(super) finished_at: Time,
    #[serde(rename = "containerID", default, skip_serializing_if = "Option::is_none")]
    pub(super) container_id: Option<String>,
}
