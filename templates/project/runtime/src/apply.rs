//! Server-side apply that sends no request if nothing would change.

use crate::adopt::Unseen;
use crate::cache::{Cache, Cached, Done, Key, Write};
use crate::cluster::Cluster;
use crate::difference::{difference, outline};
use crate::observed::Tree;
use crate::owner::{HASH, MANAGED_BY, Owner};
use anyhow::{Context as _, ensure};
use axum::http::Request as HttpRequest;
use kube::api::{ApiResource, DynamicObject, Patch, PatchParams, PostParams, ValidationDirective};
use kube::core::{Request, Status, request::Error as RequestError};
use kube::{Resource, Result};
use serde_json::{Value, json};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::Ordering::Relaxed;

impl Cluster {
    /// Applies the status of an object that the cache has at `version`.
    pub async fn write_status(
        &self,
        key: Key,
        version: Option<String>,
        status: Value,
    ) -> anyhow::Result<()> {
        let kind = &self.objects.kind;
        let patch = json!({
            "apiVersion": kind.api_version, "kind": kind.kind, "status": status,
            // The API server ignores a uid here. Without the version, an object that was made again
            // under this name would get the status of the deleted one.
            "metadata": { "resourceVersion": version },
        });
        let at = Request::new(DynamicObject::url_path(kind, key.namespace()));
        let (params, patch) = (self.params(), Patch::Apply(patch));
        let request = at.patch_subresource("status", key.name(), &params, &patch);
        let known = self.objects.get(&key);
        let write = self.objects.write(key.clone());
        match self.send(request).await {
            Err(kube::Error::Api(status)) if is_gone(&status, key.name()) => {
                // Just deleted: the watch may tell much later, and until then each child that is
                // made for it would be collected, and made again.
                known.inspect(|known| known.gone.store(true, Relaxed));
                Ok(())
            }
            Err(error) => Err(error).context("the status cannot be applied"),
            Ok(stored) => {
                tracing::debug!("status applied");
                self.keep_own(write, &key, stored)
            }
        }
    }

    /// Caches the answer to an own write of a reconciled object. Triggers another pass if the
    /// answer also contains changes by others, or if the object may be deleted by now.
    pub fn keep_own(&self, write: Write<'_>, key: &Key, stored: Value) -> anyhow::Result<()> {
        if write.done(stored.try_into()?) != Done::Kept {
            let _ = self.changed.send(key.clone()); // fails when the controller stops
        }
        Ok(())
    }

    /// Applies `desired` as a child of `owner`, unless the cache shows no difference: see
    /// [`Context::apply`](crate::Context::apply).
    pub async fn apply(
        &self,
        owner: &Owner,
        kind: &ApiResource,
        desired: Value,
    ) -> anyhow::Result<Value> {
        let (children, desired, key) = self.child(owner, kind, desired)?;
        let cached = children.get(&key);
        let observed: Option<Value> = match &cached {
            Some(cached) => Some(serde_json::from_str(&cached.json())?),
            None => None,
        };
        let is_unchanged = |cached: &Cached| cached.unchanged_by.load(Relaxed) == digest(&desired);
        let observed = match observed {
            Some(same) if difference(&desired, &same).is_none() => return Ok(same),
            Some(same) if cached.as_deref().is_some_and(is_unchanged) => return Ok(same),
            other => other,
        };
        let at = Request::new(DynamicObject::url_path(kind, key.namespace()));
        let write = children.write(key.clone());
        let stored = match observed {
            Some(observed) => {
                self.change(&at, kind, owner, desired.clone(), &observed)
                    .await
            }
            None => match self.create(&at, &key, kind, owner, &desired).await {
                Ok(Created::New(stored)) => Ok(stored),
                Ok(Created::Existing(existing)) => {
                    // `desired` may have a new password, say, because there seemed to be none.
                    write.done((&existing).try_into()?);
                    return Err(Unseen).context(format!("{} {}", kind.kind, key.name()));
                }
                Err(error) => Err(error),
            },
        };
        let (name, kind) = (key.name(), &kind.kind);
        let stored = stored.with_context(|| format!("{kind} {name} cannot be applied"))?;
        tracing::info!(child.kind = kind, child.name = name, "applied");
        if let Some(field) = difference(&desired, &stored) {
            // Such as a quantity of `1000m`, which is stored as `1`.
            tracing::info!(child.kind = kind, field, "stored in another form");
        }
        if let Some(cached) = cached.filter(|cached| is_version(&stored, cached.version)) {
            cached.unchanged_by.store(digest(&desired), Relaxed);
        }
        self.keep_child(write, owner, stored)
    }

