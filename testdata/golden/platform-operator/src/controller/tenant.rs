// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Reconciles `Tenant` objects: each gets a ConfigMap.
use api::v1alpha1::{Tenant, TenantStatus};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::ResourceExt;
use kube::api::ObjectMeta;
use runtime::{Action, Context, Controller, conditions};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The name of this controller in metrics, in events, and in the field manager of what it applies.
const NAME: &str = "tenant";

/// The namespace of the children: a `Tenant` is cluster-scoped. Choose one that exists, or let the
/// spec name it.
pub const NAMESPACE: &str = "default";

type Labels = BTreeMap<String, String>;

/// Makes the controller: add `.owns::<Kind>()` for each kind that `reconcile` applies.
pub fn controller() -> Controller<Tenant> {
    Controller::cluster_scoped(NAME, reconcile)
        .owns::<ConfigMap>()
        .conditions(|status| &mut status.conditions)
}

// What `reconcile` may do; `opctl manifests` turns this into config/rbac/role.yaml.
// +opctl:rbac:groups=example.org,resources=tenants,verbs=list;watch
// +opctl:rbac:groups=example.org,resources=tenants/status,verbs=patch
// +opctl:rbac:groups=example.org,resources=tenants/finalizers,verbs=update
// +opctl:rbac:groups="",resources=configmaps,verbs=create;list;patch;watch

/// Brings the cluster closer to the state that `obj` asks for.
///
/// Runs after every change and every failure, always from the top: it must be idempotent.
pub async fn reconcile(obj: Arc<Tenant>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    ctx.apply(&*obj, config_map(&obj)).await?;
    ctx.apply_status(&*obj, status(&obj)).await?;
    Ok(Action::done())
}

/// Returns the labels of all children, by which pods are also selected. Selectors are immutable.
fn labels(obj: &Tenant) -> Labels {
    Labels::from([
        ("app.kubernetes.io/name".into(), NAME.into()),
        ("app.kubernetes.io/instance".into(), obj.name_any()),
    ])
}

fn metadata(obj: &Tenant) -> ObjectMeta {
    ObjectMeta {
        name: Some(obj.name_any()),
        namespace: Some(NAMESPACE.into()),
        labels: Some(labels(obj)),
        ..Default::default()
    }
}

fn config_map(obj: &Tenant) -> ConfigMap {
    ConfigMap {
        metadata: metadata(obj),
        data: Some(BTreeMap::from([("name".into(), obj.name_any())])),
        ..Default::default()
    }
}

/// Returns the status to report. It depends on the argument alone, so that a unit test covers it.
fn status(obj: &Tenant) -> TenantStatus {
    let generation = obj.metadata.generation;
    let mut conditions = obj.status.clone().unwrap_or_default().conditions;
    let ready = conditions::new("Ready", true, "Applied", &obj.spec.message);
    conditions::set(&mut conditions, generation, ready);
    TenantStatus {
        observed_generation: generation,
        conditions,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn sample() -> Tenant {
        let metadata = json!({ "name": "sample", "generation": 2 });
        let spec = json!({});
        serde_json::from_value(json!({ "metadata": metadata, "spec": spec })).unwrap()
    }

    #[test]
    fn children_bear_the_name_of_their_owner() {
        let obj = sample();
        assert_eq!(config_map(&obj).name_any(), "sample");
    }

    #[test]
    fn status_settles() {
        let mut obj = sample();
        let first = status(&obj);
        assert_eq!(first.observed_generation, Some(2));
        assert!(conditions::is_true(&first.conditions, "Ready"));

        obj.status = Some(first.clone());
        assert_eq!(status(&obj), first, "each pass would write again");
    }
}
