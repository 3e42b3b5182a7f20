//! Reconciles `DemoVolume` objects: each gets a claim for a volume.
// ANCHOR: imports
use api::demo::v1alpha1::{DemoVolume, DemoVolumeStatus};
use k8s_openapi::api::core::v1::{
    PersistentVolumeClaim, PersistentVolumeClaimSpec, VolumeResourceRequirements,
};
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::ResourceExt;
use kube::api::ObjectMeta;
use runtime::{Action, Context, Controller, conditions};
use std::collections::BTreeMap;
use std::sync::Arc;
// ANCHOR_END: imports

// ANCHOR: controller
/// Names this controller in flags, metrics, events, and as the owner of the fields that it applies.
const NAME: &str = "demovolume";

pub fn controller() -> Controller<DemoVolume> {
    Controller::namespaced(NAME, reconcile).owns::<PersistentVolumeClaim>()
}

// What `reconcile` may do; `opctl manifests` turns this into config/rbac/role.yaml.
// +opctl:rbac:groups=demo.example.com,resources=demovolumes,verbs=list;watch
// +opctl:rbac:groups=demo.example.com,resources=demovolumes/status,verbs=patch
// +opctl:rbac:groups=demo.example.com,resources=demovolumes/finalizers,verbs=update
// +opctl:rbac:groups="",resources=persistentvolumeclaims,verbs=create;list;patch;watch
// ANCHOR_END: controller

// ANCHOR: reconcile
pub async fn reconcile(obj: Arc<DemoVolume>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    let claim = ctx.apply(&*obj, claim(&obj)).await;
    // A claim that must not have another size is not made anew, which would lose what is in it. The
    // user is told what the server says.
    let ready = match &claim {
        Ok(claim) => ready(&obj, claim),
        Err(error) => conditions::new("Ready", false, "ClaimRefused", &format!("{error:#}")),
    };
    ctx.apply_status(&*obj, status(&obj, ready)).await?;
    claim?;
    Ok(Action::done())
}
// ANCHOR_END: reconcile

// ANCHOR: children
fn claim(obj: &DemoVolume) -> PersistentVolumeClaim {
    let storage = BTreeMap::from([("storage".to_owned(), quantity(obj.spec.size))]);
    PersistentVolumeClaim {
        metadata: ObjectMeta {
            name: Some(obj.name_any()),
            ..Default::default()
        },
        spec: Some(PersistentVolumeClaimSpec {
            access_modes: Some(vec!["ReadWriteOnce".to_owned()]),
            resources: Some(VolumeResourceRequirements {
                requests: Some(storage),
                ..Default::default()
            }),
            ..Default::default()
        }),
        ..Default::default()
    }
}

/// As Kubernetes writes it: of `2048Gi` it makes `2Ti`, and every pass would find a difference.
fn quantity(gibibytes: i32) -> Quantity {
    Quantity(match gibibytes % 1024 {
        0 => format!("{}Ti", gibibytes / 1024),
        _ => format!("{gibibytes}Gi"),
    })
}
// ANCHOR_END: children

// ANCHOR: status
fn ready(obj: &DemoVolume, claim: &PersistentVolumeClaim) -> Condition {
    let status = claim.status.clone().unwrap_or_default();
    let size = status.capacity.unwrap_or_default().remove("storage");
    let wanted = quantity(obj.spec.size);
    match size {
        None => conditions::new("Ready", false, "Pending", "There is no volume yet"),
        Some(size) if size == wanted => {
            let message = format!("There is a volume of {}", size.0);
            conditions::new("Ready", true, "Bound", &message)
        }
        Some(size) => {
            let message = format!("The volume has {}, and grows to {}", size.0, wanted.0);
            conditions::new("Ready", false, "Growing", &message)
        }
    }
}

fn status(obj: &DemoVolume, ready: Condition) -> DemoVolumeStatus {
    let generation = obj.metadata.generation;
    let mut conditions = obj.status.clone().unwrap_or_default().conditions;
    conditions::set(&mut conditions, generation, ready);
    DemoVolumeStatus {
        observed_generation: generation,
        name: obj.spec.name.clone(),
        conditions,
    }
}
// ANCHOR_END: status

// ANCHOR: tests
#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{from_value, json};

    fn sample(size: i32) -> DemoVolume {
        from_value(json!({
            "metadata": { "name": "sample", "generation": 2 },
            "spec": { "name": "films", "size": size },
        }))
        .unwrap()
    }

    #[test]
    fn sizes_are_written_as_kubernetes_does() {
        let of = |size| {
            let claim = serde_json::to_value(claim(&sample(size))).unwrap();
            claim["spec"]["resources"]["requests"]["storage"].clone()
        };
        assert_eq!([of(1), of(1025), of(2048)], ["1Gi", "1025Gi", "2Ti"]);
    }

    #[test]
    fn a_volume_is_ready_once_it_has_its_size() {
        let reason = |status| {
            let claim = from_value(json!({ "status": status })).unwrap();
            ready(&sample(2), &claim).reason
        };
        assert_eq!(reason(json!({})), "Pending");
        assert_eq!(
            reason(json!({ "capacity": { "storage": "1Gi" } })),
            "Growing"
        );
        assert_eq!(reason(json!({ "capacity": { "storage": "2Gi" } })), "Bound");
    }

    #[test]
    fn status_follows_the_spec_and_settles() {
        let mut obj = sample(2);
        let pending = || conditions::new("Ready", false, "Pending", "");
        let first = status(&obj, pending());
        assert_eq!(first.name, "films");
        obj.status = Some(first.clone());
        assert_eq!(status(&obj, pending()), first);
    }
}
// ANCHOR_END: tests
