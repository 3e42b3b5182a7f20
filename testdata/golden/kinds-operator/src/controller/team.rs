//! Reconciles `Team` objects: each gets a Namespace, a ResourceQuota, a ClusterRole, a ClusterRoleBinding and a RoleBinding.
use api::v1alpha1::{Team, TeamStatus};
use k8s_openapi::api::core::v1::{Namespace, ResourceQuota, ResourceQuotaSpec};
use k8s_openapi::api::rbac::v1::{
    ClusterRole, ClusterRoleBinding, PolicyRule, RoleBinding, RoleRef, Subject,
};
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use kube::ResourceExt;
use kube::api::ObjectMeta;
use runtime::{Action, Context, Controller, conditions};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The name of this controller in metrics, in events, and in the field manager of what it applies.
const NAME: &str = "team";

/// The finalizer that keeps a deleted object until it is cleaned up. Do not change it later: the
/// old finalizer would stay forever.
const FINALIZER: &str = "example.net/kinds-operator";

type Labels = BTreeMap<String, String>;

/// Makes the controller: add `.owns::<Kind>()` for each kind that `reconcile` applies.
pub fn controller() -> Controller<Team> {
    Controller::cluster_scoped(NAME, reconcile)
        .owns::<Namespace>()
        .owns::<ResourceQuota>()
        .owns::<ClusterRole>()
        .owns::<ClusterRoleBinding>()
        .owns::<RoleBinding>()
        .finalizer(FINALIZER, cleanup)
        .conditions(|status| &mut status.conditions)
}

// What `reconcile` may do; `opctl manifests` turns this into config/rbac/role.yaml.
// +opctl:rbac:groups=example.net,resources=teams,verbs=list;patch;watch
// +opctl:rbac:groups=example.net,resources=teams/status,verbs=patch
// +opctl:rbac:groups=example.net,resources=teams/finalizers,verbs=update
// +opctl:rbac:groups="",resources=namespaces,verbs=create;list;patch;watch
// +opctl:rbac:groups="",resources=resourcequotas,verbs=create;list;patch;watch
// +opctl:rbac:groups=rbac.authorization.k8s.io,resources=clusterroles,verbs=create;list;patch;watch
// +opctl:rbac:groups=rbac.authorization.k8s.io,resources=clusterrolebindings,verbs=create;list;patch;watch
// +opctl:rbac:groups=rbac.authorization.k8s.io,resources=rolebindings,verbs=create;list;patch;watch
// +opctl:rbac:groups="",resources=configmaps,verbs=get;list;watch
// +opctl:rbac:groups=rbac.authorization.k8s.io,resources=clusterroles,resourceNames=view,verbs=bind

/// Brings the cluster closer to the state that `obj` asks for.
///
/// Runs after every change and every failure, always from the top: it must be idempotent.
pub async fn reconcile(obj: Arc<Team>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    ctx.apply(&*obj, namespace(&obj)).await?;
    ctx.apply(&*obj, resource_quota(&obj)).await?;
    ctx.apply(&*obj, cluster_role(&obj)).await?;
    ctx.apply(&*obj, cluster_role_binding(&obj)).await?;
    ctx.apply(&*obj, role_binding(&obj)).await?;
    ctx.apply_status(&*obj, status(&obj)).await?;
    Ok(Action::done())
}

/// Cleans up everything but the object's children, which the garbage collector deletes. The deleted
/// object stays until this succeeds. It may also run for an object that was never reconciled.
async fn cleanup(obj: Arc<Team>, _ctx: Arc<Context>) -> anyhow::Result<Action> {
    tracing::info!(name = obj.name_any(), "cleaned up");
    Ok(Action::done())
}

/// Returns the labels of all children, by which pods are also selected. Selectors are immutable.
fn labels(obj: &Team) -> Labels {
    Labels::from([
        ("app.kubernetes.io/name".into(), NAME.into()),
        ("app.kubernetes.io/instance".into(), obj.name_any()),
    ])
}

fn metadata(obj: &Team) -> ObjectMeta {
    ObjectMeta {
        name: Some(obj.name_any()),
        namespace: Some(obj.name_any()),
        labels: Some(labels(obj)),
        ..Default::default()
    }
}

/// Returns the rules of the role. An operator can only grant rights that it has: a marker above
/// grants it these.
fn rules() -> Vec<PolicyRule> {
    vec![PolicyRule {
        api_groups: Some(vec![String::new()]),
        resources: Some(vec!["configmaps".into()]),
        verbs: ["get", "list", "watch"].map(Into::into).to_vec(),
        ..Default::default()
    }]
}

/// Returns the role that the binding grants. It is immutable; a marker above allows the operator to
/// grant this role.
fn role_ref() -> RoleRef {
    RoleRef {
        api_group: Some("rbac.authorization.k8s.io".into()),
        kind: "ClusterRole".into(),
        name: "view".into(),
    }
}

fn subject(obj: &Team) -> Subject {
    Subject {
        kind: "ServiceAccount".into(),
        name: obj.name_any(),
        namespace: Some(obj.name_any()),
        ..Default::default()
    }
}

fn namespace(obj: &Team) -> Namespace {
    Namespace {
        metadata: ObjectMeta {
            namespace: None,
            ..metadata(obj)
        },
        ..Default::default()
    }
}

fn resource_quota(obj: &Team) -> ResourceQuota {
    ResourceQuota {
        metadata: metadata(obj),
        spec: Some(ResourceQuotaSpec {
            hard: Some(BTreeMap::from([("pods".into(), Quantity("100".into()))])),
            ..Default::default()
        }),
        ..Default::default()
    }
}

fn cluster_role(obj: &Team) -> ClusterRole {
    ClusterRole {
        metadata: ObjectMeta {
            namespace: None,
            ..metadata(obj)
        },
        rules: Some(rules()),
        ..Default::default()
    }
}

fn cluster_role_binding(obj: &Team) -> ClusterRoleBinding {
    ClusterRoleBinding {
        metadata: ObjectMeta {
            namespace: None,
            ..metadata(obj)
        },
        role_ref: role_ref(),
        subjects: Some(vec![subject(obj)]),
    }
}

fn role_binding(obj: &Team) -> RoleBinding {
    RoleBinding {
        metadata: metadata(obj),
        role_ref: role_ref(),
        subjects: Some(vec![subject(obj)]),
    }
}

/// Returns the status to report. It depends on the argument alone, so that a unit test covers it.
fn status(obj: &Team) -> TeamStatus {
    let generation = obj.metadata.generation;
    let mut conditions = obj.status.clone().unwrap_or_default().conditions;
    let ready = conditions::new("Ready", true, "Applied", &obj.spec.message);
    conditions::set(&mut conditions, generation, ready);
    TeamStatus {
        observed_generation: generation,
        conditions,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn sample() -> Team {
        let metadata = json!({ "name": "sample", "generation": 2 });
        let spec = json!({});
        serde_json::from_value(json!({ "metadata": metadata, "spec": spec })).unwrap()
    }

    #[test]
    fn children_bear_the_name_of_their_owner() {
        let obj = sample();
        assert_eq!(namespace(&obj).name_any(), "sample");
        assert_eq!(resource_quota(&obj).name_any(), "sample");
        assert_eq!(cluster_role(&obj).name_any(), "sample");
        assert_eq!(cluster_role_binding(&obj).name_any(), "sample");
        assert_eq!(role_binding(&obj).name_any(), "sample");
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
