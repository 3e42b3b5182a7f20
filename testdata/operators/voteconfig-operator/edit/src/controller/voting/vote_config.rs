//! Reconciles `VoteConfig` objects: each gets a ConfigMap.
// ANCHOR: imports
use anyhow::Context as _;
use api::voting::v1alpha1::{VoteConfig, VoteConfigStatus};
use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use k8s_openapi::jiff::Timestamp;
use kube::api::{DeleteParams, ObjectMeta};
use kube::{Api, ResourceExt};
use runtime::{Action, Context, Controller, conditions};
use std::collections::BTreeMap;
use std::sync::Arc;
// ANCHOR_END: imports

// ANCHOR: controller
/// Names this controller in flags, metrics, events, and as the owner of the fields that it applies.
const NAME: &str = "voteconfig";

/// An object that has it stays until `cleanup` has succeeded.
const FINALIZER: &str = "voting.schoolofdevops.com/finalizer";

pub fn controller() -> Controller<VoteConfig> {
    Controller::namespaced(NAME, reconcile)
        .owns::<ConfigMap>()
        .finalizer(FINALIZER, cleanup)
}

// What `reconcile` may do; `opctl manifests` turns this into config/rbac/role.yaml.
// +opctl:rbac:groups=voting.schoolofdevops.com,resources=voteconfigs,verbs=list;patch;watch
// +opctl:rbac:groups=voting.schoolofdevops.com,resources=voteconfigs/status,verbs=patch
// +opctl:rbac:groups=voting.schoolofdevops.com,resources=voteconfigs/finalizers,verbs=update
// +opctl:rbac:groups="",resources=configmaps,verbs=create;delete;list;patch;watch
// ANCHOR_END: controller

// ANCHOR: reconcile
pub async fn reconcile(obj: Arc<VoteConfig>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    ctx.apply(&*obj, config_map(&obj)?).await?;
    let ready = conditions::new("Ready", true, "Applied", "The ConfigMap has the options");
    ctx.apply_status(&*obj, status(&obj, ready)).await?;
    Ok(Action::done())
}
// ANCHOR_END: reconcile

// ANCHOR: cleanup
async fn cleanup(obj: Arc<VoteConfig>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    let namespace = obj.namespace().unwrap_or_default();
    let config_maps = Api::<ConfigMap>::namespaced(ctx.client.clone(), &namespace);
    let name = config_map_name(&obj);
    match config_maps.delete(&name, &DeleteParams::default()).await {
        Err(kube::Error::Api(status)) if status.is_not_found() => Ok(Action::done()),
        Err(error) => {
            let failed = conditions::new("CleanedUp", false, "CleanupFailed", &error.to_string());
            ctx.apply_status(&*obj, status(&obj, failed)).await?;
            Err(error).with_context(|| format!("ConfigMap {name} cannot be deleted"))
        }
        Ok(_) => Ok(Action::done()),
    }
}
// ANCHOR_END: cleanup

// ANCHOR: children
fn config_map_name(obj: &VoteConfig) -> String {
    format!("{}-config", obj.name_any())
}

fn config_map(obj: &VoteConfig) -> serde_json::Result<ConfigMap> {
    let data = [
        ("title", obj.spec.title.clone()),
        ("options.json", serde_json::to_string(&obj.spec.options)?),
    ];
    let data = data.map(|(key, value)| (key.to_owned(), value));
    Ok(ConfigMap {
        metadata: ObjectMeta {
            name: Some(config_map_name(obj)),
            ..Default::default()
        },
        data: Some(BTreeMap::from(data)),
        ..Default::default()
    })
}
// ANCHOR_END: children

// ANCHOR: status
fn status(obj: &VoteConfig, condition: Condition) -> VoteConfigStatus {
    let before = obj.status.clone().unwrap_or_default();
    let mut status = VoteConfigStatus {
        observed_generation: obj.metadata.generation,
        config_map_name: Some(config_map_name(obj)),
        ..before.clone()
    };
    conditions::set(&mut status.conditions, obj.metadata.generation, condition);
    // A time that moved in every pass would change the object, and so trigger the next pass.
    if status != before {
        status.last_updated = Some(Time(Timestamp::now()));
    }
    status
}
// ANCHOR_END: status

// ANCHOR: tests
#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{from_value, json};

    fn sample() -> VoteConfig {
        from_value(json!({
            "metadata": { "name": "sample", "generation": 2 },
            "spec": { "title": "Which?", "options": [{ "id": "a", "label": "A" }] },
        }))
        .unwrap()
    }

    fn ready() -> Condition {
        conditions::new("Ready", true, "Applied", "")
    }

    #[test]
    fn the_config_map_has_the_options() {
        let data = config_map(&sample()).unwrap().data.unwrap();
        assert_eq!(data["title"], "Which?");
        assert_eq!(data["options.json"], r#"[{"id":"a","label":"A"}]"#);
    }

    #[test]
    fn the_time_moves_only_with_a_change() {
        let mut obj = sample();
        let first = status(&obj, ready());
        assert!(first.last_updated.is_some());
        obj.status = Some(first.clone());
        assert_eq!(status(&obj, ready()), first, "each pass would write again");
        obj.metadata.generation = Some(3);
        assert!(status(&obj, ready()).last_updated > first.last_updated);
    }
}
// ANCHOR_END: tests
