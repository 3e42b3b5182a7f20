//! Deletes children outside of their owner's namespace when the owner has been deleted. Kubernetes'
//! garbage collector does not do this: it needs an owner reference, and such children have none.

#[cfg(all(test, feature = "testing"))]
mod tests;

use crate::cache::{Key, Owner};
use crate::cluster::Cluster;
use anyhow::Result;
use kube::api::Preconditions;

impl Cluster {
    /// Deletes the children of deleted objects that had the key `owner`. `uid` is the uid of the
    /// cached object with this key; `None` if the cache has none. If `uid` is given, fails if the
    /// API server answers that this object was deleted or is being deleted.
    ///
    /// Each pass calls this function first, even if no object has the key. A child in the cache
    /// triggers a pass of its owner's key, so children are also found whose owner was deleted while
    /// the operator was not running.
    pub async fn delete_dangling(&self, owner: &Key, uid: Option<&str>) -> Result<()> {
        let (objects, namespace) = (&self.views.objects, owner.namespace().map(str::to_owned));
        // An operator with another `--watch-namespace` handles the owners in other namespaces.
        let is_watched = [None, namespace]
            .iter()
            .any(|one| objects.listed.contains_key(one));
        let (children, mut dangling) = (self.views.children.iter(), Vec::new());
        for view in children.filter(|view| view.across_namespaces && is_watched) {
            for child in view.with_subject(owner) {
                let metadata = child.metadata()?;
                let of = Owner::elsewhere(&metadata).map(|owner| owner.reference.uid);
                if !child.deleting && of.is_some() && of.as_deref() != uid {
                    dangling.push((view, of, metadata));
                }
            }
        }
        if dangling.is_empty() {
            return Ok(());
        }
        // The cache of owners may be stale: it may lack a new owner, or have one that was deleted.
        let now = self.fetch_reconciled(owner).await?;
        for (view, of, metadata) in dangling {
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
