//! Checks that an operator keeps its children.

use super::until;
use crate::apply::HASH;
use kube::api::{Api, DeleteParams, Patch, PatchParams};
use kube::{Resource, ResourceExt};
use serde::de::DeserializeOwned;
use serde_json::json;
use std::fmt::Debug;

/// Waits for a child, changes a field that the operator owns, and waits until the operator has
/// restored the field. Returns the child.
///
/// # Panics
/// Panics if the operator does not do so in time, or if the API server refuses a request.
pub async fn is_kept<K: Resource + Clone + Debug + DeserializeOwned>(
    api: &Api<K>,
    name: &str,
) -> K {
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

/// Like [`is_kept`]; then deletes the child, and waits until the operator has made it again.
///
/// # Panics
/// Panics if the operator does not do so in time, or if the API server refuses a request.
pub async fn comes_back<K: Resource + Clone + Debug + DeserializeOwned>(api: &Api<K>, name: &str) {
    let first = is_kept(api, name).await;
    let deleted = api.delete(name, &DeleteParams::background()).await;
    deleted.unwrap();
    until("another child", async || {
        let found = api.get_opt(name).await.unwrap()?;
        (found.uid() != first.uid()).then_some(())
    })
    .await;
}
