//! A controller's access to the cluster: cached reads, requests and writes.

use crate::cache::{Cached, Done, Event, Key, Namespace, Owner, Pool, States, View, Write};
use crate::events::Events;
use crate::marks::MANAGED_BY;
use crate::name::Name;
use crate::observed::Observed;
use anyhow::{Context as _, Result, ensure};
use axum::http::Request;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::Client;
use kube::api::{ApiResource, DeleteParams, GetParams, ListParams, ObjectList, Patch, PatchParams};
use kube::api::{Preconditions, ValidationDirective};
use kube::core::{Status, request::Error};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedSender;

pub struct Cluster {
    pub client: Client,
    /// The operator's name in the cluster, which all children have as the value of a label.
    pub operator: &'static str,
    /// The field manager of all applies. After a change of this name, the controller could not
    /// remove fields that it applied under the old name.
    pub field_manager: String,
    pub views: Views,
    pub changed: UnboundedSender<Event>,
    pub events: Events,
}

/// The views of all kinds that a controller watches, and the kinds that it reads without a watch.
pub struct Views {
    pub objects: View,
    pub children: Vec<View>,
    pub watched: Vec<Watched>,
    /// The kinds whose objects are requested singly, each with true if the kind is namespaced.
    pub read: Vec<(ApiResource, bool)>,
}

/// A function that returns the keys of the objects to reconcile after a change of a watched
/// object, given the watched object's key and its states before and after the change.
pub type Affects = Box<dyn Fn(&Arc<Cluster>, &Key, &[Arc<Cached>]) -> Vec<Key> + Send + Sync>;

/// The view of a watched kind, and the function that returns the objects affected by a change.
pub struct Watched {
    pub view: View,
    pub affects: Affects,
}

impl Views {
    /// Connects the views to caches in `pool`. Children are selected by the label value `operator`.
    pub fn join(&mut self, pool: &mut Pool, operator: &str, namespaces: &[Namespace]) {
        for child in &mut self.children {
            let selector = &mut child.own().watched.label_selector;
            let ours = format!("{MANAGED_BY}={operator}");
            let wanted: Vec<_> = selector.take().into_iter().chain([ours]).collect();
            *selector = Some(wanted.join(","));
        }
        let is_namespaced = self.objects.namespaced;
        let watched = self.watched.iter_mut().map(|watched| &mut watched.view);
        let views = [&mut self.objects].into_iter().chain(&mut self.children);
        for view in views.chain(watched) {
            match is_namespaced && view.namespaced && !view.across_namespaces {
                true => pool.join(view, namespaces),
                false => pool.join(view, &[None]),
            }
        }
    }

    /// Returns the views of all kinds that are watched.
    pub fn all(&self) -> impl Iterator<Item = &View> {
        let watched = self.watched.iter().map(|watched| &watched.view);
        let own = [&self.objects].into_iter().chain(&self.children);
        own.chain(watched)
    }
}

