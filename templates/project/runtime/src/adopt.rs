//! Adoption: existing objects that have the name of a child.

use crate::apply::Child;
use crate::failure::NameTaken;
use crate::owner::{HASH, MANAGED_BY};
use anyhow::{Result, ensure};
use kube::ResourceExt;
use kube::api::{DynamicObject, Patch, PatchParams};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

impl Child<'_> {
    /// Gives an existing child that the cache lacks the owner and the labels by which the watch
    /// finds it. Its other fields stay. Fails as [`Child::may_adopt`] does.
    pub async fn adopt(&self, existing: Value) -> Result<Value> {
        self.may_adopt(&existing).await?;
        let object = DynamicObject::deserialize(&existing)?;
        let mut owners = object.owner_references().to_vec();
        let labels = self.selected_labels()?;
        let own = object.labels();
        let is_labelled = labels.iter().all(|(key, text)| own.get(key) == Some(text));
        match self.owner.owns(&object) {
            true if is_labelled => return Ok(existing),
            true => {}
            false => owners.push(self.owner.reference.clone()),
        }
        let patch = Patch::Merge(json!({ "metadata": {
            "labels": labels,
            "ownerReferences": owners,
            // By now, it may be another object, or have other owners.
            "resourceVersion": object.resource_version(),
        } }));
        let params = PatchParams::default();
        let patch = self.at().patch(self.key.name(), &params, &patch);
        let adopted = self.cluster.send(patch).await?;
        self.log("adopted");
        Ok(adopted)
    }

    /// Returns the desired labels that the selector of the watch names. The watch does not report that
    /// a child without them is deleted.
    fn selected_labels(&self) -> Result<BTreeMap<String, String>> {
        let selector = self.children.watched.label_selector.as_deref();
        let names = selector.unwrap_or(MANAGED_BY).split([',', '=', '!', ' ']);
        let labels = &self.desired["metadata"]["labels"];
        let mut labels = BTreeMap::<String, String>::deserialize(labels)?;
        labels.retain(|name, _| names.clone().any(|word| word == name));
        Ok(labels)
    }

    /// Fails if `existing` belongs to another owner or was not made by this operator. An object
    /// that this operator made and that has no owner is adopted, if the owner still exists.
    pub async fn may_adopt(&self, existing: &Value) -> Result<()> {
        let object = DynamicObject::deserialize(existing)?;
        let name = format!("{} {}", self.kind.kind, self.key.name());
        let mut owners = object.owner_references().iter();
        let taken = match owners.find(|reference| reference.controller == Some(true)) {
            Some(known) if known.uid == self.owner.reference.uid => return Ok(()),
            Some(known) => format!("{name} belongs to {} {}", known.kind, known.name),
            // It may be an orphan that is to outlive its owner.
            None if self.has_made(&object) => return self.is_owner_alive().await,
            None => format!("{name} is there already, and was not made by this operator"),
        };
        Err(NameTaken(taken).into())
    }

    /// Returns true if this operator has made the object. Somebody may have taken off the label; the
    /// label of another operator says that the object is an orphan of that one.
    fn has_made(&self, object: &DynamicObject) -> bool {
        let operator = object.labels().get(MANAGED_BY);
        object.annotations().contains_key(HASH)
            && operator.is_none_or(|operator| operator == self.cluster.operator)
    }

    /// Refuses an owner that is being deleted or gone: the cache may not know yet.
    pub async fn is_owner_alive(&self) -> Result<()> {
        let (objects, owner) = (&self.cluster.objects, self.owner);
        let now = self.cluster.fetch(&objects.kind, &owner.key).await?;
        let now = now.unwrap_or_default();
        let is_same = now["metadata"]["uid"] == *owner.reference.uid;
        let is_alive = is_same && now["metadata"]["deletionTimestamp"].is_null();
        if !is_alive {
            objects.set_gone(&owner.key, &owner.reference.uid);
        }
        ensure!(is_alive, "the owner is being deleted");
        Ok(())
    }
}
