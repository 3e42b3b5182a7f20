//! What the operator has made, as the cluster has it: a controller watches the kinds that it owns,
//! so that a pass over an object whose children are as they should be costs no request.
use super::NAME;
use futures::StreamExt;
use futures::channel::oneshot;
use k8s_openapi::NamespaceResourceScope;
use kube::api::{ApiResource, DynamicObject, TypeMeta};
use kube::runtime::WatchStreamExt;
use kube::runtime::watcher::{self, Error, Event, watcher};
use kube::{Api, Client, Resource, ResourceExt};
use serde_json::Value;
use std::any::TypeId;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// `Context::apply` puts this label on every child: what lacks it is not watched.
pub const MANAGED_BY: &str = "app.kubernetes.io/managed-by";

/// A namespace, if the kind has any, and a name.
pub type Key = (Option<String>, String);

/// The children of one kind that a controller owns.
pub struct Children {
    kind: ApiResource,
    namespaced: bool,
    owner: ApiResource,
    owner_namespaced: bool,
    objects: Mutex<HashMap<Key, Child>>,
}

struct Child {
    version: u64,
    owner: String,
    /// Text takes a tenth of the memory that a tree of values or a Rust type would take.
    json: Box<str>,
}

impl Children {
    pub fn new<Owner, Kind>() -> Self
    where
        Owner: Resource<DynamicType = (), Scope: 'static>,
        Kind: Resource<DynamicType = (), Scope: 'static>,
    {
        Self {
            kind: ApiResource::erase::<Kind>(&()),
            namespaced: is_namespaced::<Kind>(),
            owner: ApiResource::erase::<Owner>(&()),
            owner_namespaced: is_namespaced::<Owner>(),
            objects: Mutex::default(),
        }
    }

    pub fn is_of<Kind: Resource<DynamicType = ()>>(&self) -> bool {
        self.kind.kind == Kind::kind(&()) && self.kind.group == Kind::group(&())
    }

    pub fn is_namespaced(&self) -> bool {
        self.namespaced
    }

    /// The child as it was seen last.
    pub fn get(&self, key: &Key) -> Option<Value> {
        serde_json::from_str(&self.objects().get(key)?.json).ok()
    }

    /// Keeps `object` unless something newer is known. If it was news, the owner is returned.
    pub fn put(&self, mut object: DynamicObject) -> Option<Key> {
        let key = key(&object);
        let version = version(&object);
        let Some(owner) = self.owner_of(&object) else {
            return self.remove(&key, version); // somebody has disowned it
        };
        object.managed_fields_mut().clear();
        object.types.get_or_insert_with(|| TypeMeta {
            // What is in a list has none.
            api_version: self.kind.api_version.clone(),
            kind: self.kind.kind.clone(),
        });
        let json = serde_json::to_string(&object).ok()?.into();
        let mut objects = self.objects();
        if objects
            .get(&key)
            .is_some_and(|known| known.version >= version)
        {
            return None;
        }
        let changed = self.owner_key(&key, &owner);
        objects.insert(
            key,
            Child {
                version,
                owner,
                json,
            },
        );
        Some(changed)
    }

    fn remove(&self, key: &Key, version: u64) -> Option<Key> {
        let mut objects = self.objects();
        // Something newer was made in its place, if the versions say so.
        objects.get(key).filter(|known| known.version <= version)?;
        let gone = objects.remove(key)?;
        Some(self.owner_key(key, &gone.owner))
    }

    /// Watches a namespace, or all of them: `changed` is told whose child has changed, `is_warm`
    /// that all children there are have been seen.
    pub async fn watch(
        &self,
        client: Client,
        namespace: Option<&str>,
        mut changed: impl FnMut(Key),
        is_warm: oneshot::Sender<()>,
    ) {
        let api: Api<DynamicObject> = match namespace.filter(|_| self.namespaced) {
            Some(namespace) => Api::namespaced_with(client, namespace, &self.kind),
            None => Api::all_with(client, &self.kind),
        };
        let ours = watcher::Config::default().labels(&format!("{MANAGED_BY}={NAME}"));
        let mut events = watcher(api, ours).default_backoff().boxed();
        let (mut listed, mut is_warm) = (HashSet::new(), Some(is_warm));
        while let Some(event) = events.next().await {
            match event {
                Ok(Event::Init) => listed.clear(),
                Ok(Event::InitApply(object)) => {
                    listed.insert(key(&object));
                    self.put(object).into_iter().for_each(&mut changed);
                }
                Ok(Event::InitDone) => {
                    // What is not in the list was deleted while nobody watched.
                    self.retain(namespace, &listed)
                        .into_iter()
                        .for_each(&mut changed);
                    is_warm.take().map(|warm| warm.send(()));
                }
                Ok(Event::Apply(object)) => self.put(object).into_iter().for_each(&mut changed),
                Ok(Event::Delete(object)) => {
                    let owner = self.remove(&key(&object), version(&object));
                    owner.into_iter().for_each(&mut changed);
                }
                Err(error) => report(&self.kind, &error),
            }
        }
    }

    fn retain(&self, namespace: Option<&str>, listed: &HashSet<Key>) -> Vec<Key> {
        let elsewhere = |key: &Key| namespace.is_some() && key.0.as_deref() != namespace;
        self.objects()
            .extract_if(|key, _| !elsewhere(key) && !listed.contains(key))
            .map(|(key, gone)| self.owner_key(&key, &gone.owner))
            .collect()
    }

    fn owner_of(&self, object: &DynamicObject) -> Option<String> {
        let mut owners = object.owner_references().iter();
        let owner = owners.find(|owner| owner.controller == Some(true))?;
        let group = owner
            .api_version
            .rsplit_once('/')
            .map_or("", |(group, _)| group);
        (owner.kind == self.owner.kind && group == self.owner.group).then(|| owner.name.clone())
    }

    fn owner_key(&self, child: &Key, owner: &str) -> Key {
        (
            child.0.clone().filter(|_| self.owner_namespaced),
            owner.to_owned(),
        )
    }

    fn objects(&self) -> MutexGuard<'_, HashMap<Key, Child>> {
        self.objects.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub fn is_namespaced<K: Resource<Scope: 'static>>() -> bool {
    TypeId::of::<K::Scope>() == TypeId::of::<NamespaceResourceScope>()
}

pub fn key(object: &impl ResourceExt) -> Key {
    (object.namespace(), object.name_any())
}

/// Kubernetes promises since 1.35 that versions are numbers that grow, and has always made them so.
pub fn version(object: &impl ResourceExt) -> u64 {
    let version = object.resource_version();
    version
        .and_then(|version| version.parse().ok())
        .unwrap_or(0)
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
        let children = Children::new::<Deployment, Pod>();
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
        children.put(child("12", owner));
        assert_eq!(children.retain(Some("other"), &HashSet::new()), []);
        assert_eq!(children.retain(None, &HashSet::new()), [changed.unwrap()]);
    }
}
