//! `cert-manager-certificate` on a real API server, with the rights of the operator's role.
use certs::v1::Certificate;
use kube::ResourceExt;
use kube::api::Api;
use runtime::testing::{Operator, create, until};
use runtime::{Action, Context, Controller, testing};
use serde_json::json;
use std::sync::{Arc, Mutex};

use webserver_operator::controller::cert_manager::certificate::reconcile;

type Objects = Api<Certificate>;

/// The names of the objects that were reconciled: so far, `reconcile` has no other visible effect.
/// Once it does something, test that instead, and start the operator with the controller's own
/// `controller`.
static DONE: Mutex<Vec<String>> = Mutex::new(Vec::new());

async fn noted(obj: Arc<Certificate>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    let name = obj.name_any();
    let action = reconcile(obj, ctx).await?;
    DONE.lock().unwrap().push(name);
    Ok(action)
}

fn controller() -> Controller<Certificate> {
    Controller::namespaced("noted", noted)
}

#[tokio::test]
#[ignore = "opctl test"]
async fn an_object_is_reconciled() {
    let operator = Operator::start(env!("CARGO_PKG_NAME"), controller()).await;
    testing::define::<Certificate>(&operator.client).await;
    let objects: Objects = Api::namespaced(operator.client.clone(), &operator.namespace);
    let name = "sample";
    // Fill in the fields that the type and its CRD require.
    let mut object = json!({
        "spec": {},
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
