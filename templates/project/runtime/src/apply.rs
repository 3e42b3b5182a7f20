//! Server-side apply that sends nothing where nothing would change.

use crate::cache::{Cache, Key, Write, key};
use crate::context::Context;
use crate::difference::difference;
use anyhow::{Context as _, ensure};
use axum::http::Request as HttpRequest;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use kube::api::{
    ApiResource, DynamicObject, ListParams, Patch, PatchParams, PostParams, ValidationDirective,
};
use kube::core::object::HasStatus;
use kube::core::{Request, request::Error as RequestError};
use kube::{Resource, ResourceExt, Result};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::fmt;

/// The label of every child: objects without it are not watched.
pub const MANAGED_BY: &str = "app.kubernetes.io/managed-by";
/// The hash of the desired child. A field that is no longer desired changes it; the fields that are
/// left would not tell.
const HASH: &str = "opctl.dev/desired-hash";

/// A child cannot be made, because an object of its name is there that is not the operator's.
#[derive(Debug)]
pub(crate) struct NameTaken(String);

impl std::error::Error for NameTaken {}

impl fmt::Display for NameTaken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The object that a child is made for.
struct Owner {
    reference: OwnerReference,
    key: Key,
}

impl Context {
    /// Makes `desired` a child of `owner`, and gives it as the cluster has it, with its status. It
    /// gets the namespace of its owner unless it says another.
    ///
    /// Sends nothing if the child that was last seen holds every field of `desired`. So a child
    /// that somebody changed or deleted is put right, and all others cost no request.
    ///
    /// # Errors
    /// A kind that the controller does not watch; a refusal of the API server; an object of that
    /// name that is not the operator's, which is left alone.
    pub async fn apply<O, K>(&self, owner: &O, desired: K) -> anyhow::Result<K>
    where
        O: Resource<DynamicType = ()>,
        K: Resource<DynamicType = ()> + Serialize + DeserializeOwned,
    {
        let owner = Owner {
            reference: owner
                .controller_owner_ref(&())
                .context("the owner has no uid")?,
            key: key(owner),
        };
        let (kind, desired) = (ApiResource::erase::<K>(&()), serde_json::to_value(desired)?);
        let stored = self.apply_child(&owner, &kind, desired).await?;
        Ok(serde_json::from_value(stored)?)
    }

    /// Applies `status`, unless the object has it already.
    ///
    /// # Errors
    /// A refusal of the API server. An object that is gone meanwhile is no error.
    pub async fn apply_status<K>(&self, obj: &K, status: K::Status) -> anyhow::Result<()>
    where
        K: Resource<DynamicType = ()> + HasStatus + DeserializeOwned,
        K::Status: PartialEq + Serialize,
    {
        let key = key(obj);
        // An earlier call of the same pass may have changed it.
        let latest = self.objects.get(&key);
        let latest: Option<K> = latest.and_then(|latest| serde_json::from_str(&latest.json).ok());
        if latest.as_ref().unwrap_or(obj).status() == Some(&status) {
            return Ok(());
        }
        self.write_status(key, serde_json::to_value(status)?).await
    }

    async fn write_status(&self, key: Key, status: Value) -> anyhow::Result<()> {
        let kind = &self.objects.kind;
        let patch = json!({ "apiVersion": kind.api_version, "kind": kind.kind, "status": status });
        let at = Request::new(DynamicObject::url_path(kind, key.0.as_deref()));
        let (params, patch) = (self.params(), Patch::Apply(patch));
        let request = at.patch_subresource("status", &key.1, &params, &patch);
        let write = self.objects.write(key.clone());
        match self.send(request).await {
            Err(kube::Error::Api(status)) if status.is_not_found() => Ok(()), // just deleted
            Err(error) => Err(error).context("the status cannot be applied"),
            Ok(stored) => {
                tracing::debug!("status applied");
                self.keep_own(write, &key, stored)
            }
        }
    }

