//! Server-side apply of children that sends no request if nothing would change.

use crate::cache::{Cached, Done, Event, Key, OWNER, Owner, View, Write};
use crate::cluster::Cluster;
use crate::difference::{difference, outline};
use crate::failure::{ApplyError, Unseen, of_apply};
use crate::marks::{HASH, MANAGED_BY};
use crate::observed::Observed;
use anyhow::{Context as _, Result, ensure};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::api::{ApiResource, Patch, PatchParams, PostParams};
use kube::core::Request;
use serde::Deserialize;
use serde_json::{Value, json};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::Ordering::Relaxed;

/// A desired child, with its owner and the cluster to apply it to.
pub struct Child<'a> {
    pub cluster: &'a Cluster,
    pub owner: Owner,
    pub kind: ApiResource,
    pub key: Key,
    pub desired: Value,
    pub children: &'a View,
}

impl<'a> Child<'a> {
    /// Adds the namespace, the owner, the `MANAGED_BY` label and the `HASH` annotation to `desired`.
    pub fn new(
        cluster: &'a Cluster,
        owner: Owner,
        kind: ApiResource,
        mut desired: Value,
    ) -> Result<Self> {
        let (children, name) = (cluster.owned(&kind)?, &kind.kind);
        let (reconciled, of) = (&cluster.views.objects.kind, &owner.reference);
        let group = of.api_version.rsplit_once('/');
        ensure!(
            of.kind == reconciled.kind && group.map_or("", |(group, _)| group) == reconciled.group,
            "{name} cannot be a child of {}, because this controller reconciles {}",
            of.kind,
            reconciled.kind,
        );
        let (metadata, owner_in) = (&mut desired["metadata"], owner.key.namespace());
        if children.namespaced && metadata["namespace"].is_null() {
            metadata["namespace"] = owner_in.into();
        }
        let key = Key::of_json(metadata);
        ensure!(
            !key.name().is_empty(),
            "{name} cannot be a child: it has no metadata.name, by which the next pass finds it",
        );
        let is_elsewhere = owner_in.is_some() && key.namespace() != owner_in;
        ensure!(
            !is_elsewhere || children.across_namespaces,
            "{name} {} is not in namespace {} of its owner: to own it, add \
             `.owns_across_namespaces(Watch::<{name}>::new())`",
            key.name(),
            owner_in.unwrap_or_default(),
        );
        if let Some(annotations) = metadata.get_mut("annotations") {
            // As a child may have that is copied to this one.
            annotations.as_object_mut().map(|known| known.remove(OWNER));
        }
        match &mut metadata["ownerReferences"] {
            references if is_elsewhere => {
                if let Some(references) = references.as_array_mut() {
                    references.retain(|reference| reference["controller"] != true);
                }
                metadata["annotations"][OWNER] = owner.annotation().into();
            }
            Value::Array(references) => references.push(json!(owner.reference)),
            none => *none = json!([owner.reference]),
        }
        metadata["labels"][MANAGED_BY] = cluster.operator.into();
        // A type with a part of the fields may lack them.
        desired["apiVersion"] = kind.api_version.clone().into();
        desired["kind"] = kind.kind.clone().into();
        let hash = hash(&outline(&desired));
        desired["metadata"]["annotations"][HASH] = hash.into();
        Ok(Self {
            cluster,
            owner,
            kind,
            key,
            desired,
            children,
        })
    }

    /// Applies the child unless the cached child already has the desired fields: see
    /// [`Context::apply`](crate::Context::apply).
    pub async fn apply(&self) -> Result<Value> {
        let cached = self.children.get(&self.key);
        let observed = cached.as_deref().map(Cached::tree).transpose()?;
        if let (Some(cached), Some(same)) = (&cached, &observed)
            && (!self.children.metadata_only && difference(&self.desired, same).is_none()
                || cached.unchanged_by.load(Relaxed) == digest(&self.desired))
        {
            return Ok(self.with_desired(observed.unwrap_or_default()));
        }
        let write = self.children.write(self.key.clone());
        let result = match &observed {
            Some(observed) => self.change(observed).await.map(|stored| (stored, true)),
            None => self.create(&self.cluster.field_manager).await,
        };
        let (stored, is_applied) = result.map_err(|error| self.cannot_be("applied", error))?;
        if !is_applied {
            // `desired` may have a new password, say, because there seemed to be none.
            write.done(stored);
            let what = format!("{} {}", self.kind.kind, self.key.name());
            return Err(Unseen).context(ApplyError::Conflict(what));
        }
        self.log("applied");
        let tree = stored.tree(&self.kind)?;
        let differs = difference(&self.desired, &tree);
        if let Some(field) = &differs {
            // Such as a quantity of `1000m`, which is stored as `1`.
            tracing::info!(child.kind = self.kind.kind, field, "stored in another form");
        }
        self.keep(write, stored);
        let cached = self.children.get(&self.key);
        if let Some(cached) = cached.filter(|cached| cached.is_version_of(&tree))
            // Else a webhook that is called only for creations may have changed the child.
            && (observed.is_some() || differs.is_none())
        {
            cached.unchanged_by.store(digest(&self.desired), Relaxed);
        }
        Ok(tree)
    }

