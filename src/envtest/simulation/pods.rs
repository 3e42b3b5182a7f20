//! Reconciles pods: binds them to the simulated node, writes their status, and completes their deletion.

use super::identity::NODE;
use super::life::{Step, next, unschedulable};
use super::log::{Log, drain, log_and_requeue};
use super::pod::{Pod, PodStatus, resource};
use super::time::now;
use super::troubles::{Troubles, namespaces};
use kube::api::{Api, ApiResource, DeleteParams, DynamicObject, Patch, PatchParams, Preconditions};
use kube::core::GroupVersionKind;
use kube::runtime::controller::{Action, Config, Controller};
use kube::runtime::reflector::ObjectRef;
use kube::runtime::watcher;
use kube::{Client, Error, ResourceExt, Result};
use serde_json::{Value, json};
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The number of concurrent reconciles. A higher number is not faster with one API server.
const CONCURRENCY: u16 = 32;

struct Context {
    client: Client,
    log: Log,
    addresses: AtomicU32,
    troubles: Troubles,
}

/// Reconciles all pods. Never returns.
pub(super) async fn reconcile_pods(client: Client, log: Log) {
    let (pods, claims) = (resource(), ApiResource::from_gvk(&GroupVersionKind::gvk("", "v1", "PersistentVolumeClaim")));
    let controller =
        Controller::<Pod>::new_with(Api::all_with(client.clone(), &pods), watcher::Config::default(), pods.clone());
    let (store, in_namespace) = (controller.store(), controller.store());
    let users = move |claim: kube::core::PartialObjectMeta<DynamicObject>| {
        let (namespace, name) = (claim.namespace(), claim.name_any());
        let waits = |pod: &Arc<Pod>| {
            pod.spec.node_name.is_none() && pod.namespace() == namespace && super::life::claims(pod).contains(&name)
        };
        let used = store.state().into_iter().filter(waits);
        used.map(|pod| ObjectRef::from_obj_with(&*pod, resource())).collect::<Vec<_>>()
    };
    let all_claims = Api::all_with(client.clone(), &claims);
    let all_namespaces = Api::all_with(client.clone(), &namespaces());
    let context = Arc::new(Context { client, log, addresses: AtomicU32::new(1), troubles: Troubles::default() });
    let known = Arc::clone(&context);
    let troubled = move |namespace: kube::core::PartialObjectMeta<DynamicObject>| {
        let changed = known.troubles.note(&namespace);
        let of_it = |pod: &Arc<Pod>| changed && pod.namespace() == namespace.metadata.name;
        let pods = in_namespace.state().into_iter().filter(of_it);
        pods.map(|pod| ObjectRef::from_obj_with(&*pod, resource())).collect::<Vec<_>>()
    };
    let passes = controller
        .watches_with(all_claims, claims, watcher::Config::default(), users)
        .watches_with(all_namespaces, namespaces(), watcher::Config::default(), troubled)
        .with_config(Config::default().concurrency(CONCURRENCY))
        .run(pass, |pod, error, context| log_and_requeue(&context.log, &*pod, error), Arc::clone(&context));
    drain(passes, &context.log).await;
}

async fn pass(pod: Arc<Pod>, context: Arc<Context>) -> Result<Action> {
    let trouble = context.troubles.of(&pod.namespace().unwrap_or_default(), controller_kind(&pod));
    let address = || address(context.addresses.fetch_add(1, Ordering::Relaxed));
    let (step, pause) = next(&pod, &now(), trouble, address);
    let api: Api<Pod> = Api::namespaced_with(context.client.clone(), &pod.namespace().unwrap_or_default(), &resource());
    let outcome = match step {
        Step::Nothing => Ok(()),
        Step::Schedule { claims } => match unschedulable_reason(&context.client, &pod, &claims).await? {
            None => bind(&context.client, &pod).await,
            Some(reason) => match unschedulable(&pod, &reason, &now()) {
                Some(status) => report(&api, &pod, &status).await,
                None => Ok(()),
            },
        },
        Step::Report(status) => report(&api, &pod, &status).await,
        Step::Remove => remove(&api, &pod).await,
    };
    match outcome {
        // The pod was deleted or changed meanwhile, which causes an event of its own.
        Err(Error::Api(status)) if status.is_not_found() || status.is_conflict() => {}
        outcome => outcome?,
    }
    Ok(pause.map_or_else(Action::await_change, Action::requeue))
}

