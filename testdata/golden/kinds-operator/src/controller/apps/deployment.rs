//! Reconciles `Deployment` objects: each gets a ConfigMap.
//!
//! Their status belongs to whoever makes them work: it is not this controller's to write.
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::ResourceExt;
use kube::api::ObjectMeta;
use runtime::{Action, Context, Controller};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Names this controller in flags, metrics, events, and as the owner of the fields that it applies.
const NAME: &str = "apps-deployment";

type Labels = BTreeMap<String, String>;

/// Says what to watch: add `.owns::<Kind>()` for each kind that `reconcile` applies.
pub fn controller() -> Controller<Deployment> {
    Controller::namespaced(NAME, reconcile).owns::<ConfigMap>()
}

// What `reconcile` may do; `opctl manifests` turns this into config/rbac/role.yaml.
// +opctl:rbac:groups=apps,resources=deployments,verbs=list;watch
// +opctl:rbac:groups=apps,resources=deployments/finalizers,verbs=update
// +opctl:rbac:groups="",resources=configmaps,verbs=create;list;patch;watch

/// Brings the world closer to what `obj` asks for.
///
/// Runs after every change and every failure, always from the top: whatever it does must be safe
/// to do again.
///
/// Every `Deployment` that the operator watches comes here: return early for those not meant.
pub async fn reconcile(obj: Arc<Deployment>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    ctx.apply(&*obj, config_map(&obj)).await?;
    Ok(Action::done())
}

/// Labels on all children, and by which pods are selected. Selectors can never change.
fn labels(obj: &Deployment) -> Labels {
    Labels::from([
        ("app.kubernetes.io/name".into(), NAME.into()),
        ("app.kubernetes.io/instance".into(), obj.name_any()),
    ])
}

/// Apart from what other controllers make for the same object.
fn child_name(obj: &Deployment) -> String {
    format!("{}-{NAME}", obj.name_any())
}

fn metadata(obj: &Deployment) -> ObjectMeta {
    let (name, labels) = (Some(child_name(obj)), Some(labels(obj)));
    ObjectMeta {
        name,
        labels,
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
