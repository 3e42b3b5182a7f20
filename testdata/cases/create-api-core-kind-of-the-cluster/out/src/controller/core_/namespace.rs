//! Reconciles `Namespace` objects: each gets a ResourceQuota and a NetworkPolicy.
//!
//! Their status belongs to the controller that implements the kind: this controller does not write
//! it.
use k8s_openapi::api::core::v1::{Namespace, ResourceQuota, ResourceQuotaSpec};
use k8s_openapi::api::networking::v1::{
    NetworkPolicy, NetworkPolicyIngressRule, NetworkPolicyPeer, NetworkPolicySpec,
};
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;
use kube::ResourceExt;
use kube::api::ObjectMeta;
use runtime::{Action, Context, Controller};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The name of this controller in metrics, in events, and in the field manager of what it applies.
const NAME: &str = "core-namespace";

/// The finalizer that keeps a deleted object until it is cleaned up. Do not change it later: the
/// old finalizer would stay forever.
const FINALIZER: &str = "example.com/webserver-operator";

type Labels = BTreeMap<String, String>;

/// Makes the controller: add `.owns::<Kind>()` for each kind that `reconcile` applies.
pub fn controller() -> Controller<Namespace> {
    Controller::cluster_scoped(NAME, reconcile)
        .owns::<ResourceQuota>()
        .owns::<NetworkPolicy>()
        .finalizer(FINALIZER, cleanup)
}

// What `reconcile` may do; `opctl manifests` turns this into config/rbac/role.yaml.
// +opctl:rbac:groups="",resources=namespaces,verbs=list;patch;watch
// +opctl:rbac:groups="",resources=namespaces/finalizers,verbs=update
// +opctl:rbac:groups="",resources=resourcequotas,verbs=create;list;patch;watch
// +opctl:rbac:groups=networking.k8s.io,resources=networkpolicies,verbs=create;list;patch;watch

/// Brings the cluster closer to the state that `obj` asks for.
///
/// Runs after every change and every failure, always from the top: it must be idempotent.
///
/// Every `Namespace` that the operator watches is passed here: return early for those that you do not mean.
pub async fn reconcile(obj: Arc<Namespace>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    ctx.apply(&*obj, resource_quota(&obj)).await?;
    ctx.apply(&*obj, network_policy(&obj)).await?;
    Ok(Action::done())
}

/// Cleans up everything but the object's children, which the garbage collector deletes. The deleted
/// object stays until this succeeds. It may also run for an object that was never reconciled.
async fn cleanup(obj: Arc<Namespace>, _ctx: Arc<Context>) -> anyhow::Result<Action> {
    tracing::info!(name = obj.name_any(), "cleaned up");
    Ok(Action::done())
}

/// Returns the labels of all children, by which pods are also selected. Selectors are immutable.
fn labels(obj: &Namespace) -> Labels {
    Labels::from([
        ("app.kubernetes.io/name".into(), NAME.into()),
        ("app.kubernetes.io/instance".into(), obj.name_any()),
    ])
}

/// Returns a name that differs from the children of other controllers of the same object.
fn child_name(obj: &Namespace) -> String {
    format!("{}-{NAME}", obj.name_any())
}

fn metadata(obj: &Namespace) -> ObjectMeta {
    ObjectMeta {
        name: Some(child_name(obj)),
        namespace: Some(obj.name_any()),
        labels: Some(labels(obj)),
        ..Default::default()
    }
}

fn resource_quota(obj: &Namespace) -> ResourceQuota {
    ResourceQuota {
        metadata: metadata(obj),
        spec: Some(ResourceQuotaSpec {
            hard: Some(BTreeMap::from([("pods".into(), Quantity("100".into()))])),
            ..Default::default()
        }),
        ..Default::default()
    }
}

fn network_policy(obj: &Namespace) -> NetworkPolicy {
    // Every pod of the same namespace may connect, and no other.
    let neighbours = NetworkPolicyPeer {
        pod_selector: Some(LabelSelector::default()),
        ..Default::default()
    };
    NetworkPolicy {
        metadata: metadata(obj),
        spec: Some(NetworkPolicySpec {
            pod_selector: Some(LabelSelector {
                match_labels: Some(labels(obj)),
                ..Default::default()
            }),
            policy_types: Some(vec!["Ingress".into()]),
            ingress: Some(vec![NetworkPolicyIngressRule {
                from: Some(vec![neighbours]),
                ..Default::default()
            }]),
            ..Default::default()
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn children_are_named_after_owner_and_controller() {
        let mut object = json!({});
        object["metadata"]["name"] = "sample".into();
        let obj = serde_json::from_value(object).unwrap();
        assert_eq!(resource_quota(&obj).name_any(), child_name(&obj));
        assert_eq!(network_policy(&obj).name_any(), child_name(&obj));
    }
}
