// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Whether an operator keeps what it made.
use crate::support::until;
use kube::ResourceExt;
use kube::api::{Api, DeleteParams, Patch, PatchParams};
use serde::de::DeserializeOwned;
use serde_json::json;

/// Waits for a child, and changes what is the operator's to say.
pub async fn is_kept<K>(api: &Api<K>, name: &str) -> K
where
    K: kube::Resource + Clone + std::fmt::Debug + DeserializeOwned,
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

/// The same, and deletes it.
#[allow(dead_code, reason = "not every child is made again")]
pub async fn comes_back<K>(api: &Api<K>, name: &str)
where
    K: kube::Resource + Clone + std::fmt::Debug + DeserializeOwned,
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
