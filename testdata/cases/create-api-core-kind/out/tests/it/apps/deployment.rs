//! `apps-deployment` on a real API server, with the rights of the operator's role.
use k8s_openapi::api::apps::v1::Deployment;
use kube::ResourceExt;
use kube::api::Api;
use runtime::testing::{Operator, create, until};
use runtime::{Action, Context, Controller};
use serde_json::json;
use std::sync::{Arc, Mutex};

use webserver_operator::controller::apps::deployment::reconcile;

type Objects = Api<Deployment>;

/// The names of the objects that were reconciled: so far, `reconcile` has no other visible effect.
/// Once it does something, test that instead, and start the operator with the controller's own
/// `controller`.
static DONE: Mutex<Vec<String>> = Mutex::new(Vec::new());

async fn noted(obj: Arc<Deployment>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    let name = obj.name_any();
    let action = reconcile(obj, ctx).await?;
    DONE.lock().unwrap().push(name);
    Ok(action)
}

fn controller() -> Controller<Deployment> {
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
    object["metadata"]["name"] = name.to_string().into();
    create(&objects, object).await;
    until("reconciled", async || {
        let done = DONE.lock().unwrap().iter().any(|done| done == name);
        done.then_some(())
    })
    .await;
    operator.stop().await;
}