    /// Adds the namespace, the owner reference, the label and the hash to a desired child. Returns
    /// the cache of its kind, the child and its key.
    fn child(
        &self,
        owner: &Owner,
        kind: &ApiResource,
        mut desired: Value,
    ) -> anyhow::Result<(&Cache, Value, Key)> {
        let (children, name) = (self.owned(kind)?, &kind.kind);
        let (reconciled, of) = (&self.objects.kind, &owner.reference);
        let group = of
            .api_version
            .rsplit_once('/')
            .map_or("", |(group, _)| group);
        ensure!(
            of.kind == reconciled.kind && group == reconciled.group,
            "{name} cannot be a child of {}, because this controller reconciles {}",
            of.kind,
            reconciled.kind,
        );
        let (metadata, owner_in) = (&mut desired["metadata"], owner.key.namespace());
        if children.namespaced && metadata["namespace"].is_null() {
            metadata["namespace"] = owner_in.into();
        }
        let key = Key::new(
            metadata["namespace"].as_str(),
            metadata["name"].as_str().unwrap_or_default(),
        );
        ensure!(
            !key.name().is_empty(),
            "{name} cannot be a child: it has no metadata.name, by which the next pass finds it",
        );
        ensure!(
            owner_in.is_none() || key.namespace() == owner_in,
            "{name} {} cannot be a child: its owner is in namespace {}, and owns nothing elsewhere",
            key.name(),
            owner_in.unwrap_or_default(),
        );
        match &mut metadata["ownerReferences"] {
            Value::Array(references) => references.push(json!(owner.reference)),
            none => *none = json!([owner.reference]),
        }
        metadata["labels"][MANAGED_BY] = self.operator.into();
        let hash = hash(&outline(&desired));
        desired["metadata"]["annotations"][HASH] = hash.into();
        Ok((children, desired, key))
    }

    /// Caches the answer to an own write of a child, and returns it. Triggers another pass of `owner`
    /// if the child may be deleted by now.
    fn keep_child(&self, write: Write<'_>, owner: &Owner, stored: Value) -> anyhow::Result<Value> {
        if write.done((&stored).try_into()?) == Done::Unsure {
            let _ = self.changed.send(owner.key.clone()); // fails when the controller stops
        }
        Ok(stored)
    }

    /// Creates `desired` as a child of `owner`, unless it is there: see
    /// [`Context::create_once`](crate::Context::create_once).
    pub async fn create_once(
        &self,
        owner: &Owner,
        kind: &ApiResource,
        desired: Value,
    ) -> anyhow::Result<Value> {
        let (children, desired, key) = self.child(owner, kind, desired)?;
        if let Some(cached) = children.get(&key) {
            let existing = serde_json::from_str(&cached.json())?;
            self.may_adopt(kind, owner, &existing).await?;
            return Ok(existing);
        }
        let at = Request::new(DynamicObject::url_path(kind, key.namespace()));
        let write = children.write(key.clone());
        let created = self.create(&at, &key, kind, owner, &desired).await;
        let (name, kind) = (key.name(), &kind.kind);
        let stored = match created.with_context(|| format!("{kind} {name} cannot be created"))? {
            Created::New(stored) => {
                tracing::info!(child.kind = kind, child.name = name, "created");
                stored
            }
            Created::Existing(existing) => existing,
        };
        self.keep_child(write, owner, stored)
    }