    /// Returns the desired child with the metadata of `observed` if only the metadata is cached.
    pub fn with_desired(&self, mut observed: Value) -> Value {
        if self.children.metadata_only {
            let metadata = observed["metadata"].take();
            observed = self.desired.clone();
            observed["metadata"] = metadata;
        }
        observed
    }

    /// Removes the parts of the child that other clients added, given as JSON pointers in
    /// `foreign`: see [`Context::apply_exactly`](crate::Context::apply_exactly). `stored` is the
    /// child as an apply returned it.
    pub async fn take_away(&self, stored: Value, foreign: Vec<String>) -> Result<Value> {
        let (cached, paths) = (self.children.get(&self.key), json!(foreign));
        let cached = cached.filter(|cached| cached.is_version_of(&stored));
        let is_vain = |known: &Cached| known.kept_by_others.load(Relaxed) == digest(&paths);
        if foreign.is_empty() || cached.as_deref().is_some_and(is_vain) {
            return Ok(stored);
        }
        let remove = |path| json!({ "op": "remove", "path": path });
        let write = self.children.write(self.key.clone());
        let version = stored["metadata"]["resourceVersion"].as_str();
        let version = version.map(str::to_owned);
        let left = self.patch(version, foreign.iter().map(remove)).await;
        let left = left.map_err(|error| self.cannot_be("applied", error))?;
        self.log("removed fields that other clients have set");
        let tree = left.tree(&self.kind)?;
        if let Some(cached) = cached.filter(|cached| cached.is_version_of(&tree)) {
            cached.kept_by_others.store(digest(&paths), Relaxed);
        }
        self.keep(write, left);
        Ok(tree)
    }

    /// Creates the child unless it exists: see
    /// [`Context::create_once`](crate::Context::create_once).
    pub async fn create_once(&self) -> Result<Value> {
        if let Some(cached) = self.children.get(&self.key) {
            self.may_adopt(&cached.metadata()?).await?;
            if !self.children.metadata_only {
                return Ok(cached.tree()?);
            }
            let existing = self.cluster.fetch(&self.kind, &self.key).await?;
            let existing = existing.context("the child no longer exists: the cache is stale")?;
            return Ok(existing.tree(&self.kind)?);
        }
        let write = self.children.write(self.key.clone());
        // Not the manager of applies: the fields stay when a part of the child is applied.
        let manager = format!("{}/once", self.cluster.field_manager);
        let created = self.create(&manager).await;
        let (stored, is_new) = created.map_err(|error| self.cannot_be("created", error))?;
        if is_new {
            self.log("created");
        }
        let tree = stored.tree(&self.kind)?;
        self.keep(write, stored);
        Ok(tree)
    }

    /// Caches the API server's answer to a write of the child. Triggers another reconciliation of
    /// the owner if the child may have been deleted since the write.
    fn keep(&self, write: Write<'_>, stored: Observed) {
        if write.done(stored) == Done::Unsure {
            let due = Event::Due(self.owner.key.clone());
            let _ = self.cluster.changed.send(due); // fails when the controller stops
        }
    }

