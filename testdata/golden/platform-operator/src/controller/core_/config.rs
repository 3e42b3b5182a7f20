// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Reconciles `Config` objects.
use api::core_::v1alpha1::{Config, ConfigStatus};
use runtime::{Action, Context, Controller, conditions};
use std::sync::Arc;

/// The name of this controller in metrics, in events, and in the field manager of what it applies.
const NAME: &str = "core-config";

/// Makes the controller: add `.owns::<Kind>()` for each kind that `reconcile` applies.
pub fn controller() -> Controller<Config> {
    Controller::namespaced(NAME, reconcile).conditions(|status| &mut status.conditions)
}

// What `reconcile` may do; `opctl manifests` turns this into config/rbac/role.yaml.
// +opctl:rbac:groups=core.example.org,resources=configs,verbs=list;watch
// +opctl:rbac:groups=core.example.org,resources=configs/status,verbs=patch

/// Brings the cluster closer to the state that `obj` asks for.
///
/// Runs after every change and every failure, always from the top: it must be idempotent.
pub async fn reconcile(obj: Arc<Config>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    // Your logic goes here. For example, this makes a ConfigMap of the object's name and keeps what
    // it sets; beside it, `controller` needs `.owns::<ConfigMap>()`:
    //     let mut child = ConfigMap::default();
    //     child.metadata.name = obj.metadata.name.clone();
    //     ctx.apply(&*obj, child).await?;
    ctx.apply_status(&*obj, status(&obj)).await?;
    Ok(Action::done())
}

/// Returns the status to report. It depends on the argument alone, so that a unit test covers it.
fn status(obj: &Config) -> ConfigStatus {
    let generation = obj.metadata.generation;
    let mut conditions = obj.status.clone().unwrap_or_default().conditions;
    // An object is `Ready` when everything is there that its spec asks for: say so once it is.
    let message = &format!("`reconcile` does nothing yet with `{}`", obj.spec.message);
    let ready = conditions::new("Ready", false, "NotImplemented", message);
    conditions::set(&mut conditions, generation, ready);
    ConfigStatus {
        observed_generation: generation,
        conditions,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn status_settles() {
        let mut obj = serde_json::from_value(json!({
            "metadata": { "name": "sample", "generation": 2 },
            "spec": {},
        }))
        .unwrap();
        let first = status(&obj);
        assert_eq!(first.observed_generation, Some(2));
        let ready = conditions::is_true(&first.conditions, "Ready");
        assert!(!ready, "`status` reports Ready now: test when it does");

        obj.status = Some(first.clone());
        assert_eq!(status(&obj), first, "each pass would write again");
    }
}