    /// Puts the answer of an own write into the cache of objects. Where it has changes of others
    /// too, another pass follows.
    pub(crate) fn keep_own(
        &self,
        write: Write<'_>,
        key: &Key,
        stored: Value,
    ) -> anyhow::Result<()> {
        if write.done(serde_json::from_value(stored)?) {
            let _ = self.changed.send(key.clone()); // fails when the controller stops
        }
        Ok(())
    }

    async fn apply_child(
        &self,
        owner: &Owner,
        kind: &ApiResource,
        desired: Value,
    ) -> anyhow::Result<Value> {
        let (children, desired, key) = self.child(owner, kind, desired)?;
        let observed = children.get(&key);
        let observed: Option<Value> = match &observed {
            Some(observed) => Some(serde_json::from_str(&observed.json)?),
            None => None,
        };
        if let Some(observed) = &observed
            && difference(&desired, observed).is_none()
        {
            return Ok(observed.clone());
        }
        let at = Request::new(DynamicObject::url_path(kind, key.0.as_deref()));
        let write = children.write(key.clone());
        let stored = match observed {
            Some(observed) => Ok(self.update(&at, &key.1, desired.clone(), &observed).await?),
            None => self.create(&at, &key, kind, owner, &desired).await,
        };
        let (name, kind) = (&key.1, &kind.kind);
        let stored = stored.with_context(|| format!("{kind} {name} cannot be applied"))?;
        tracing::info!(kind, name, "applied");
        if let Some(field) = difference(&desired, &stored) {
            // Such as a quantity of `1000m`, which is stored as `1`.
            tracing::warn!(
                kind,
                field,
                "stored unlike it was written, so every pass applies it"
            );
        }
        write.done(DynamicObject::deserialize(&stored)?);
        Ok(stored)
    }

    /// The child with all that makes it one, and the cache that it belongs into.
    fn child(
        &self,
        owner: &Owner,
        kind: &ApiResource,
        desired: Value,
    ) -> anyhow::Result<(&Cache, Value, Key)> {
        let watched =
            |cache: &&Cache| cache.kind.kind == kind.kind && cache.kind.group == kind.group;
        let children = self.children.iter().find(watched);
        let name = &kind.kind;
        let children =
            children.with_context(|| format!("{name} is not watched: add `.owns::<{name}>()`"))?;
        let mut object: DynamicObject = serde_json::from_value(desired)?;
        if children.namespaced && object.metadata.namespace.is_none() {
            object.metadata.namespace.clone_from(&owner.key.0);
        }
        let namespace = &object.metadata.namespace;
        ensure!(
            owner.key.0.is_none() || *namespace == owner.key.0,
            "{name} {} cannot be a child: its owner is in namespace {}, and owns nothing elsewhere",
            object.name_any(),
            owner.key.0.as_deref().unwrap_or_default(),
        );
        object.owner_references_mut().push(owner.reference.clone());
        object
            .labels_mut()
            .insert(MANAGED_BY.into(), self.operator.into());
        let hash = hash(&serde_json::to_vec(&object)?);
        object.annotations_mut().insert(HASH.into(), hash);
        let key = key(&object);
        Ok((children, serde_json::to_value(object)?, key))
    }

