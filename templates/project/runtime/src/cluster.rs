//! The cluster as one controller sees it and writes to it.

use crate::cache::{Cache, Cached, Key};
use crate::events::Events;
use crate::name::Name;
use crate::owner::Owner;
use anyhow::Context as _;
use kube::api::{ApiResource, DeleteParams, DynamicObject, GetParams, Preconditions};
use kube::core::Request;
use kube::{Client, Resource};
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedSender;

pub struct Cluster {
    pub client: Client,
    /// The operator's name in the cluster, which is the value of a label of all children.
    pub operator: &'static str,
    /// The field manager of all applies. Under a new name, the controller could not remove fields
    /// that it applied under the old one.
    pub field_manager: String,
    pub objects: Cache,
    pub children: Vec<Cache>,
    pub watched: Vec<Cache>,
    /// The kinds whose objects are requested one by one. These caches stay empty.
    pub read: Vec<Cache>,
    pub changed: UnboundedSender<Key>,
    pub events: Events,
}

/// The caches of all kinds that a controller watches or reads.
pub struct Caches {
    pub objects: Cache,
    pub children: Vec<Cache>,
    pub watched: Vec<Cache>,
    pub read: Vec<Cache>,
}

impl Cluster {
    /// Makes the cluster of a controller. `operator` is the operator's name in the cluster, and
    /// `identity` is the name of this process.
    pub fn new(
        client: Client,
        (operator, identity): (&'static str, String),
        controller: &str,
        caches: Caches,
        changed: UnboundedSender<Key>,
    ) -> Self {
        let field_manager = format!("{operator}/{controller}");
        Self {
            events: Events::new(client.clone(), field_manager.clone(), identity),
            client,
            operator,
            field_manager,
            objects: caches.objects,
            children: caches.children,
            watched: caches.watched,
            read: caches.read,
            changed,
        }
    }

    /// Returns the cache of an owned kind.
    pub fn owned(&self, kind: &ApiResource) -> anyhow::Result<&Cache> {
        let name = &kind.kind;
        let found = self.children.iter().find(|cache| cache.holds(kind));
        found.with_context(|| format!("{name} is not owned: add `.owns::<{name}>()`"))
    }

    /// Returns the children of an owner, sorted by namespace and name, but not those of an earlier
    /// owner with the same name.
    pub fn children_of(
        &self,
        owner: &Owner,
        kind: &ApiResource,
    ) -> anyhow::Result<Vec<Arc<Cached>>> {
        let mut children = Vec::new();
        for child in self.owned(kind)?.with_subject(&owner.key) {
            let object: DynamicObject = serde_json::from_str(&child.json())?;
            if owner.owns(&object) {
                children.push((object.metadata.namespace, object.metadata.name, child));
            }
        }
        children.sort_by(|one, other| (&one.0, &one.1).cmp(&(&other.0, &other.1)));
        Ok(children.into_iter().map(|(_, _, child)| child).collect())
    }

    pub async fn remove(
        &self,
        owner: &Owner,
        kind: &ApiResource,
        name: Name,
    ) -> anyhow::Result<()> {
        let children = self.owned(kind)?;
        let key = name.key(owner.key.namespace(), children.namespaced);
        let child = children.get(&key).filter(|child| !child.deleting);
        let Some(child) = child else { return Ok(()) };
        let object: DynamicObject = serde_json::from_str(&child.json())?;
        match owner.owns(&object) {
            true => self.delete(kind, &key, object.metadata.uid).await,
            false => Ok(()),
        }
    }

    async fn delete(
        &self,
        kind: &ApiResource,
        key: &Key,
        uid: Option<String>,
    ) -> anyhow::Result<()> {
        let at = Request::new(DynamicObject::url_path(kind, key.namespace()));
        // The API server refuses to delete another object that was made under this name since.
        let resource_version = None;
        let same = Preconditions {
            uid,
            resource_version,
        };
        let params = DeleteParams::background().preconditions(same);
        let (kind, name) = (&kind.kind, key.name());
        match self.send(at.delete(name, &params)).await {
            Err(kube::Error::Api(status)) if status.is_not_found() || status.is_conflict() => {}
            result => {
                result.with_context(|| format!("{kind} {name} cannot be deleted"))?;
                tracing::info!(child.kind = kind, child.name = name, "deleted");
            }
        }
        Ok(())
    }

    /// Returns an object of a kind that is watched or read as JSON.
    pub async fn get(
        &self,
        kind: &ApiResource,
        name: Name,
        namespace: Option<&str>,
    ) -> anyhow::Result<Option<String>> {
        if let Some(read) = self.read.iter().find(|cache| cache.holds(kind)) {
            let key = name.key(namespace, read.namespaced);
            let at = Request::new(DynamicObject::url_path(kind, key.namespace()));
            return match self.send(at.get(key.name(), &GetParams::default())).await {
                Err(kube::Error::Api(status)) if status.is_not_found() => Ok(None),
                found => Ok(Some(found?.to_string())),
            };
        }
        // A kind may be watched several times, each time with other selectors.
        let caches = || self.watched.iter().filter(|cache| cache.holds(kind));
        let first = caches().next().with_context(|| {
            let kind = &kind.kind;
            format!("{kind} is not watched: add `.watches::<{kind}>(..)` or `.reads::<{kind}>()`")
        })?;
        let key = name.key(namespace, first.namespaced);
        let mut whole = caches().filter(|cache| !cache.metadata_only);
        let found = whole.find_map(|cache| cache.get(&key));
        if found.is_none() && caches().any(|cache| cache.metadata_only) {
            let found = self.fetch(kind, &key).await?;
            return Ok(found.map(|found| found.to_string()));
        }
        Ok(found.map(|cached| cached.json()))
    }
}
