//! Registers the simulated node, keeps it ready, and renews its lease.

use super::identity::{NODE, NODE_ADDRESS};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;
use k8s_openapi::jiff::Timestamp;
use kube::api::{Api, ApiResource, DynamicObject, Patch, PatchParams, PostParams};
use kube::core::GroupVersionKind;
use kube::{Client, Result};
use serde_json::{Value, json};
use std::time::Duration;

/// The interval at which the node's lease is renewed, as in a kubelet. The lease expires after four intervals.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// Registers the node and marks it as ready, as a kubelet of the Kubernetes version `version` would.
pub(super) async fn register(client: &Client, version: &str) -> Result<()> {
    let nodes = api(client, "", "Node", None);
    let labels = json!({
        "kubernetes.io/hostname": NODE,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": architecture(),
        "node.kubernetes.io/instance-type": "simulated",
    });
    let node = json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": NODE, "labels": labels}});
    create(&nodes, &node).await?;
    let status = Patch::Merge(json!({"status": status(version)}));
    nodes.patch_status(NODE, &PatchParams::default(), &status).await?;
    // Every new node has the taint `not-ready`, and the controller that would remove it does not run here.
    let ready = Patch::Merge(json!({"spec": {"taints": null}}));
    nodes.patch(NODE, &PatchParams::default(), &ready).await.map(drop)
}

/// Renews the node's lease at each interval of [`HEARTBEAT`], and registers the node again if the node was deleted.
/// Passes each error to `failed` and continues. Never returns.
pub(super) async fn beat(client: Client, version: String, failed: impl Fn(&kube::Error)) {
    loop {
        if let Err(error) = renew(&client, &version).await {
            failed(&error);
        }
        tokio::time::sleep(HEARTBEAT).await;
    }
}

async fn renew(client: &Client, version: &str) -> Result<()> {
    let nodes = api(client, "", "Node", None);
    if nodes.get_metadata_opt(NODE).await?.is_none() {
        register(client, version).await?;
    }
    let leases = api(client, "coordination.k8s.io", "Lease", Some("kube-node-lease"));
    let spec = json!({
        "holderIdentity": NODE,
        "leaseDurationSeconds": HEARTBEAT.as_secs() * 4,
        "renewTime": MicroTime(Timestamp::now()),
    });
    let lease = json!({
        "apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": NODE}, "spec": spec,
    });
    match leases.patch(NODE, &PatchParams::default(), &Patch::Merge(json!({"spec": spec}))).await {
        Err(kube::Error::Api(status)) if status.is_not_found() => create(&leases, &lease).await,
        outcome => outcome.map(drop),
    }
}

fn status(version: &str) -> Value {
    let now = Timestamp::from_second(Timestamp::now().as_second()).unwrap_or_default().to_string();
    let condition = |type_: &str, status: &str, reason: &str| {
        json!({
            "type": type_, "status": status, "reason": reason, "message": "simulated by opctl",
            "lastHeartbeatTime": now, "lastTransitionTime": now,
        })
    };
    // More than any pod requests: pods that do not fit would never run.
    let room = json!({"cpu": "10k", "memory": "100Ti", "ephemeral-storage": "100Ti", "pods": "100k"});
    json!({
        "capacity": room,
        "allocatable": room,
        "conditions": [
            condition("MemoryPressure", "False", "KubeletHasSufficientMemory"),
            condition("DiskPressure", "False", "KubeletHasNoDiskPressure"),
            condition("PIDPressure", "False", "KubeletHasSufficientPID"),
            condition("Ready", "True", "KubeletReady"),
        ],
        "addresses": [
            {"type": "Hostname", "address": NODE},
            {"type": "InternalIP", "address": NODE_ADDRESS},
        ],
        "nodeInfo": {
            "architecture": architecture(), "operatingSystem": "linux", "osImage": "simulated by opctl",
            "kubeletVersion": version, "containerRuntimeVersion": "simulated://", "kernelVersion": "",
            "kubeProxyVersion": "", "bootID": "", "machineID": "", "systemUUID": "",
        },
    })
}

fn architecture() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    }
}

fn api(client: &Client, group: &str, kind: &str, namespace: Option<&str>) -> Api<DynamicObject> {
    let resource = ApiResource::from_gvk(&GroupVersionKind::gvk(group, "v1", kind));
    match namespace {
        Some(namespace) => Api::namespaced_with(client.clone(), namespace, &resource),
        None => Api::all_with(client.clone(), &resource),
    }
}

async fn create(api: &Api<DynamicObject>, object: &Value) -> Result<()> {
    let object = serde_json::from_value(object.clone()).map_err(kube::Error::SerdeError)?;
    match api.create(&PostParams::default(), &object).await {
        Err(kube::Error::Api(status)) if status.is_already_exists() => Ok(()),
        outcome => outcome.map(drop),
    }
}
