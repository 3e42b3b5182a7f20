//! Deletes children outside of their owner's namespace when the owner has been deleted. Kubernetes'
//! garbage collector does not do this: it needs an owner reference, and such children have none.

#[cfg(all(test, feature = "testing"))]
mod tests;

use crate::cache::{Cached, Key, Owner, View};
use crate::cluster::Cluster;
use anyhow::Result;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::api::Preconditions;

/// The outcome of [`Cluster::delete_dangling`].
pub struct Dangling {
    /// The metadata of the object with the owner's key, if it was requested from the API server.
    pub owner: Option<ObjectMeta>,
    /// True if a child was deleted.
    pub deleted: bool,
    /// The first failure: the other children were deleted all the same.
    pub result: Result<()>,
}

impl Cluster {
    /// Returns the key of the owner of a child outside of the owner's namespace if the cache shows
    /// that the owner was deleted. Returns `None` if another operator watches the owner.
    pub fn former_owner(&self, child: &Cached) -> Option<Key> {
        let metadata = child.metadata().ok().filter(|_| !child.deleting)?;
        let owner = Owner::of_child(&metadata).filter(|owner| owner.is_elsewhere)?;
        let namespace = owner.key.namespace().map(str::to_owned);
        let is_listed = self.views.objects.listed(&namespace).is_cancelled();
        let known = self.views.objects.get(&owner.key);
        let is_former = known.is_none_or(|known| *known.uid != owner.reference.uid);
        (is_listed && is_former).then_some(owner.key)
    }

    /// Deletes the children of deleted objects that had the key `owner`.
    ///
    /// Each pass calls this function first, even if no object has the key. A child in the cache
    /// triggers a pass of its owner's key, so children are also found whose owner was deleted while
    /// the operator was not running.
    pub async fn delete_dangling(&self, owner: &Key) -> Dangling {
        let mut done = Dangling {
            owner: None,
            deleted: false,
            result: Ok(()),
        };
        let children = self.views.children.iter();
        let across = children.filter(|view| view.across_namespaces);
        let found = across.flat_map(|view| {
            let children = view.with_subject(owner).into_iter();
            children.map(move |child| (view, child))
        });
        // An operator with another `--watch-namespace` handles the owners in other namespaces.
        let found = found.filter(|(_, child)| self.former_owner(child).is_some());
        let found: Vec<_> = found.collect();
        if found.is_empty() {
            return done;
        }
        match self.fetch_reconciled(owner).await {
            Ok(now) => {
                for (view, child) in found {
                    let uid = now.uid.as_deref();
                    match self.delete_if_dangling(view, &child, uid).await {
                        Ok(deleted) => done.deleted |= deleted,
                        Err(error) => done.result = done.result.and(Err(error)),
                    }
                }
                done.owner = Some(now);
            }
            Err(error) => done.result = Err(error),
        }
        done
    }

    /// Deletes a child unless `uid`, the uid of the object with the owner's key, is the one of its
    /// owner. The cache of owners may be stale: it may lack a new owner, or have a deleted one.
    async fn delete_if_dangling(
        &self,
        view: &View,
        child: &Cached,
        uid: Option<&str>,
    ) -> Result<bool> {
        let metadata = child.metadata()?;
        let owner = Owner::of_child(&metadata);
        if owner.is_none_or(|owner| Some(&*owner.reference.uid) == uid) {
            return Ok(false);
        }
        let (namespace, name) = (metadata.namespace, metadata.name.unwrap_or_default());
        let same = Preconditions {
            uid: metadata.uid,
            resource_version: metadata.resource_version,
        };
        let key = Key::new(namespace.as_deref(), &name);
        self.delete(&view.kind, &key, same).await
    }
}
