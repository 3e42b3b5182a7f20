//! Reconciles `WebServer` objects.
use crate::runtime::{Context, apply, conditions, manager::Manager};
use api::v1alpha1::{WebServer, WebServerStatus};
use kube::{
    Api,
    runtime::{
        Controller,
        controller::{self, Action},
        watcher,
    },
};
use std::{sync::Arc, time::Duration};

/// Owns the fields that this controller applies. Under a new name it could not remove the old ones.
const FIELD_MANAGER: &str = "webserver-operator/webserver";
/// A safety net for changes that no watch reports, such as those outside the cluster.
const RESYNC: Duration = Duration::from_secs(600);

/// Says what to watch: add `.owns(..)` for each kind that `reconcile` creates.
pub fn setup(manager: &mut Manager) {
    let controller = Controller::new(Api::all(manager.client()), watcher::Config::default())
        // Without a limit, a restart reconciles every object at the same time.
        .with_config(controller::Config::default().concurrency(10));
    manager.start(controller, reconcile);
}

// What `reconcile` may do; `opctl manifests` turns this into config/rbac/role.yaml.
// +opctl:rbac:groups=example.com,resources=webservers,verbs=get;list;watch
// +opctl:rbac:groups=example.com,resources=webservers/status,verbs=patch

/// Brings the world closer to what `obj` asks for.
///
/// Runs after every change and every failure, always from the top: whatever it does must be safe
/// to do again.
pub async fn reconcile(obj: Arc<WebServer>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    apply::status(&ctx.client, FIELD_MANAGER, &*obj, status(&obj)).await?;
    Ok(Action::requeue(RESYNC))
}

/// What to report. A function of its argument alone, so that a unit test covers it.
fn status(obj: &WebServer) -> WebServerStatus {
    let generation = obj.metadata.generation;
    let mut conditions = obj.status.clone().unwrap_or_default().conditions;
    let ready = conditions::new("Ready", true, "Reconciled", &obj.spec.message);
    conditions::set(&mut conditions, generation, ready);
    WebServerStatus {
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
        assert!(conditions::is_true(&first.conditions, "Ready"));

        obj.status = Some(first.clone());
        assert_eq!(status(&obj), first, "it would trigger itself forever");
    }
}
