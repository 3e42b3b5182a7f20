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
    /// present object with this key; `None` if there is none. Fails if the API server says that
    /// the present object was deleted or is being deleted.
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
        let (children, mut orphans) = (self.views.children.iter(), Vec::new());
        for view in children.filter(|view| view.across_namespaces && is_watched) {
            for child in view.with_subject(owner) {
                let metadata = child.metadata()?;
                let of = Owner::elsewhere(&metadata).map(|owner| owner.reference.uid);
                if !child.deleting && of.is_some() && of.as_deref() != uid {
                    orphans.push((view, of, metadata));
                }
            }
        }
        if orphans.is_empty() {
            return Ok(());
        }
        // The cache may lack a new owner, or still contain the one before.
        let now = self.fetch_reconciled(owner).await?;
        for (view, of, metadata) in orphans {
            if of != now.uid {
                let (namespace, name) = (metadata.namespace, metadata.name.unwrap_or_default());
                let same = Preconditions {
                    uid: metadata.uid,
                    resource_version: metadata.resource_version,
                };
                let key = Key::new(namespace.as_deref(), &name);
                self.delete(&view.kind, &key, same).await?;
            }
        }
        uid.map_or(Ok(()), |uid| self.ensure_alive(owner, uid, &now))
    }
}
