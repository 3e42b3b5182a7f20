//! `cert-manager-certificate` on a real API server, with the rights of the operator's role.
use certs::v1::Certificate;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Api, Patch, PatchParams, PostParams};
use kube::{Client, Resource, ResourceExt};
use runtime::testing::{Operator, until};
use runtime::{Action, Context, Controller};
use serde_json::json;
use std::sync::{Arc, Mutex};

use webserver_operator::controller::cert_manager::certificate::reconcile;

type Objects = Api<Certificate>;

/// What has been reconciled: so far, nothing else can be seen. Once `reconcile` does something, look
/// at that instead, and start the operator with the controller's own `controller`.
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

/// Makes the API server take whatever fits the type: its definition is not this project's to install.
async fn define(client: &Client) {
    let definitions: Api<CustomResourceDefinition> = Api::all(client.clone());
    let name = "certs.cert-manager.io";
    if definitions.get_opt(name).await.unwrap().is_some() {
        return;
    }
    let schema = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
    let version = json!({
        "name": "v1",
        "served": true,
        "storage": true,
        "subresources": { "status": {} },
        "schema": { "openAPIV3Schema": schema },
    });
    let kind = Certificate::kind(&());
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": name },
        "spec": {
            "group": "cert-manager.io",
            "names": { "kind": kind, "plural": "certs" },
            "scope": "Namespaced",
            "versions": [version],
        },
    });
    let (params, patch) = (PatchParams::apply("test"), Patch::Apply(definition));
    definitions.patch(name, &params, &patch).await.unwrap();
}

#[tokio::test]
#[ignore = "opctl test"]
async fn an_object_is_reconciled() {
    let operator = Operator::start(env!("CARGO_PKG_NAME"), controller()).await;
    define(&operator.client).await;
    let objects: Objects = Api::namespaced(operator.client.clone(), &operator.namespace);
    let name = "sample";
    // What the type and its definition want is yours to fill in.
    let mut object = json!({
        "spec": {},
    });
    object["metadata"]["name"] = name.to_string().into();
    let object = serde_json::from_value(object).unwrap();
    until("defined", async || {
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