    /// Creates the child with a POST, which costs the API server less than an apply. A child of its
    /// name that the cache lacks stays as it is, and is shown to the watch.
    async fn create(
        &self,
        at: &Request,
        key: &Key,
        kind: &ApiResource,
        owner: &Owner,
        desired: &Value,
    ) -> anyhow::Result<Created> {
        // It was there, and may have been collected with its owner. Whatever is made for that would
        // be collected and made again for as long as its watch does not tell.
        let known = self.objects.get(&owner.key);
        if known.is_some_and(|known| known.settled.load(Relaxed)) {
            self.is_alive(owner).await?;
        }
        #[cfg(feature = "telemetry")]
        let desired = &crate::telemetry::traces::annotated(desired.clone());
        let params = PostParams {
            field_manager: Some(self.field_manager.clone()),
            ..Default::default()
        };
        match self
            .send(at.create(&params, serde_json::to_vec(desired)?))
            .await
        {
            Err(kube::Error::Api(status)) if status.is_already_exists() => {
                let existing = self.fetch(kind, key).await?;
                let existing = existing.context("it was deleted at the same moment")?;
                let existing = self.adopt(at, kind, owner, existing).await?;
                Ok(Created::Existing(existing))
            }
            stored => Ok(Created::New(stored?)),
        }
    }

    /// Applies the child to an existing object of its name.
    async fn change(
        &self,
        at: &Request,
        kind: &ApiResource,
        owner: &Owner,
        mut new: Value,
        old: &Value,
    ) -> anyhow::Result<Value> {
        self.may_adopt(kind, owner, old).await?;
        let name = old["metadata"]["name"].as_str().unwrap_or_default();
        // The API server refuses the apply if the object has changed: by now, it may be an orphan,
        // which an owner reference would delete, or somebody else's object of the same name; and a
        // Service would lose a node port that was allocated since.
        let mut version = old["metadata"]["resourceVersion"].clone();
        // An apply only removes fields that were applied before. So the entry of the creation in
        // the managed fields is changed to that of an apply.
        let entries = old["metadata"]["managedFields"].as_array();
        let creation = entries.into_iter().flatten().position(|entry| {
            entry["manager"] == *self.field_manager && entry["operation"] == "Update"
        });
        if let Some(index) = creation {
            let entry = format!("/metadata/managedFields/{index}");
            let patch = json!([
                { "op": "replace", "path": "/metadata/resourceVersion", "value": version },
                { "op": "replace", "path": format!("{entry}/operation"), "value": "Apply" },
            ]);
            let patch = serde_json::from_value(patch)?;
            let (params, patch) = (PatchParams::default(), Patch::Json::<()>(patch));
            let taken = self.send(at.patch(name, &params, &patch)).await?;
            version = taken["metadata"]["resourceVersion"].clone();
        }
        new["metadata"]["resourceVersion"] = version;
        // If the object is gone, the version alone lets the API server make it again, for an owner
        // that may be gone as well.
        new["metadata"]["uid"] = old["metadata"]["uid"].clone();
        #[cfg(feature = "telemetry")]
        let new = crate::telemetry::traces::annotated(new);
        let (params, patch) = (self.params(), Patch::Apply(new));
        Ok(self.send(at.patch(name, &params, &patch)).await?)
    }

    fn params(&self) -> PatchParams {
        // The controller decides about these fields, whoever else has written them.
        let mut params = PatchParams::apply(&self.field_manager).force();
        // An apply fails for unknown fields anyway: validation would only cost another parse.
        params.field_validation = Some(ValidationDirective::Ignore);
        params
    }

    pub async fn send(&self, request: Result<HttpRequest<Vec<u8>>, RequestError>) -> Result<Value> {
        let request = request.map_err(kube::Error::BuildRequest)?;
        let Tree(stored) = self.client.request(request).await?;
        Ok(stored)
    }
}

/// The outcome of a creation.
enum Created {
    New(Value),
    Existing(Value),
}

/// Returns true if `status` says that the object itself was not found. For a missing subresource,
/// the details name no object.
fn is_gone(status: &Status, name: &str) -> bool {
    let details = status.details.as_ref();
    status.is_not_found() && details.is_some_and(|details| details.name == name)
}

fn is_version(stored: &Value, version: u64) -> bool {
    stored["metadata"]["resourceVersion"] == *version.to_string()
}

/// Returns a hash that stays in the memory of this process.
fn digest(desired: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    desired.to_string().hash(&mut hasher);
    hasher.finish()
}

/// Returns the FNV-1a hash: short, and the same in every build, unlike the hashes of the standard
/// library.
fn hash(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
