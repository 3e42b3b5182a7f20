//! Keeps a cache up to date with a watch.

use crate::cache::{Cache, Key, Namespace, version};
use crate::observed::Observed;
use crate::priority::Priority::{High, Low};
use futures::{StreamExt, TryStreamExt, future::pending};
use kube::api::{ApiResource, DynamicObject, ListParams, PartialObjectMeta};
use kube::core::DynamicResourceScope;
use kube::runtime::utils::Backoff;
use kube::runtime::watcher::{DefaultBackoff, Error, Event, watcher};
use kube::{Api, Client, Resource};
use std::{collections::HashMap, sync::Arc};
use tokio::time::sleep;

/// Updates `cache` by watching a namespace, or all namespaces, until the future is dropped.
pub async fn watch(cache: Arc<Cache>, client: Client, namespace: Namespace) {
    let listed = cache.listed(&namespace);
    let namespace = namespace.as_deref();
    let config = cache.watched.clone();
    let mut events = match cache.metadata_only {
        false => watcher(api(client.clone(), namespace, &cache.kind), config).boxed(),
        true => watcher(api(client.clone(), namespace, &cache.kind), config)
            .map_ok(without_data)
            .boxed(),
    };
    let mut pauses = DefaultBackoff::default();
    // The objects in the cache when a list began, and those of them that the list has not returned yet.
    let (mut before, mut unlisted) = (HashMap::new(), HashMap::new());
    let resource = format!("{}.{}", cache.kind.plural, cache.kind.group);
    while let Some(event) = events.next().await {
        // kube's `default_backoff` begins anew with each attempt to list.
        if let Ok(Event::InitDone | Event::Apply(_) | Event::Delete(_)) = event {
            pauses.reset();
        }
        match event {
            Ok(Event::Init) => {
                before = cache.begin_list(namespace);
                unlisted = before.clone();
            }
            Ok(Event::InitApply(object) | Event::Apply(object)) if version(&object) == 0 => {
                let (version, why) = (object.metadata.resource_version, "a version is invalid");
                tracing::error!(resource, version, "cannot be watched: {why}");
                return pending().await; // not listed, so that nothing is reconciled
            }
            Ok(Event::InitApply(object)) => {
                let key = Key::of(&object);
                unlisted.remove(&key);
                let version = before.get(&key).copied();
                let priority = if listed.is_cancelled() { High } else { Low };
                cache.put_listed(object, version, priority);
            }
            Ok(Event::InitDone) => {
                // Deleted while nobody watched, or else written while the list was on its way.
                for (key, version) in unlisted.drain() {
                    cache.remove(&key, version);
                }
                before = HashMap::new();
                for (key, version) in cache.end_list(namespace) {
                    let found = look_for(&cache, client.clone(), &key).await;
                    match found {
                        Ok(Some(object)) => cache.put(object),
                        // If the object exists after all, the watch or the next pass finds it.
                        Ok(None) | Err(_) => cache.remove(&key, version),
                    }
                }
                listed.cancel();
            }
            Ok(Event::Apply(object)) => cache.put(object),
            Ok(Event::Delete(object)) => cache.remove(&Key::of(&object), version(&object)),
            Err(error) => {
                report(&resource, namespace, &error);
                sleep(pauses.next().unwrap_or_default()).await;
            }
        }
    }
}

/// Requests the object with this key, if the selectors of the watch match it.
async fn look_for(cache: &Cache, client: Client, key: &Key) -> kube::Result<Option<Observed>> {
    let watched = cache.watched.clone();
    let mut fields: Vec<_> = watched.field_selector.into_iter().collect();
    fields.push(format!("metadata.name={}", key.name()));
    let mut one = ListParams::default().fields(&fields.join(","));
    one.label_selector = watched.label_selector;
    let api: Api<Observed> = api(client, key.namespace(), &cache.kind);
    Ok(api.list(&one).await?.items.pop())
}

fn api<K: Resource<DynamicType = ApiResource, Scope = DynamicResourceScope>>(
    client: Client,
    namespace: Option<&str>,
    kind: &ApiResource,
) -> Api<K> {
    match namespace {
        Some(namespace) => Api::namespaced_with(client, namespace, kind),
        None => Api::all_with(client, kind),
    }
}

fn without_data(event: Event<PartialObjectMeta<DynamicObject>>) -> Event<Observed> {
    let observed = |object: PartialObjectMeta<_>| Observed::without_data(object.metadata);
    match event {
        Event::Init => Event::Init,
        Event::InitApply(object) => Event::InitApply(observed(object)),
        Event::InitDone => Event::InitDone,
        Event::Apply(object) => Event::Apply(observed(object)),
        Event::Delete(object) => Event::Delete(observed(object)),
    }
}

/// Logs why a watch failed. The watch is tried again after increasing pauses.
fn report(resource: &str, namespace: Option<&str>, error: &Error) {
    match error {
        Error::InitialListFailed(kube::Error::Api(status)) if status.code == 404 => {
            let why = "the resource is unknown to the cluster: is the CRD installed?";
            tracing::warn!(resource, namespace, "{why}");
        }
        // Usual after a pause, and while a CRD is new: the objects are listed again.
        Error::WatchError(status) if status.code == 410 => {
            tracing::info!(resource, namespace, "watch expired");
        }
        error => tracing::warn!(resource, namespace, "watch failed: {error}"),
    }
}
