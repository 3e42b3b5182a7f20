//! Requests that the operators have in common.

use crate::types::Shop;
use k8s_openapi::NamespaceResourceScope;
use kube::api::PostParams;
use kube::runtime::controller::Action;
use kube::{Api, Client, Resource, ResourceExt};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

pub fn api<K: Resource<Scope = NamespaceResourceScope, DynamicType = ()>>(shop: &Shop, client: &Client) -> Api<K> {
    Api::namespaced(client.clone(), &shop.namespace().unwrap_or_default())
}

pub fn read<K: DeserializeOwned>(object: Value) -> K {
    serde_json::from_value(object).expect("an object is written as its type is")
}

/// Creates an object unless one of its name is there.
pub async fn create<K>(shop: &Shop, client: &Client, object: Value) -> kube::Result<()>
where
    K: Resource<Scope = NamespaceResourceScope, DynamicType = ()> + Clone + Debug + Serialize + DeserializeOwned,
{
    let objects: Api<K> = api(shop, client);
    match objects.create(&PostParams::default(), &read(object)).await {
        Err(kube::Error::Api(status)) if status.is_already_exists() => Ok(()),
        created => created.map(drop),
    }
}

pub fn retry(_: Arc<Shop>, error: &kube::Error, _: Arc<Client>) -> Action {
    tracing::warn!("{error}");
    Action::requeue(Duration::from_secs(2))
}
