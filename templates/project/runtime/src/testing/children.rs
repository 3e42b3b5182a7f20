//! Checks that an operator restores its children.

use super::until;
use crate::marks::{HASH, MANAGED_BY};
use kube::api::{Api, DeleteParams, Patch, PatchParams};
use kube::{Resource, ResourceExt};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::json;
use std::fmt::Debug;

/// Waits for a child, changes a field that the operator owns, and waits until the operator has
/// restored the field. Returns the child.
///
/// # Panics
/// Panics if the child is not made or restored in time, or if the API server refuses a request.
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

/// Checks a child like [`is_kept`], deletes it, and waits until the operator has made it again.
///
/// # Panics
/// Panics if the child is not made or restored in time, or if the API server refuses a request.
pub async fn comes_back<K: Resource + Clone + Debug + DeserializeOwned>(api: &Api<K>, name: &str) {
    let first = is_kept(api, name).await;
    is_made_again(api, name, &first).await;
}

/// Waits for a child that is made once, removes the label by which the operator sees the child, and
/// waits until the label is restored and nothing else has changed. Then deletes the child, and
/// waits until the operator has made another child.
///
/// # Panics
/// Panics if the operator does not act in time, or if the API server refuses a request.
pub async fn is_made_once<K>(api: &Api<K>, name: &str)
where
    K: Resource + Clone + Debug + Serialize + DeserializeOwned,
{
    let content = |child: &K| {
        let mut content = serde_json::to_value(child).unwrap();
        content["metadata"].take();
        content
    };
    let made = until("child", async || api.get_opt(name).await.unwrap()).await;
    let patch = Patch::Merge(json!({ "metadata": { "labels": { MANAGED_BY: null } } }));
    let stripped = api.patch(name, &PatchParams::default(), &patch).await;
    stripped.unwrap();
    let kept = until("its label", async || {
        let found = api.get(name).await.unwrap();
        found.labels().contains_key(MANAGED_BY).then_some(found)
    });
    let kept = kept.await;
    assert_eq!(kept.uid(), made.uid(), "the child was replaced");
    assert_eq!(
        content(&kept),
        content(&made),
        "the content of the child changed"
    );
    is_made_again(api, name, &made).await;
}

async fn is_made_again<K>(api: &Api<K>, name: &str, first: &K)
where
    K: Resource + Clone + Debug + DeserializeOwned,
{
    let deleted = api.delete(name, &DeleteParams::background()).await;
    deleted.unwrap();
    until("another child", async || {
        let found = api.get_opt(name).await.unwrap()?;
        (found.uid() != first.uid()).then_some(())
    })
    .await;
}
