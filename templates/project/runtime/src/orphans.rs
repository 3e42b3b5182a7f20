//! Deletes children outside of their owners' namespaces whose owners are gone. Kubernetes' garbage
//! collector deletes only objects with an owner reference, which such children cannot have.

#[cfg(all(test, feature = "testing"))]
mod tests;

use crate::cache::{Key, Owner};
use crate::cluster::Cluster;
use anyhow::Result;
use kube::api::Preconditions;

impl Cluster {
    /// Deletes the children of earlier objects with the key `owner`. `uid` is the uid of the
    /// present object with this key; `None` if there is none.
    ///
    /// A pass calls this function before everything else, and also if no object has the key any
    /// more: a child triggers such a pass when the operator finds it, even if the owner was deleted
    /// while the operator was not running.
    pub async fn delete_orphans(&self, owner: &Key, uid: Option<&str>) -> Result<()> {
        let (objects, namespace) = (&self.views.objects, owner.namespace().map(str::to_owned));
        // Another operator may run for the other namespaces.
        let is_watched = [None, namespace]
            .iter()
            .any(|one| objects.listed.contains_key(one));
        let children = self.views.children.iter();
        for view in children.filter(|view| view.across_namespaces && is_watched) {
            for child in view.with_subject(owner) {
                let metadata = child.metadata()?;
                let of = Owner::elsewhere(&metadata).map(|owner| owner.reference.uid);
                if child.deleting || of.is_none() || of.as_deref() == uid {
                    continue;
                }
                // The cache may lack a new owner, or still contain the one before.
                let now = self.fetch(&objects.kind, owner).await?;
                if now.is_some_and(|now| now.metadata.uid == of) {
                    continue;
                }
                let key = Key::new(
                    metadata.namespace.as_deref(),
                    metadata.name.as_deref().unwrap_or_default(),
                );
                let same = Preconditions {
                    uid: metadata.uid,
                    resource_version: metadata.resource_version,
                };
                self.delete(&view.kind, &key, same).await?;
            }
        }
        Ok(())
    }
}
