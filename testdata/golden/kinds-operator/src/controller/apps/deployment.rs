//! Reconciles `Deployment` objects: each gets a ConfigMap.
//!
//! Their status belongs to the controller that implements the kind: this controller does not write
//! it.
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::ResourceExt;
use kube::api::ObjectMeta;
use runtime::{Action, Context, Controller};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The name of this controller in metrics, in events, and in the field manager of what it applies.
const NAME: &str = "apps-deployment";

type Labels = BTreeMap<String, String>;

/// Makes the controller: add `.owns::<Kind>()` for each kind that `reconcile` applies.
pub fn controller() -> Controller<Deployment> {
    Controller::namespaced(NAME, reconcile).owns::<ConfigMap>()
}

// What `reconcile` may do; `opctl manifests` turns this into config/rbac/role.yaml.
// +opctl:rbac:groups=apps,resources=deployments,verbs=list;watch
// +opctl:rbac:groups=apps,resources=deployments/finalizers,verbs=update
// +opctl:rbac:groups="",resources=configmaps,verbs=create;list;patch;watch

/// Brings the cluster closer to the state that `obj` asks for.
///
/// Runs after every change and every failure, always from the top: it must be idempotent.
///
/// Every `Deployment` that the operator watches is passed here: return early for those that you do not mean.
pub async fn reconcile(obj: Arc<Deployment>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    ctx.apply(&*obj, config_map(&obj)).await?;
    Ok(Action::done())
}

/// Returns the labels of all children, by which pods are also selected. Selectors are immutable.
fn labels(obj: &Deployment) -> Labels {
    Labels::from([
        ("app.kubernetes.io/name".into(), NAME.into()),
        ("app.kubernetes.io/instance".into(), obj.name_any()),
    ])
}

/// Returns a name that differs from the children of other controllers of the same object.
fn child_name(obj: &Deployment) -> String {
    format!("{}-{NAME}", obj.name_any())
}

fn metadata(obj: &Deployment) -> ObjectMeta {
    ObjectMeta {
        name: Some(child_name(obj)),
        labels: Some(labels(obj)),
        ..Default::default()
    }
}

fn config_map(obj: &Deployment) -> ConfigMap {
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
                "selector": {
                    "matchLabels": {
                        "app": "sample"
                    }
                },
                "template": {
                    "metadata": {
                        "labels": {
                            "app": "sample"
                        }
                    },
                    "spec": {
                        "containers": [
                            {
                                "image": "nginxinc/nginx-unprivileged:1.27",
                                "name": "main"
                            }
                        ]
                    }
                }
            }
        });
        object["metadata"]["name"] = "sample".into();
        let obj = serde_json::from_value(object).unwrap();
        assert_eq!(config_map(&obj).name_any(), child_name(&obj));
    }
}
