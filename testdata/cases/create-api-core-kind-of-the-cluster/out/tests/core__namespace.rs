//! `core-namespace` on a real API server, with the rights of the operator's role.
mod support;

use k8s_openapi::api::core::v1::{Namespace, ResourceQuota};
use k8s_openapi::api::networking::v1::NetworkPolicy;
use kube::ResourceExt;
use kube::api::{Api, DeleteParams, Patch, PatchParams, PostParams};
use serde_json::json;
use support::{Operator, until};

use webserver_operator::controller::core_::namespace::setup;

type Objects = Api<Namespace>;

const FINALIZER: &str = "example.com/webserver-operator";

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
    let objects: Objects = Api::all(operator.client.clone());
    let name = &format!("{}-object", operator.namespace);
    let mut object = json!({});
    object["metadata"]["name"] = name.to_string().into();
    let object = serde_json::from_value(object).unwrap();
    let created = objects.create(&PostParams::default(), &object).await;
    created.unwrap();
    let owner = name;
    let name = &format!("{owner}-core-namespace");
    let client = operator.client.clone();
    let api: Api<ResourceQuota> = Api::namespaced(client.clone(), owner);
    comes_back(&api, name).await;
    let api: Api<NetworkPolicy> = Api::namespaced(client.clone(), owner);
    comes_back(&api, name).await;
    let name = owner;
    let kept = async || {
        let object = objects.get_opt(name).await.unwrap();
        let object = object.filter(|object| object.finalizers().contains(&FINALIZER.into()));
        object.is_some()
    };
    until("finalizer", async || kept().await.then_some(())).await;
    let deleted = objects.delete(name, &DeleteParams::background()).await;
    deleted.unwrap();
    until("cleaned up", async || (!kept().await).then_some(())).await;
    operator.stop().await;
}
