//! Reconciles `IngressClass` objects.
//!
//! Their status belongs to the controller that implements the kind: this controller does not write
//! it.
use k8s_openapi::api::networking::v1::IngressClass;
use kube::ResourceExt;
use runtime::{Action, Context, Controller};
use std::sync::Arc;

/// The name of this controller in metrics, in events, and in the field manager of what it applies.
const NAME: &str = "networking-ingressclass";

/// The finalizer that keeps a deleted object until it is cleaned up. Do not change it later: the
/// old finalizer would stay forever.
const FINALIZER: &str = "example.net/kinds-operator";

/// Makes the controller: add `.owns::<Kind>()` for each kind that `reconcile` applies.
pub fn controller() -> Controller<IngressClass> {
    Controller::cluster_scoped(NAME, reconcile).finalizer(FINALIZER, cleanup)
}

// What `reconcile` may do; `opctl manifests` turns this into config/rbac/role.yaml.
// +opctl:rbac:groups=networking.k8s.io,resources=ingressclasses,verbs=list;patch;watch

/// Brings the cluster closer to the state that `obj` asks for.
///
/// Runs after every change and every failure, always from the top: it must be idempotent.
///
/// Every `IngressClass` that the operator watches is passed here: return early for those that you do not mean.
pub async fn reconcile(obj: Arc<IngressClass>, _ctx: Arc<Context>) -> anyhow::Result<Action> {
    // Your logic goes here. `ctx.client` reads whatever the markers above allow.
    tracing::debug!(name = obj.name_any(), "nothing to do yet");
    Ok(Action::done())
}

/// Cleans up everything but the object's children, which the garbage collector deletes. The deleted
/// object stays until this succeeds. It may also run for an object that was never reconciled.
async fn cleanup(obj: Arc<IngressClass>, _ctx: Arc<Context>) -> anyhow::Result<Action> {
    tracing::info!(name = obj.name_any(), "cleaned up");
    Ok(Action::done())
}
