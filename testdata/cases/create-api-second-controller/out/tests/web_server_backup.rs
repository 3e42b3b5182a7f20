//! `web-server-backup` on a real API server, with the rights of the operator's role.
mod support;

use api::v1alpha1::WebServer;
use k8s_openapi::api::batch::v1::CronJob;
use kube::ResourceExt;
use kube::api::{Api, DeleteParams, Patch, PatchParams, PostParams};
use serde_json::json;
use support::{Operator, until};

use webserver_operator::controller::web_server_backup::setup;

type Objects = Api<WebServer>;

/// Waits for a child, and changes what is the operator's to say.
async fn is_kept<K>(api: &Api<K>, name: &str) -> K
where
    K: kube::Resource + Clone + std::fmt::Debug + serde::de::DeserializeOwned,
{
    const HASH: &str = "opctl.dev/desired-hash";
    let made = until("child", async || api.get_opt(name).await.unwrap()).await;
    let patch = Patch::Merge(json!({ "metadata": { "annotations": { HASH: "changed" } } }));
    let changed = api.patch(name, &PatchParams::default(), &patch).await;
    changed.unwrap();
    until("put right", async || {
        let found = api.get(name).await.unwrap();
        (found.annotations().get(HASH) == made.annotations().get(HASH)).then_some(())
    })
    .await;
    made
}

async fn comes_back<K>(api: &Api<K>, name: &str)
where
    K: kube::Resource + Clone + std::fmt::Debug + serde::de::DeserializeOwned,
{
    let first = is_kept(api, name).await;
    let deleted = api.delete(name, &DeleteParams::background()).await;
    deleted.unwrap();
    until("another child", async || {
        let found = api.get_opt(name).await.unwrap()?;
        (found.uid() != first.uid()).then_some(())
    })
    .await;
}

#[tokio::test]
#[ignore = "opctl test"]
async fn an_object_is_reconciled() {
    let operator = Operator::start(setup).await;
    let objects: Objects = Api::namespaced(operator.client.clone(), &operator.namespace);
    let name = "sample";
    let mut object = json!({
        "spec": { "message": "Hello" },
    });
    object["metadata"]["name"] = name.to_string().into();
    let object = serde_json::from_value(object).unwrap();
    let created = objects.create(&PostParams::default(), &object).await;
    created.unwrap();
    let owner = name;
    let name = &format!("{owner}-web-server-backup");
    let client = operator.client.clone();
    let api: Api<CronJob> = Api::namespaced(client.clone(), &operator.namespace);
    comes_back(&api, name).await;
    operator.stop().await;
}
