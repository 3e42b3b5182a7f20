//! Adopts existing objects that have the name of a desired child.

use crate::apply::Child;
use crate::cache::{OWNER, Owner};
use crate::failure::ApplyError;
use crate::marks::{HASH, MANAGED_BY};
use crate::observed::Observed;
use anyhow::Result;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::ResourceExt;
use kube::api::{Patch, PatchParams};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

impl Child<'_> {
    /// Adopts the object `existing`, which the cache lacks: adds the owner reference (or the
    /// annotation [`OWNER`]) and the labels by which the watch finds children. Changes nothing
    /// else. Fails like [`Child::may_adopt`].
    pub async fn adopt(&self, existing: Observed) -> Result<Observed> {
        let metadata = &existing.metadata;
        self.may_adopt(metadata).await?;
        let labels = self.selected_labels()?;
        let own = existing.labels();
        let elsewhere = &self.desired["metadata"]["annotations"][OWNER];
        let is_owned = match elsewhere.as_str() {
            Some(owner) => existing
                .annotations()
                .get(OWNER)
                .is_some_and(|known| known == owner),
            None => Owner::of_child(metadata)
                .is_some_and(|of| !of.is_elsewhere && of.reference.uid == self.owner.reference.uid),
        };
        if is_owned && labels.iter().all(|(key, text)| own.get(key) == Some(text)) {
            return Ok(existing);
        }
        // The API server refuses the patch if the object was changed or replaced after it was read.
        let mut changes = json!({ "labels": labels, "resourceVersion": metadata.resource_version });
        match elsewhere {
            _ if is_owned => {}
            Value::Null => {
                let owners = existing.owner_references().iter();
                let owners: Vec<_> = owners.chain([&self.owner.reference]).collect();
                changes["ownerReferences"] = json!(owners);
            }
            owner => changes["annotations"][OWNER] = owner.clone(),
        }
        let patch = Patch::Merge(json!({ "metadata": changes }));
        let params = PatchParams::default();
        let patch = self.at().patch(self.key.name(), &params, &patch);
        let adopted = self.cluster.send(patch).await?;
        self.log("adopted");
        Ok(adopted)
    }

    /// Returns those labels of the desired child that the watch's label selector contains. Without
    /// these labels on a child, the watch does not report the child's deletion.
    fn selected_labels(&self) -> Result<BTreeMap<String, String>> {
        let selector = self.children.watched.label_selector.as_deref();
        let names = selector.unwrap_or(MANAGED_BY).split([',', '=', '!', ' ']);
        let labels = &self.desired["metadata"]["labels"];
        let mut labels = BTreeMap::<String, String>::deserialize(labels)?;
        labels.retain(|name, _| names.clone().any(|word| word == name));
        Ok(labels)
    }

    /// Fails if `existing` belongs to another owner, or if this operator did not make it. An orphan
    /// that this operator made may be adopted if the new owner still exists.
    pub async fn may_adopt(&self, existing: &ObjectMeta) -> Result<()> {
        let name = format!("{} {}", self.kind.kind, self.key.name());
        let taken = match Owner::of_child(existing).map(|owner| owner.reference) {
            Some(known) if known.uid == self.owner.reference.uid => return Ok(()),
            Some(known) => format!("{name} belongs to {} {}", known.kind, known.name),
            // It may be an orphan that is to outlive its owner.
            None if self.has_made(existing) => return self.is_owner_alive().await,
            None => format!("{name} already exists, and was not created by this operator"),
        };
        Err(ApplyError::NameTaken(taken).into())
    }

    /// Returns true if this operator made the object: the object has the hash annotation, and no
    /// label of another operator. The label of this operator may have been removed.
    fn has_made(&self, object: &ObjectMeta) -> bool {
        let mut labels = object.labels.iter().flatten();
        let mut annotations = object.annotations.iter().flatten();
        let is_ours = |(name, of): (&String, _)| name != MANAGED_BY || of == self.cluster.operator;
        annotations.any(|(name, _)| name == HASH) && labels.all(is_ours)
    }

    /// Fails if the API server has deleted the owner or is deleting it: the cache may be stale.
    pub async fn is_owner_alive(&self) -> Result<()> {
        let Owner { reference, key, .. } = &self.owner;
        let now = self.cluster.fetch_reconciled(key).await?;
        self.cluster.ensure_alive(key, &reference.uid, &now)
    }
}
