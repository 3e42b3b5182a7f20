//! Reconciles `Parcel` objects: each gets a ConfigMap.
//!
//! Another controller writes their whole status: this controller has to report elsewhere.
use api::v1alpha1::Parcel;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::ResourceExt;
use kube::api::ObjectMeta;
use runtime::{Action, Context, Controller};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The name of this controller in metrics, in events, and in the field manager of what it applies.
const NAME: &str = "parcel-labels";

/// The finalizer that keeps a deleted object until it is cleaned up. Do not change it later: the
/// old finalizer would stay forever.
const FINALIZER: &str = "example.net/kinds-operator-parcel-labels";

type Labels = BTreeMap<String, String>;

/// Makes the controller: add `.owns::<Kind>()` for each kind that `reconcile` applies.
pub fn controller() -> Controller<Parcel> {
    Controller::namespaced(NAME, reconcile)
        .owns::<ConfigMap>()
        .finalizer(FINALIZER, cleanup)
}

// What `reconcile` may do; `opctl manifests` turns this into config/rbac/role.yaml.
// +opctl:rbac:groups=example.net,resources=parcels,verbs=list;patch;watch
// +opctl:rbac:groups=example.net,resources=parcels/finalizers,verbs=update
// +opctl:rbac:groups="",resources=configmaps,verbs=create;list;patch;watch

/// Brings the cluster closer to the state that `obj` asks for.
///
/// Runs after every change and every failure, always from the top: it must be idempotent.
pub async fn reconcile(obj: Arc<Parcel>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    ctx.apply(&*obj, config_map(&obj)).await?;
    Ok(Action::done())
}

/// Cleans up everything but the object's children, which the garbage collector deletes. The deleted
/// object stays until this succeeds. It may also run for an object that was never reconciled.
async fn cleanup(obj: Arc<Parcel>, _ctx: Arc<Context>) -> anyhow::Result<Action> {
    tracing::info!(name = obj.name_any(), "cleaned up");
    Ok(Action::done())
}

/// Returns the labels of all children, by which pods are also selected. Selectors are immutable.
fn labels(obj: &Parcel) -> Labels {
    Labels::from([
        ("app.kubernetes.io/name".into(), NAME.into()),
        ("app.kubernetes.io/instance".into(), obj.name_any()),
    ])
}

/// Returns a name that differs from the children of other controllers of the same object.
fn child_name(obj: &Parcel) -> String {
    format!("{}-{NAME}", obj.name_any())
}

fn metadata(obj: &Parcel) -> ObjectMeta {
    ObjectMeta {
        name: Some(child_name(obj)),
        labels: Some(labels(obj)),
        ..Default::default()
    }
}

fn config_map(obj: &Parcel) -> ConfigMap {
    ConfigMap {
        metadata: metadata(obj),
        data: Some(BTreeMap::from([("name".into(), obj.name_any())])),
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn children_are_named_after_owner_and_controller() {
        let mut object = json!({
            "spec": {
                "gates": [{"name":"example"}],
                "source": {"claim":"example"},
                "type": "example",
            },
        });
        object["metadata"]["name"] = "sample".into();
        let obj = serde_json::from_value(object).unwrap();
        assert_eq!(config_map(&obj).name_any(), child_name(&obj));
    }
}
