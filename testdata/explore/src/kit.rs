//! Requests that the operators of further kinds have in common.
#![allow(dead_code, reason = "no operator needs all of them")]

use k8s_openapi::NamespaceResourceScope;
use kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use kube::runtime::controller::Action;
use kube::{Api, Client, Resource, ResourceExt};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fmt::{Debug, Display};
use std::sync::Arc;
use std::time::Duration;

pub const MANAGER: &str = "further-operator";

pub trait Object:
    Resource<Scope = NamespaceResourceScope, DynamicType = ()> + Clone + Debug + Serialize + DeserializeOwned
{
}

impl<K> Object for K where
    K: Resource<Scope = NamespaceResourceScope, DynamicType = ()> + Clone + Debug + Serialize + DeserializeOwned
{
}

pub async fn begin() -> anyhow::Result<Client> {
    tracing_subscriber::fmt().with_ansi(false).without_time().init();
    Ok(Client::try_default().await?)
}

pub fn api<K: Object>(of: &impl Object, client: &Client) -> Api<K> {
    Api::namespaced(client.clone(), &of.namespace().unwrap_or_default())
}

pub fn read<K: DeserializeOwned>(object: Value) -> K {
    serde_json::from_value(object).expect("an object is written as its type is")
}

/// The metadata of a child.
pub fn child(of: &impl Object, name: &str) -> Value {
    json!({ "name": name, "labels": { "of": of.name_any() }, "ownerReferences": [of.controller_owner_ref(&())] })
}

pub async fn apply<K: Object>(of: &impl Object, client: &Client, object: Value) -> kube::Result<K> {
    let object: K = read(object);
    let parameters = PatchParams::apply(MANAGER).force();
    api(of, client).patch(&object.name_any(), &parameters, &Patch::Apply(&object)).await
}

/// Creates an object unless one of its name is there.
pub async fn create<K: Object>(of: &impl Object, client: &Client, object: Value) -> kube::Result<()> {
    match api::<K>(of, client).create(&PostParams::default(), &read(object)).await {
        Err(kube::Error::Api(status)) if status.is_already_exists() => Ok(()),
        created => created.map(drop),
    }
}

/// Deletes an object if it is there.
pub async fn remove<K: Object>(of: &impl Object, client: &Client, name: &str) -> kube::Result<()> {
    match api::<K>(of, client).delete(name, &DeleteParams::background()).await {
        Err(kube::Error::Api(status)) if status.is_not_found() => Ok(()),
        deleted => deleted.map(drop),
    }
}

/// Writes the status if it differs.
pub async fn tell<K: Object>(of: &K, client: &Client, mut status: Value, ready: bool) -> kube::Result<()> {
    status["observedGeneration"] = json!(of.meta().generation);
    status["conditions"] = json!([{ "type": "Ready", "status": if ready { "True" } else { "False" } }]);
    if json!(of)["status"] == status {
        return Ok(());
    }
    let patch = Patch::Merge(json!({ "status": status }));
    api::<K>(of, client).patch_status(&of.name_any(), &PatchParams::default(), &patch).await.map(drop)
}

pub fn retry<K, E: Display, C>(_: Arc<K>, error: &E, _: Arc<C>) -> Action {
    tracing::warn!("{error}");
    Action::requeue(Duration::from_secs(2))
}

/// Returns true if an object belongs to this one.
pub fn owns(of: &impl Object, child: &impl Object) -> bool {
    child.owner_references().iter().any(|owner| Some(&owner.uid) == of.uid().as_ref())
}

/// Returns true if a condition of an object is `True`.
pub fn has(object: &impl Serialize, name: &str) -> bool {
    let object = json!(object);
    let conditions = object["status"]["conditions"].as_array().cloned().unwrap_or_default();
    conditions.iter().any(|condition| condition["type"] == name && condition["status"] == "True")
}
