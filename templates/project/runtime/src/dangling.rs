//! Deletes children outside of their owner's namespace when the owner has been deleted. Kubernetes'
//! garbage collector does not do this: it needs an owner reference, and such children have none.

#[cfg(all(test, feature = "testing"))]
mod tests;

use crate::cache::{Cached, Key, Owner, View};
use crate::cluster::Cluster;
use anyhow::Result;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::api::Preconditions;

/// What [`Cluster::delete_dangling`] has found and done.
pub struct Dangling {
    /// The metadata of the object with the owner's key, if it was requested from the API server.
    pub owner: Option<ObjectMeta>,
    /// True if a child was deleted.
    pub deleted: bool,
    /// The first failure: the other children were deleted all the same.
    pub result: Result<()>,
}

impl Cluster {
    /// Deletes the children of deleted objects that had the key `owner`. `uid` is the uid of the
    /// cached object with this key; `None` if the cache has none.
    ///
    /// Each pass calls this function first, even if no object has the key. A child in the cache
    /// triggers a pass of its owner's key, so children are also found whose owner was deleted while
    /// the operator was not running.
    pub async fn delete_dangling(&self, owner: &Key, uid: Option<&str>) -> Dangling {
        let mut done = Dangling {
            owner: None,
            deleted: false,
            result: Ok(()),
        };
        let (objects, namespace) = (&self.views.objects, owner.namespace().map(str::to_owned));
        // An operator with another `--watch-namespace` handles the owners in other namespaces.
        let is_watched = [None, namespace]
            .iter()
            .any(|one| objects.listed.contains_key(one));
        let children = self.views.children.iter();
        for view in children.filter(|view| view.across_namespaces && is_watched) {
            for child in view.with_subject(owner) {
                if let Err(error) = self
                    .delete_if_dangling(view, &child, (owner, uid), &mut done)
                    .await
                {
                    done.result = done.result.and(Err(error));
                }
            }
        }
        done
    }

    async fn delete_if_dangling(
        &self,
        view: &View,
        child: &Cached,
        (owner, uid): (&Key, Option<&str>),
        done: &mut Dangling,
    ) -> Result<()> {
        let metadata = child.metadata()?;
        let of = Owner::of_child(&metadata).filter(|of| of.is_elsewhere);
        let of = of.map(|of| of.reference.uid);
        if child.deleting || of.is_none() || of.as_deref() == uid {
            return Ok(());
        }
        // The cache of owners may be stale: it may lack a new owner, or have one that was deleted.
        let now = match done.owner.take() {
            Some(now) => now,
            None => self.fetch_reconciled(owner).await?,
        };
        if done.owner.insert(now).uid == of {
            return Ok(());
        }
        let (namespace, name) = (metadata.namespace, metadata.name.unwrap_or_default());
        let same = Preconditions {
            uid: metadata.uid,
            resource_version: metadata.resource_version,
        };
        let key = Key::new(namespace.as_deref(), &name);
        self.delete(&view.kind, &key, same).await?;
        done.deleted = true;
        Ok(())
    }
}