    /// Creates the child with a POST, which costs the API server less than an apply. If the child
    /// exists although the cache lacks it, adopts the existing child and changes nothing else in
    /// it. Returns the child, and true if the child is new.
    async fn create(&self, field_manager: &str) -> Result<(Observed, bool)> {
        // It was there, and may have been collected with its owner. Whatever is made for that would
        // be collected and made again for as long as its watch does not tell.
        let known = self.cluster.views.objects.get(&self.owner.key);
        if known.is_some_and(|known| known.may_be_gone.load(Relaxed)) {
            self.is_owner_alive().await?;
        }
        let desired = &self.desired;
        #[cfg(feature = "telemetry")]
        let desired = &*crate::telemetry::traces::annotated(desired);
        let params = PostParams {
            field_manager: Some(field_manager.to_owned()),
            ..Default::default()
        };
        let create = self.at().create(&params, serde_json::to_vec(desired)?);
        match self.cluster.send(create).await {
            Err(kube::Error::Api(status)) if status.is_already_exists() => {
                let existing = self.cluster.fetch(&self.kind, &self.key).await?;
                let existing = existing.context("it was deleted meanwhile")?;
                Ok((self.adopt(existing).await?, false))
            }
            stored => Ok((stored?, true)),
        }
    }

    /// Applies the child to `old`, the existing object with the same name.
    async fn change(&self, old: &Value) -> Result<Observed> {
        let old = ObjectMeta::deserialize(&old["metadata"])?;
        self.may_adopt(&old).await?;
        // The API server refuses the apply if the object has changed: by now, it may be an orphan,
        // which an owner reference would delete, or somebody else's object of the same name; and a
        // Service would lose a node port that was allocated since.
        let mut version = old.resource_version;
        // An apply only removes fields that were applied before. So the entry of the creation in
        // the managed fields is changed to that of an apply.
        let creation = old.managed_fields.iter().flatten().position(|entry| {
            entry.manager.as_ref() == Some(&self.cluster.field_manager)
                && entry.operation.as_deref() == Some("Update")
        });
        if let Some(index) = creation {
            let operation = format!("/metadata/managedFields/{index}/operation");
            let apply = json!({ "op": "replace", "path": operation, "value": "Apply" });
            let taken = self.patch(version, [apply]).await?;
            version = taken.metadata.resource_version;
        }
        let mut new = self.desired.clone();
        new["metadata"]["resourceVersion"] = version.into();
        // If the object is gone, the version alone lets the API server make it again, for an owner
        // that may be gone as well.
        new["metadata"]["uid"] = old.uid.into();
        #[cfg(feature = "telemetry")]
        let new = crate::telemetry::traces::annotated(&new).into_owned();
        let (params, patch) = (self.cluster.params(), Patch::Apply(new));
        let apply = self.at().patch(self.key.name(), &params, &patch);
        Ok(self.cluster.send(apply).await?)
    }

    /// Changes the child with a JSON patch (RFC 6902). The API server refuses the patch if the
    /// child does not have the resource version `version`.
    async fn patch(
        &self,
        version: Option<String>,
        operations: impl IntoIterator<Item = Value>,
    ) -> Result<Observed> {
        let same =
            json!({ "op": "replace", "path": "/metadata/resourceVersion", "value": version });
        let patch: Vec<_> = [same].into_iter().chain(operations).collect();
        let patch = Patch::Json::<()>(serde_json::from_value(patch.into())?);
        let params = PatchParams::default();
        let patch = self.at().patch(self.key.name(), &params, &patch);
        Ok(self.cluster.send(patch).await?)
    }

    pub fn at(&self) -> Request {
        self.key.place(&self.kind)
    }

    fn cannot_be(&self, what: &str, error: anyhow::Error) -> anyhow::Error {
        let (kind, name) = (&self.kind.kind, self.key.name());
        of_apply(error, format!("{kind} {name} cannot be {what}"))
    }

    pub fn log(&self, done: &str) {
        let (kind, name) = (&self.kind.kind, self.key.name());
        tracing::info!(child.kind = kind, child.name = name, "{done}");
    }
}

impl Cached {
    fn tree(&self) -> serde_json::Result<Value> {
        serde_json::from_str(&self.json())
    }

    fn is_version_of(&self, stored: &Value) -> bool {
        stored["metadata"]["resourceVersion"] == *self.version.to_string()
    }
}

/// Returns a hash to compare values in this process; other builds may hash differently.
fn digest(of: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.to_string().hash(&mut hasher);
    hasher.finish()
}

/// Returns the FNV-1a hash, which is short and, unlike the hashes of the standard library, the same
/// in every build.
fn hash(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