impl Cluster {
    /// Makes a controller's access to the cluster. `operator` is the operator's name in the
    /// cluster, and `identity` is the name of this process.
    pub fn new(
        client: Client,
        (operator, identity): (&'static str, String),
        controller: &str,
        views: Views,
        changed: UnboundedSender<Event>,
    ) -> Self {
        let field_manager = format!("{operator}/{controller}");
        Self {
            events: Events::new(client.clone(), field_manager.clone(), identity),
            client,
            operator,
            field_manager,
            views,
            changed,
        }
    }

    /// Returns the views that contain objects of `kind`. A kind may be owned, and may also be
    /// watched several times with different selectors.
    pub fn views_of(&self, kind: ApiResource) -> impl Iterator<Item = &View> {
        self.views.all().filter(move |view| view.holds(&kind))
    }

    /// Returns the keys of the objects to reconcile after a change in the view with this id.
    pub fn affected(self: &Arc<Self>, view: usize, key: &Key, states: &States) -> Vec<Key> {
        let known = self.views.all().find(|known| known.id == view);
        let told = known.map(|known| {
            let mut told = known.subjects(key, states);
            if told.is_empty() && known.across_namespaces {
                // No predicate hides a dangling child: only this operator deletes it.
                told.extend(
                    states[1]
                        .as_ref()
                        .and_then(|child| self.former_owner(child)),
                );
            }
            told
        });
        let told = told.unwrap_or_default();
        let mut watched = self.views.watched.iter();
        let watched = watched.find(|watched| watched.view.id == view);
        let Some(Watched { affects, .. }) = watched.filter(|_| !told.is_empty()) else {
            return told;
        };
        let states: Vec<_> = states.iter().flatten().cloned().collect();
        affects(self, key, &states)
    }

    /// Returns the view of an owned kind.
    pub fn owned(&self, kind: &ApiResource) -> Result<&View> {
        let name = &kind.kind;
        let found = self.views.children.iter().find(|view| view.holds(kind));
        found.with_context(|| format!("{name} is not owned: add `.owns::<{name}>()`"))
    }

    /// Returns the children of an owner, sorted by namespace and name. Excludes the children of an
    /// earlier owner with the same name.
    pub fn children_of(&self, owner: &Owner, kind: &ApiResource) -> Result<Vec<Arc<Cached>>> {
        let mut children = Vec::new();
        for child in self.owned(kind)?.with_subject(&owner.key) {
            let metadata = child.metadata()?;
            if owner.owns(&metadata) {
                children.push((metadata.namespace, metadata.name, child));
            }
        }
        children.sort_by(|one, other| (&one.0, &one.1).cmp(&(&other.0, &other.1)));
        Ok(children.into_iter().map(|(_, _, child)| child).collect())
    }

    /// Deletes a child: see [`Context::remove`](crate::Context::remove).
    pub async fn remove(&self, owner: &Owner, kind: &ApiResource, name: Name) -> Result<()> {
        let children = self.owned(kind)?;
        let key = name.key(owner.key.namespace(), children.namespaced);
        let child = children.get(&key).filter(|child| !child.deleting);
        let Some(child) = child else { return Ok(()) };
        let metadata = child.metadata()?;
        if !owner.owns(&metadata) {
            return Ok(());
        }
        // The API server refuses to delete another object that was made under this name since.
        let same = Preconditions {
            uid: metadata.uid,
            ..Default::default()
        };
        self.delete(kind, &key, same).await.map(drop)
    }

    /// Deletes the child with this key. Returns false if the child does not exist, or has another
    /// uid than `same`. If `same` has a resource version, fails if one of them differs.
    pub async fn delete(&self, kind: &ApiResource, key: &Key, same: Preconditions) -> Result<bool> {
        let is_newer_refused = same.resource_version.is_some();
        let params = DeleteParams::background().preconditions(same);
        let (place, kind, name) = (key.place(kind), &kind.kind, key.name());
        match self.send::<IgnoredAny>(place.delete(name, &params)).await {
            Err(kube::Error::Api(status)) if status.is_not_found() => Ok(false),
            Err(kube::Error::Api(status)) if status.is_conflict() && !is_newer_refused => Ok(false),
            result => {
                result.with_context(|| format!("{kind} {name} cannot be deleted"))?;
                tracing::info!(child.kind = kind, child.name = name, "deleted");
                Ok(true)
            }
        }
    }

    /// Returns, as JSON, an object of a kind that the controller watches or reads.
    pub async fn get(
        &self,
        kind: &ApiResource,
        name: Name,
        namespace: Option<&str>,
    ) -> Result<Option<String>> {
        let is_it = |read: &ApiResource| read.kind == kind.kind && read.group == kind.group;
        if let Some((_, namespaced)) = self.views.read.iter().find(|(read, _)| is_it(read)) {
            let key = name.key(namespace, *namespaced);
            let get = key.place(kind).get(key.name(), &GetParams::default());
            return match self.send::<Observed>(get).await {
                Err(kube::Error::Api(status)) if status.is_not_found() => Ok(None),
                found => Ok(Some(found?.json(kind)?)),
            };
        }
        let views = || self.views_of(kind.clone());
        let first = views().next().with_context(|| {
            let kind = &kind.kind;
            format!("{kind} is not watched: add `.watches::<{kind}>(..)` or `.reads::<{kind}>()`")
        })?;
        let key = name.key(namespace, first.namespaced);
        let whole = views().filter(|view| !view.metadata_only);
        let found = whole.filter_map(|view| view.get(&key).filter(|found| !found.is_gone()));
        let found = found.max_by_key(|found| found.version);
        if found.is_none() && views().any(|view| view.metadata_only) {
            let found = self.fetch(kind, &key).await?;
            return Ok(found.map(|found| found.json(kind)).transpose()?);
        }
        Ok(found.map(|cached| cached.json()))
    }

    /// Requests an object from the API server with a list request: the watch needs the right to
    /// `list` anyway, but not the right to `get`.
    pub async fn fetch(&self, kind: &ApiResource, key: &Key) -> Result<Option<Observed>> {
        let one = ListParams::default().fields(&format!("metadata.name={}", key.name()));
        let list: ObjectList<Observed> = self.send(key.place(kind).list(&one)).await?;
        Ok(list.items.into_iter().next())
    }

    /// Requests the metadata of the reconciled object with this key. Returns empty metadata if there
    /// is no such object.
    pub async fn fetch_reconciled(&self, key: &Key) -> Result<ObjectMeta> {
        let now = self.fetch(&self.views.objects.kind, key).await?;
        Ok(now.map(|now| now.metadata).unwrap_or_default())
    }

    /// Fails if the object with this uid was deleted or is being deleted, according to `now`, the
    /// metadata that the API server returned for this key. Then marks the object as gone in the
    /// cache, so that later passes create no children for it.
    pub fn ensure_alive(&self, key: &Key, uid: &str, now: &ObjectMeta) -> Result<()> {
        let is_alive = now.uid.as_deref() == Some(uid) && now.deletion_timestamp.is_none();
        if !is_alive {
            self.views.objects.set_gone(key, uid);
        }
        ensure!(is_alive, "the owner is being deleted");
        Ok(())
    }

    /// Applies the status of an object whose version in the cache is `version`.
    pub async fn set_status(&self, key: Key, version: Option<String>, status: Value) -> Result<()> {
        let kind = &self.views.objects.kind;
        let patch = json!({
            "apiVersion": kind.api_version, "kind": kind.kind, "status": status,
            // The API server ignores a uid here. Without the version, an object that was made again
            // under this name would get the status of the deleted one.
            "metadata": { "resourceVersion": version },
        });
        let (params, patch, at) = (self.params(), Patch::Apply(patch), key.place(kind));
        let request = at.patch_subresource("status", key.name(), &params, &patch);
        let known = self.views.objects.get(&key);
        let write = self.views.objects.write(key.clone());
        match self.send(request).await {
            Err(kube::Error::Api(status)) if is_gone(&status, key.name()) => {
                // Just deleted: the watch may tell much later, and until then each child that is
                // made for it would be collected, and made again.
                known.inspect(|known| self.views.objects.set_gone(&key, &known.uid));
                Ok(())
            }
            Err(error) => Err(error).context("the status cannot be applied"),
            Ok(stored) => {
                tracing::debug!("status applied");
                self.keep_own(write, &key, stored);
                Ok(())
            }
        }
    }

    /// Caches `stored`, the API server's answer to `write`. Reconciles the written object again if
    /// the answer has other clients' changes, or if the object may have been deleted since.
    pub fn keep_own(&self, write: Write<'_>, key: &Key, stored: Observed) {
        if write.done(stored) != Done::Kept {
            let _ = self.changed.send(Event::Due(key.clone())); // fails when the controller stops
        }
    }

    pub fn params(&self) -> PatchParams {
        // The controller decides about these fields, whoever else has written them.
        let mut params = PatchParams::apply(&self.field_manager).force();
        // An apply fails for unknown fields anyway: validation would only cost another parse.
        params.field_validation = Some(ValidationDirective::Ignore);
        params
    }

    pub async fn send<T: DeserializeOwned>(
        &self,
        request: Result<Request<Vec<u8>>, Error>,
    ) -> kube::Result<T> {
        let request = request.map_err(kube::Error::BuildRequest)?;
        self.client.request(request).await
    }
}

/// Returns true if `status` says that the object itself was not found. If only a subresource is
/// missing, the details of `status` do not name the object.
fn is_gone(status: &Status, name: &str) -> bool {
    let details = status.details.as_ref();
    status.is_not_found() && details.is_some_and(|details| details.name == name)
}
