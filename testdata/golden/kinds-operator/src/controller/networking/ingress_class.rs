//! Reconciles `IngressClass` objects.
//!
//! Their status belongs to whoever makes them work: it is not this controller's to write.
use k8s_openapi::api::networking::v1::IngressClass;
use kube::ResourceExt;
use runtime::{Action, Context, Controller};
use std::sync::Arc;

/// Names this controller in flags, metrics, events, and as the owner of the fields that it applies.
const NAME: &str = "networking-ingressclass";

/// Keeps a deleted object until it is cleaned up. Under a new name, the old one would stay forever.
const FINALIZER: &str = "example.net/kinds-operator";

/// Says what to watch: add `.owns::<Kind>()` for each kind that `reconcile` applies.
pub fn controller() -> Controller<IngressClass> {
    Controller::cluster_scoped(NAME, reconcile).finalizer(FINALIZER, cleanup)
}

// What `reconcile` may do; `opctl manifests` turns this into config/rbac/role.yaml.
// +opctl:rbac:groups=networking.k8s.io,resources=ingressclasses,verbs=list;patch;watch

/// Brings the world closer to what `obj` asks for.
///
/// Runs after every change and every failure, always from the top: whatever it does must be safe
/// to do again.
///
/// Every `IngressClass` that the operator watches comes here: return early for those not meant.
pub async fn reconcile(obj: Arc<IngressClass>, _ctx: Arc<Context>) -> anyhow::Result<Action> {
    // Yours to write. `ctx.client` reads whatever the markers above allow.
    tracing::debug!(name = obj.name_any(), "nothing to do yet");
    Ok(Action::done())
}

/// Undoes what goes beyond the object's children, which the cluster deletes by itself. Until this
/// succeeds, the deleted object stays; it may also run where nothing was done yet.
async fn cleanup(obj: Arc<IngressClass>, _ctx: Arc<Context>) -> anyhow::Result<Action> {
    tracing::info!(name = obj.name_any(), "cleaned up");
    Ok(Action::done())
}
