//! Reconciles `Namespace` objects: each gets a ResourceQuota and a NetworkPolicy.
//!
//! Their status belongs to whoever makes them work: it is not this controller's to write.
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

/// Names this controller in flags, metrics, events, and as the owner of the fields that it applies.
const NAME: &str = "core-namespace";

/// Keeps a deleted object until it is cleaned up. Under a new name, the old one would stay forever.
const FINALIZER: &str = "example.com/webserver-operator";

type Labels = BTreeMap<String, String>;

/// Says what to watch: add `.owns::<Kind>()` for each kind that `reconcile` applies.
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

/// Brings the world closer to what `obj` asks for.
///
/// Runs after every change and every failure, always from the top: whatever it does must be safe
/// to do again.
///
/// Every `Namespace` that the operator watches comes here: return early for those not meant.
pub async fn reconcile(obj: Arc<Namespace>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    ctx.apply(&*obj, resource_quota(&obj)).await?;
    ctx.apply(&*obj, network_policy(&obj)).await?;
    Ok(Action::done())
}

/// Undoes what goes beyond the object's children, which the cluster deletes by itself. Until this
/// succeeds, the deleted object stays; it may also run where nothing was done yet.
async fn cleanup(obj: Arc<Namespace>, _ctx: Arc<Context>) -> anyhow::Result<Action> {
    tracing::info!(name = obj.name_any(), "cleaned up");
    Ok(Action::done())
}

/// Labels on all children, and by which pods are selected. Selectors can never change.
fn labels(obj: &Namespace) -> Labels {
    Labels::from([
        ("app.kubernetes.io/name".into(), NAME.into()),
        ("app.kubernetes.io/instance".into(), obj.name_any()),
    ])
}

/// Apart from what other controllers make for the same object.
fn child_name(obj: &Namespace) -> String {
    format!("{}-{NAME}", obj.name_any())
}

fn metadata(obj: &Namespace) -> ObjectMeta {
    let (name, labels) = (Some(child_name(obj)), Some(labels(obj)));
    ObjectMeta {
        name,
        namespace: Some(obj.name_any()),
        labels,
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