    /// Posts the child: to apply what is not there yet would cost the API server more.
    async fn create(
        &self,
        at: &Request,
        key: &Key,
        kind: &ApiResource,
        owner: &Owner,
        desired: &Value,
    ) -> anyhow::Result<Value> {
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
                self.may_adopt(kind, owner, &existing).await?;
                Ok(self.update(at, &key.1, desired.clone(), &existing).await?)
            }
            stored => Ok(stored?),
        }
    }

    /// An object of the child's name that the cache did not have: one that has lost its label or
    /// its owner, or one that was made by a write whose answer was lost. Any other belongs to
    /// somebody else.
    async fn may_adopt(
        &self,
        kind: &ApiResource,
        owner: &Owner,
        existing: &Value,
    ) -> anyhow::Result<()> {
        let object = DynamicObject::deserialize(existing)?;
        let name = format!("{} {}", kind.kind, object.name_any());
        let mut owners = object.owner_references().iter();
        let known = owners.find(|reference| reference.controller == Some(true));
        match known {
            Some(known) if known.uid == owner.reference.uid => return Ok(()),
            Some(known) => {
                return Err(
                    NameTaken(format!("{name} belongs to {} {}", known.kind, known.name)).into(),
                );
            }
            None if !object.annotations().contains_key(HASH) => {
                return Err(NameTaken(format!(
                    "{name} is there already, and was not made by this operator"
                ))
                .into());
            }
            None => {}
        }
        // It may be an orphan that is to outlive its owner: the cache may not know yet that the
        // owner is being deleted.
        let now = self
            .fetch(&self.objects.kind, &owner.key)
            .await?
            .unwrap_or_default();
        let same = now["metadata"]["uid"] == *owner.reference.uid;
        ensure!(
            same && now["metadata"]["deletionTimestamp"].is_null(),
            "the owner is being deleted"
        );
        Ok(())
    }

    /// Asks the API server for an object. A list needs no right that the watch does not need as
    /// well.
    async fn fetch(&self, kind: &ApiResource, key: &Key) -> anyhow::Result<Option<Value>> {
        let at = Request::new(DynamicObject::url_path(kind, key.0.as_deref()));
        let one = ListParams::default().fields(&format!("metadata.name={}", key.1));
        let list: Value = self.client.request(at.list(&one)?).await?;
        let mut found = list["items"][0].clone();
        found["apiVersion"] = kind.api_version.clone().into();
        found["kind"] = kind.kind.clone().into();
        Ok(found["metadata"].is_object().then_some(found))
    }

    async fn update(&self, at: &Request, name: &str, mut new: Value, old: &Value) -> Result<Value> {
        // An apply removes only fields that were applied before: so the creation is made to count
        // as an apply.
        let entries = old["metadata"]["managedFields"].as_array();
        let creation = entries.into_iter().flatten().position(|entry| {
            entry["manager"] == *self.field_manager && entry["operation"] == "Update"
        });
        if let Some(index) = creation {
            let entry = format!("/metadata/managedFields/{index}");
            let patch = json!([
                { "op": "test", "path": format!("{entry}/manager"), "value": self.field_manager },
                { "op": "replace", "path": format!("{entry}/operation"), "value": "Apply" },
            ]);
            let patch = serde_json::from_value(patch).map_err(kube::Error::SerdeError)?;
            let (params, patch) = (PatchParams::default(), Patch::Json::<()>(patch));
            let taken = self.send(at.patch(name, &params, &patch)).await?;
            if new["kind"] == "Service" {
                // Where its cache is behind, the API server would lose a node port that it
                // allocates.
                new["metadata"]["resourceVersion"] = taken["metadata"]["resourceVersion"].clone();
            }
        }
        let (params, patch) = (self.params(), Patch::Apply(new));
        self.send(at.patch(name, &params, &patch)).await
    }

    fn params(&self) -> PatchParams {
        // Whoever else wrote these fields, they are for the controller to say.
        let mut params = PatchParams::apply(&self.field_manager).force();
        // An apply fails with unknown fields anyway. To look for them would cost another parse.
        params.field_validation = Some(ValidationDirective::Ignore);
        params
    }

    pub(crate) async fn send(
        &self,
        request: Result<HttpRequest<Vec<u8>>, RequestError>,
    ) -> Result<Value> {
        let request = request.map_err(kube::Error::BuildRequest)?;
        let mut stored: Value = self.client.request(request).await?;
        let entries = stored["metadata"]["managedFields"].as_array_mut();
        for entry in entries.into_iter().flatten() {
            entry["fieldsV1"].take(); // half of the object, and nobody here reads them
        }
        Ok(stored)
    }
}

/// FNV-1a: short, and the same in every build, unlike the hashes of the standard library.
fn hash(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
