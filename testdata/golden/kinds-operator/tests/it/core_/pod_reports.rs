//! `pod-reports` on a real API server, with the rights of the operator's role.
use k8s_openapi::api::core::v1::Pod;
use kube::ResourceExt;
use kube::api::{Api, PostParams};
use runtime::testing::{Operator, until};
use runtime::{Action, Context, Controller};
use serde_json::json;
use std::sync::{Arc, Mutex};

use kinds_operator::controller::core_::pod_reports::reconcile;

type Objects = Api<Pod>;

/// The names of the objects that were reconciled: so far, `reconcile` has no other visible effect.
/// Once it does something, test that instead, and start the operator with the controller's own
/// `controller`.
static DONE: Mutex<Vec<String>> = Mutex::new(Vec::new());

async fn noted(obj: Arc<Pod>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    let name = obj.name_any();
    let action = reconcile(obj, ctx).await?;
    DONE.lock().unwrap().push(name);
    Ok(action)
}

fn controller() -> Controller<Pod> {
    Controller::namespaced("noted", noted)
}

#[tokio::test]
#[ignore = "opctl test"]
async fn an_object_is_reconciled() {
    let operator = Operator::start(env!("CARGO_PKG_NAME"), controller()).await;
    let objects: Objects = Api::namespaced(operator.client.clone(), &operator.namespace);
    let name = "sample";
    let mut object = json!({
        "spec": {
            "containers": [
                {
                    "image": "nginxinc/nginx-unprivileged:1.27",
                    "name": "main"
                }
            ]
        }
    });
    object["metadata"]["name"] = name.to_string().into();
    let object = serde_json::from_value(object).unwrap();
    // The API server refuses the object until the namespace has its service account.
    until("created", async || {
        let created = objects.create(&PostParams::default(), &object).await;
        created.ok()
    })
    .await;
    until("reconciled", async || {
        let done = DONE.lock().unwrap().iter().any(|done| done == name);
        done.then_some(())
    })
    .await;
    operator.stop().await;
}
