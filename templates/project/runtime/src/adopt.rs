//! Objects that stand where a child is to be.

use crate::apply::{HASH, Owner};
use crate::cache::Key;
use crate::cluster::Cluster;
use anyhow::bail;
use kube::api::{ApiResource, DynamicObject, ListParams};
use kube::core::Request;
use kube::{Resource, ResourceExt};
use serde::Deserialize;
use serde_json::Value;
use std::fmt;
use std::sync::atomic::Ordering::Relaxed;

/// A child cannot be made, because an object of its name is there that is not the operator's.
#[derive(Debug)]
pub struct NameTaken(String);

impl std::error::Error for NameTaken {}

impl fmt::Display for NameTaken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Cluster {
    /// Refuses an object that is somebody else's: of another owner, or made by another program. An
    /// object without an owner has lost it, or it was made by a write whose answer was lost.
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
        // It may be an orphan that is to outlive its owner.
        self.is_alive(owner).await
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
        // What the cache has may be its deletion already, or another object of its name.
        if let Some(known) = known.filter(|known| !known.deleting) {
            let object: DynamicObject = serde_json::from_str(&known.json)?;
            let same = object.metadata.uid.as_ref() == Some(&owner.reference.uid);
            known.gone.fetch_or(same, Relaxed);
        }
        bail!("the owner is being deleted");
    }

    /// Asks the API server for an object. A list needs no right that the watch does not need as
    /// well.
    pub async fn fetch(&self, kind: &ApiResource, key: &Key) -> anyhow::Result<Option<Value>> {
        let at = Request::new(DynamicObject::url_path(kind, key.0.as_deref()));
        let one = ListParams::default().fields(&format!("metadata.name={}", key.1));
        let list: Value = self.client.request(at.list(&one)?).await?;
        let mut found = list["items"][0].clone();
        found["apiVersion"] = kind.api_version.clone().into();
        found["kind"] = kind.kind.clone().into();
        Ok(found["metadata"].is_object().then_some(found))
    }
}
