//! What the operator has made, as the cluster has it: a controller watches the kinds that it owns,
//! so that a pass over an object whose children are as they should be costs no request.
use super::NAME;
use futures::StreamExt;
use k8s_openapi::NamespaceResourceScope;
use kube::api::{ApiResource, DynamicObject};
use kube::runtime::watcher::{self, Error, Event, watcher};
use kube::{Api, Client, Resource, ResourceExt, runtime::WatchStreamExt};
use parking_lot::Mutex;
use serde_json::Value;
use std::{any::TypeId, collections::HashMap};
use tokio_util::task::task_tracker::TaskTrackerToken;

/// `Context::apply` puts this label on every child: what lacks it is not watched.
pub const MANAGED_BY: &str = "app.kubernetes.io/managed-by";

/// A namespace, if the kind has any, and a name.
pub type Key = (Option<String>, String);

/// The children of one kind that a controller owns.
pub struct Children {
    kind: ApiResource,
    pub namespaced: bool,
    owner: ApiResource,
    owner_namespaced: bool,
    objects: Mutex<HashMap<Key, Child>>,
}

struct Child {
    version: u64,
    owner: Key,
    /// Text takes a tenth of the memory that a tree of values or a Rust type would take.
    json: Box<str>,
}

impl Children {
    pub fn new<Kind>(owner: ApiResource, owner_namespaced: bool) -> Self
    where
        Kind: Resource<DynamicType = (), Scope: 'static>,
    {
        Self {
            kind: ApiResource::erase::<Kind>(&()),
            namespaced: TypeId::of::<Kind::Scope>() == TypeId::of::<NamespaceResourceScope>(),
            owner,
            owner_namespaced,
            objects: Mutex::default(),
        }
    }

    pub fn is_of<Kind: Resource<DynamicType = ()>>(&self) -> bool {
        self.kind.kind == Kind::kind(&()) && self.kind.group == Kind::group(&())
    }

    /// The child as it was seen last.
    pub fn get(&self, key: &Key) -> Option<Value> {
        serde_json::from_str(&self.objects.lock().get(key)?.json).ok()
    }

    /// Keeps `object` unless something newer is known. If it was news, the owner is returned.
    pub fn put(&self, mut object: DynamicObject) -> Option<Key> {
        let (key, version) = (key(&object), version(&object));
        let Some(owner) = self.owner_of(&object) else {
            return self.remove(&key, version); // somebody has disowned it
        };
        let mut objects = self.objects.lock();
        if objects.get(&key).is_some_and(|old| old.version >= version) {
            return None;
        }
        for entry in object.managed_fields_mut() {
            entry.fields_v1 = None;
        }
        object.types = DynamicObject::new("", &self.kind).types; // what is in a list has none
        let child = Child {
            version,
            owner: owner.clone(),
            json: serde_json::to_string(&object).ok()?.into(),
        };
        objects.insert(key, child);
        Some(owner)
    }

    fn remove(&self, key: &Key, version: u64) -> Option<Key> {
        let mut objects = self.objects.lock();
        // Something newer was made in its place, if the versions say so.
        objects.get(key).filter(|known| known.version <= version)?;
        objects.remove(key).map(|gone| gone.owner)
    }

    /// Watches a namespace, or all of them: `changed` is told whose child has changed. `cold` is
    /// dropped when all children there have been seen.
    pub async fn watch(
        &self,
        client: Client,
        namespace: Option<&str>,
        changed: impl Fn(Key),
        cold: TaskTrackerToken,
    ) {
        let api: Api<DynamicObject> = match namespace.filter(|_| self.namespaced) {
            Some(namespace) => Api::namespaced_with(client, namespace, &self.kind),
            None => Api::all_with(client, &self.kind),
        };
        let ours = watcher::Config::default().labels(&format!("{MANAGED_BY}={NAME}"));
        let mut events = watcher(api, ours).default_backoff().boxed();
        let (mut unlisted, mut cold) = (HashMap::new(), Some(cold));
        let tell = |owner: Option<Key>| owner.into_iter().for_each(&changed);
        while let Some(event) = events.next().await {
            match event {
                Ok(Event::Init) => unlisted = self.versions(namespace),
                Ok(Event::InitApply(object)) => {
                    unlisted.remove(&key(&object));
                    tell(self.put(object));
                }
                Ok(Event::InitDone) => {
                    // Deleted while nobody watched, or else applied while the list was on its way.
                    for (key, version) in unlisted.drain() {
                        tell(self.remove(&key, version));
                    }
                    drop(cold.take());
                }
                Ok(Event::Apply(object)) => tell(self.put(object)),
                Ok(Event::Delete(object)) => tell(self.remove(&key(&object), version(&object))),
                Err(error) => report(&self.kind, &error),
            }
        }
    }

