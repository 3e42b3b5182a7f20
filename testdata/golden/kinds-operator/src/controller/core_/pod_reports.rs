//! Reconciles `Pod` objects.
//!
//! Their status belongs to the controller that implements the kind: this controller does not write
//! it.
use k8s_openapi::api::core::v1::Pod;
use kube::ResourceExt;
use runtime::{Action, Context, Controller};
use std::sync::Arc;

/// The name of this controller in metrics, in events, and in the field manager of what it applies.
const NAME: &str = "pod-reports";

/// Makes the controller: add `.owns::<Kind>()` for each kind that `reconcile` applies.
pub fn controller() -> Controller<Pod> {
    Controller::namespaced(NAME, reconcile)
}

// What `reconcile` may do; `opctl manifests` turns this into config/rbac/role.yaml.
// +opctl:rbac:groups="",resources=pods,verbs=list;watch

/// Brings the cluster closer to the state that `obj` asks for.
///
/// Runs after every change and every failure, always from the top: it must be idempotent.
///
/// Every `Pod` that the operator watches is passed here: return early for those that you do not mean.
pub async fn reconcile(obj: Arc<Pod>, _ctx: Arc<Context>) -> anyhow::Result<Action> {
    // Your logic goes here. `ctx.client` reads whatever the markers above allow.
    tracing::debug!(name = obj.name_any(), "nothing to do yet");
    Ok(Action::done())
}
