//! Provisions a volume of the requested size for each persistent volume claim, with or without a storage class, and
//! deletes the volume together with the claim.
//!
//! Volumes are created as by an external provisioner, with a `claimRef`; kube-controller-manager binds them.

use super::log::{Log, drain, log_and_requeue};
use super::time::now;
use super::troubles::{Troubles, namespaces};
use crate::trouble::{CLAIM, Trouble};
use kube::api::{Api, ApiResource, DeleteParams, DynamicObject, ListParams, Patch, PatchParams, PostParams};
use kube::core::{GroupVersionKind, Object, PartialObjectMeta};
use kube::runtime::controller::{Action, Config, Controller};
use kube::runtime::reflector::ObjectRef;
use kube::runtime::watcher;
use kube::{Client, Error, ResourceExt, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// The name of the provisioner and CSI driver in the simulated volumes.
const DRIVER: &str = "simulated.opctl.dev";
/// The time to wait before provisioning a volume if the user has created a volume that may fit the claim.
const USERS_FIRST: Duration = Duration::from_secs(2);
const CONCURRENCY: u16 = 16;

type Claim = Object<ClaimSpec, StorageStatus>;
type Volume = Object<VolumeSpec, StorageStatus>;

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
struct ClaimSpec {
    access_modes: Vec<String>,
    volume_mode: Option<String>,
    storage_class_name: Option<String>,
    volume_name: Option<String>,
    selector: Option<Value>,
    resources: Resources,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
struct Resources {
    requests: Storage,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
struct Storage {
    storage: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
struct VolumeSpec {
    storage_class_name: Option<String>,
    claim_ref: Option<Value>,
    csi: Option<Source>,
    persistent_volume_reclaim_policy: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
struct Source {
    driver: String,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
struct StorageStatus {
    phase: Option<String>,
    capacity: Storage,
}

struct Context {
    client: Client,
    log: Log,
    troubles: Troubles,
}

impl Context {
    fn volumes(&self) -> Api<Volume> {
        Api::all_with(self.client.clone(), &resource("PersistentVolume"))
    }
}

fn resource(kind: &str) -> ApiResource {
    ApiResource::from_gvk(&GroupVersionKind::gvk("", "v1", kind))
}

/// Provisions volumes for all claims. Never returns.
pub(super) async fn provide(client: Client, log: Log) {
    let kind = resource("PersistentVolumeClaim");
    let all = Api::<Claim>::all_with(client.clone(), &kind);
    let all_namespaces = Api::all_with(client.clone(), &namespaces());
    let context = Arc::new(Context { client, log, troubles: Troubles::default() });
    let controller = Controller::new_with(all, watcher::Config::default(), kind.clone());
    let (store, known) = (controller.store(), Arc::clone(&context));
    let troubled = move |namespace: PartialObjectMeta<DynamicObject>| {
        let changed = known.troubles.note(&namespace);
        let claims = store.state().into_iter().filter(|claim| changed && claim.namespace() == namespace.metadata.name);
        claims.map(|claim| ObjectRef::from_obj_with(&*claim, kind.clone())).collect::<Vec<_>>()
    };
    let passes = controller
        .watches_with(all_namespaces, namespaces(), watcher::Config::default(), troubled)
        .with_config(Config::default().concurrency(CONCURRENCY))
        .run(provide_one, |claim, error, context| log_and_requeue(&context.log, &*claim, error), Arc::clone(&context));
    drain(passes, &context.log).await;
}

/// Deletes the provisioned volumes whose claims are deleted. Never returns.
pub(super) async fn reclaim(client: Client, log: Log) {
    let kind = resource("PersistentVolume");
    let all = Api::<Volume>::all_with(client.clone(), &kind);
    let context = Arc::new(Context { client, log, troubles: Troubles::default() });
    let passes = Controller::new_with(all, watcher::Config::default(), kind)
        .with_config(Config::default().concurrency(CONCURRENCY))
        .run(
            reclaim_one,
            |volume, error, context| log_and_requeue(&context.log, &*volume, error),
            Arc::clone(&context),
        );
    drain(passes, &context.log).await;
}

async fn provide_one(claim: Arc<Claim>, context: Arc<Context>) -> Result<Action> {
    let status = claim.status.clone().unwrap_or_default();
    let name = volume_name(&claim);
    if status.phase.as_deref() == Some("Bound") {
        let own = claim.spec.volume_name.as_deref() == Some(&name);
        if own && status.capacity != claim.spec.resources.requests {
            grow(&claim, &name, &context).await?;
        }
        return Ok(Action::await_change());
    }
    // A claim that names a volume or selects among volumes cannot get a new one.
    let asks = claim.spec.volume_name.as_deref().is_some_and(|name| !name.is_empty()) || claim.spec.selector.is_some();
    if asks || claim.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    if context.troubles.of(&claim.namespace().unwrap_or_default(), CLAIM) == Some(Trouble::Pending) {
        return Ok(Action::await_change());
    }
    let created = claim.metadata.creation_timestamp.as_ref();
    let age = created.and_then(|time| Duration::try_from(now().0.duration_since(time.0)).ok()).unwrap_or_default();
    if age < USERS_FIRST && has_free(&claim, &context).await? {
        return Ok(Action::requeue(USERS_FIRST));
    }
    let volumes: Api<DynamicObject> = Api::all_with(context.client.clone(), &resource("PersistentVolume"));
    match volumes.create(&PostParams::default(), &volume(&claim, &name)?).await {
        Err(Error::Api(status)) if status.is_already_exists() => {}
        outcome => drop(outcome?),
    }
    Ok(Action::await_change())
}

/// Returns true if at least one existing volume has the claim's storage class and is not reserved for a claim
/// (`claimRef`).
async fn has_free(claim: &Claim, context: &Context) -> Result<bool> {
    let volumes = context.volumes().list(&ListParams::default()).await?;
    let class = |name: &Option<String>| name.clone().unwrap_or_default();
    let free = |volume: &Volume| {
        volume.spec.claim_ref.is_none()
            && class(&volume.spec.storage_class_name) == class(&claim.spec.storage_class_name)
    };
    Ok(volumes.items.iter().any(free))
}

fn volume_name(claim: &Claim) -> String {
    format!("pvc-{}", claim.uid().unwrap_or_default())
}

fn volume(claim: &Claim, name: &str) -> Result<DynamicObject> {
    let spec = &claim.spec;
    let volume = json!({
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": name, "annotations": {"pv.kubernetes.io/provisioned-by": DRIVER}},
        "spec": {
            "capacity": spec.resources.requests,
            "accessModes": spec.access_modes,
            "volumeMode": spec.volume_mode,
            "storageClassName": spec.storage_class_name,
            "persistentVolumeReclaimPolicy": "Delete",
            "claimRef": {
                "apiVersion": "v1", "kind": "PersistentVolumeClaim", "name": claim.name_any(),
                "namespace": claim.namespace(), "uid": claim.uid(), "resourceVersion": claim.resource_version(),
            },
            "csi": {"driver": DRIVER, "volumeHandle": name},
        },
    });
    serde_json::from_value(volume).map_err(Error::SerdeError)
}

/// Resizes a claim and its volume to the size that the claim requests. The API server has already checked that the
/// storage class allows the new size.
async fn grow(claim: &Claim, name: &str, context: &Context) -> Result<()> {
    let size = &claim.spec.resources.requests;
    let patch = Patch::Merge(json!({"spec": {"capacity": size}}));
    context.volumes().patch(name, &PatchParams::default(), &patch).await?;
    let namespace = claim.namespace().unwrap_or_default();
    let claims: Api<Claim> =
        Api::namespaced_with(context.client.clone(), &namespace, &resource("PersistentVolumeClaim"));
    let patch = Patch::Merge(json!({"status": {"capacity": size}}));
    claims.patch_status(&claim.name_any(), &PatchParams::default(), &patch).await.map(drop)
}

async fn reclaim_one(volume: Arc<Volume>, context: Arc<Context>) -> Result<Action> {
    let own = volume.spec.csi.as_ref().is_some_and(|source| source.driver == DRIVER);
    let released = volume.status.as_ref().and_then(|status| status.phase.as_deref()) == Some("Released");
    let kept = volume.spec.persistent_volume_reclaim_policy.as_deref() != Some("Delete");
    if own && released && !kept && volume.metadata.deletion_timestamp.is_none() {
        match context.volumes().delete(&volume.name_any(), &DeleteParams::default()).await {
            Err(Error::Api(status)) if status.is_not_found() => {}
            outcome => drop(outcome?),
        }
    }
    Ok(Action::await_change())
}
