//! Reconciles `Pod` objects.
//!
//! Their status belongs to whoever makes them work: it is not this controller's to write.
use k8s_openapi::api::core::v1::Pod;
use kube::ResourceExt;
use runtime::{Action, Context, Controller};
use std::sync::Arc;

/// Names this controller in flags, metrics, events, and as the owner of the fields that it applies.
const NAME: &str = "pod-reports";

/// Says what to watch: add `.owns::<Kind>()` for each kind that `reconcile` applies.
pub fn controller() -> Controller<Pod> {
    Controller::namespaced(NAME, reconcile)
}

// What `reconcile` may do; `opctl manifests` turns this into config/rbac/role.yaml.
// +opctl:rbac:groups="",resources=pods,verbs=list;watch

/// Brings the world closer to what `obj` asks for.
///
/// Runs after every change and every failure, always from the top: whatever it does must be safe
/// to do again.
///
/// Every `Pod` that the operator watches comes here: return early for those not meant.
pub async fn reconcile(obj: Arc<Pod>, _ctx: Arc<Context>) -> anyhow::Result<Action> {
    // Yours to write. `ctx.client` reads whatever the markers above allow.
    tracing::debug!(name = obj.name_any(), "nothing to do yet");
    Ok(Action::done())
}