/// Returns the kind of the controller that owns the pod if the controller is built into Kubernetes; otherwise `Pod`.
fn controller_kind(pod: &Pod) -> &'static str {
    const OWN: [&str; 4] = ["ReplicaSet", "StatefulSet", "DaemonSet", "Job"];
    let mut owners = pod.owner_references().iter().filter(|owner| owner.controller == Some(true));
    owners.find_map(|owner| OWN.into_iter().find(|kind| *kind == owner.kind)).unwrap_or("Pod")
}

/// Returns the reason why a pod cannot be scheduled yet: a claim that does not exist or is not bound; otherwise `None`.
async fn unschedulable_reason(client: &Client, pod: &Pod, claims: &[String]) -> Result<Option<String>> {
    let resource = ApiResource::from_gvk(&GroupVersionKind::gvk("", "v1", "PersistentVolumeClaim"));
    let api: Api<DynamicObject> = Api::namespaced_with(client.clone(), &pod.namespace().unwrap_or_default(), &resource);
    for name in claims {
        match api.get_opt(name).await? {
            None => return Ok(Some(format!("persistentvolumeclaim \"{name}\" not found"))),
            Some(claim) if claim.data.pointer("/status/phase").and_then(Value::as_str) == Some("Bound") => {}
            Some(_) => return Ok(Some("pod has unbound immediate PersistentVolumeClaims".to_owned())),
        }
    }
    Ok(None)
}

async fn bind(client: &Client, pod: &Pod) -> Result<()> {
    let (namespace, name) = (pod.namespace().unwrap_or_default(), pod.name_any());
    let binding = json!({
        "apiVersion": "v1", "kind": "Binding", "metadata": {"name": name, "namespace": namespace, "uid": pod.uid()},
        "target": {"apiVersion": "v1", "kind": "Node", "name": NODE},
    });
    let body = serde_json::to_vec(&binding).map_err(Error::SerdeError)?;
    let request = http::Request::post(format!("/api/v1/namespaces/{namespace}/pods/{name}/binding"))
        .header("Content-Type", "application/json")
        .body(body)
        .map_err(kube::core::request::Error::BuildRequest)
        .map_err(Error::BuildRequest)?;
    client.request::<Value>(request).await.map(drop)
}

async fn report(api: &Api<Pod>, pod: &Pod, status: &PodStatus) -> Result<()> {
    // With the uid, the patch does not change a new pod of the same name.
    let patch = Patch::Strategic(json!({"metadata": {"uid": pod.uid()}, "status": status}));
    api.patch_status(&pod.name_any(), &PatchParams::default(), &patch).await.map(drop)
}

async fn remove(api: &Api<Pod>, pod: &Pod) -> Result<()> {
    let preconditions = Some(Preconditions { uid: pod.uid(), resource_version: None });
    let parameters = DeleteParams { grace_period_seconds: Some(0), preconditions, ..DeleteParams::default() };
    api.delete(&pod.name_any(), &parameters).await.map(drop)
}

/// Returns the pod IP address for the sequence number `number`. The range of pod addresses does not overlap with
/// the range of Services (10.96.0.0/12).
fn address(number: u32) -> String {
    Ipv4Addr::from_bits(u32::from(Ipv4Addr::new(10, 128, 0, 0)) + number % (1 << 23)).to_string()
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn addresses_differ_and_stay_in_their_range() {
        assert_eq!(address(1), "10.128.0.1");
        assert_eq!(address(256), "10.128.1.0");
        assert_eq!(address((1 << 23) - 1), "10.255.255.255");
    }
}
