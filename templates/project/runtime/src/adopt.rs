//! Adoption: existing objects that have the name of a child.

use crate::cache::Key;
use crate::cluster::Cluster;
use crate::owner::{HASH, MANAGED_BY, Owner};
use anyhow::bail;
use kube::api::{ApiResource, DynamicObject, ListParams, Patch, PatchParams};
use kube::core::Request;
use kube::{Resource, ResourceExt};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::atomic::Ordering::Relaxed;

/// The error that a child cannot be made, because an object of its name belongs to another owner or
/// was not made by this operator.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NameTaken(String);

/// The error that a child cannot be applied, because the cache lacks an object of its name that is
/// there: the reconciler could not look at it. The next pass can.
#[derive(Debug, thiserror::Error)]
#[error("it was not in the cache")]
pub struct Unseen;

impl Cluster {
    /// Gives an existing child that the cache lacks the owner and the label by which the watch finds
    /// it. Its other fields stay. Fails as [`Cluster::may_adopt`] does.
    pub async fn adopt(
        &self,
        at: &Request,
        kind: &ApiResource,
        owner: &Owner,
        existing: Value,
    ) -> anyhow::Result<Value> {
        self.may_adopt(kind, owner, &existing).await?;
        let object = DynamicObject::deserialize(&existing)?;
        let mut owners = object.owner_references().to_vec();
        let is_labelled =
            object.labels().get(MANAGED_BY).map(String::as_str) == Some(self.operator);
        match owner.owns(&object) {
            true if is_labelled => return Ok(existing),
            true => {}
            false => owners.push(owner.reference.clone()),
        }
        let patch = Patch::Merge(json!({ "metadata": {
            "labels": { MANAGED_BY: self.operator },
            "ownerReferences": owners,
            // By now, it may be another object, or have other owners.
            "resourceVersion": object.resource_version(),
        } }));
        let request = at.patch(&object.name_any(), &PatchParams::default(), &patch);
        let adopted = self.send(request).await?;
        tracing::info!(
            child.kind = kind.kind,
            child.name = object.name_any(),
            "adopted"
        );
        Ok(adopted)
    }

    /// Fails if `existing` belongs to another owner or was not made by this operator. An object
    /// that this operator made and that has no owner is adopted, if `owner` still exists.
    pub async fn may_adopt(
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
                let taken = format!("{name} belongs to {} {}", known.kind, known.name);
                return Err(NameTaken(taken).into());
            }
            None if !self.has_made(&object) => {
                let taken = format!("{name} is there already, and was not made by this operator");
                return Err(NameTaken(taken).into());
            }
            None => {}
        }
        // It may be an orphan that is to outlive its owner.
        self.is_alive(owner).await
    }

    /// Returns true if this operator has made the object. Somebody may have taken off the label; the
    /// label of another operator says that the object is an orphan of that one.
    fn has_made(&self, object: &DynamicObject) -> bool {
        let operator = object.labels().get(MANAGED_BY);
        object.annotations().contains_key(HASH)
            && operator.is_none_or(|operator| operator == self.operator)
    }

    /// Refuses an owner that is being deleted or gone: the cache may not know yet.
    pub async fn is_alive(&self, owner: &Owner) -> anyhow::Result<()> {
        let known = self.objects.get(&owner.key);
        let now = self.fetch(&self.objects.kind, &owner.key).await?;
        let now = now.unwrap_or_default();
        let uid = &now["metadata"]["uid"];
        if *uid == *owner.reference.uid && now["metadata"]["deletionTimestamp"].is_null() {
            return Ok(());
        }
        // The cache may already have the deletion of the owner, or another object of its name.
        if let Some(known) = known.filter(|known| !known.deleting) {
            let object: DynamicObject = serde_json::from_str(&known.json())?;
            let same = object.metadata.uid.as_ref() == Some(&owner.reference.uid);
            known.gone.fetch_or(same, Relaxed);
        }
        bail!("the owner is being deleted");
    }

    /// Requests an object from the API server. It lists, because the watch needs this right anyway,
    /// unlike `get`.
    pub async fn fetch(&self, kind: &ApiResource, key: &Key) -> anyhow::Result<Option<Value>> {
        let at = Request::new(DynamicObject::url_path(kind, key.namespace()));
        let one = ListParams::default().fields(&format!("metadata.name={}", key.name()));
        let list: Value = self.client.request(at.list(&one)?).await?;
        let mut found = list["items"][0].clone();
        found["apiVersion"] = kind.api_version.clone().into();
        found["kind"] = kind.kind.clone().into();
        Ok(found["metadata"].is_object().then_some(found))
    }
}