    fn versions(&self, namespace: Option<&str>) -> HashMap<Key, u64> {
        let objects = self.objects.lock();
        let versions = objects
            .iter()
            .map(|(key, child)| (key.clone(), child.version));
        versions
            .filter(|(key, _)| namespace.is_none() || key.0.as_deref() == namespace)
            .collect()
    }

    fn owner_of(&self, object: &DynamicObject) -> Option<Key> {
        let mut owners = object.owner_references().iter();
        let owner = owners.find(|owner| owner.controller == Some(true))?;
        let group = owner.api_version.rsplit('/').nth(1).unwrap_or("");
        let namespace = object.namespace().filter(|_| self.owner_namespaced);
        let is_ours = owner.kind == self.owner.kind && group == self.owner.group;
        is_ours.then(|| (namespace, owner.name.clone()))
    }
}

pub fn key(object: &impl ResourceExt) -> Key {
    (object.namespace(), object.name_any())
}

/// Kubernetes promises since 1.35 that versions are numbers that grow, and has always made them so.
pub fn version(object: &impl ResourceExt) -> u64 {
    let version = object.resource_version().unwrap_or_default();
    version.parse().unwrap_or(0)
}

/// Logs why a watch failed. It is tried again, after pauses that grow.
pub fn report(kind: &ApiResource, error: &Error) {
    let resource = format!("{}.{}", kind.plural, kind.group);
    match error {
        Error::InitialListFailed(kube::Error::Api(status)) if status.code == 404 => {
            tracing::warn!(resource, "unknown to the cluster: is the CRD installed?");
        }
        error => tracing::warn!(resource, "watch failed: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use k8s_openapi::api::apps::v1::Deployment;
    use k8s_openapi::api::core::v1::Pod;
    use serde_json::json;

    fn child(version: &str, owners: Value) -> DynamicObject {
        let metadata = json!({
            "name": "a", "namespace": "ns", "resourceVersion": version, "ownerReferences": owners,
        });
        // As in a list: without a kind.
        serde_json::from_value(json!({ "metadata": metadata, "spec": {} })).unwrap()
    }

    #[test]
    fn news_are_told_to_the_owner_and_old_news_are_not() {
        let children = Children::new::<Pod>(ApiResource::erase::<Deployment>(&()), true);
        let owner = json!([{
            "apiVersion": "apps/v1", "kind": "Deployment", "name": "o", "uid": "1", "controller": true,
        }]);
        let (key, changed) = (
            (Some("ns".into()), "a".into()),
            Some((Some("ns".into()), "o".into())),
        );
        assert_eq!(children.put(child("10", owner.clone())), changed);
        assert_eq!(
            children.put(child("10", owner.clone())),
            None,
            "its own echo"
        );
        assert_eq!(children.put(child("9", owner.clone())), None);
        assert_eq!(children.get(&key).unwrap()["kind"], "Pod");
        assert_eq!(children.remove(&key, 9), None, "made again since");
        assert_eq!(children.put(child("11", json!([]))), changed, "disowned");
        assert!(children.get(&key).is_none());
        children.put(child("12", owner.clone()));
        assert_eq!(children.versions(Some("other")), HashMap::new());
        let unlisted = children.versions(Some("ns"));
        assert_eq!(unlisted, HashMap::from([(key.clone(), 12)]));
        children.put(child("13", owner));
        assert_eq!(
            children.remove(&key, unlisted[&key]),
            None,
            "applied since the list"
        );
    }
}
