//! Finalizers: a deleted object stays until it has been cleaned up.

use crate::cache::{Cached, Key};
use crate::cluster::Cluster;
use crate::pass::Reconcile;
use anyhow::{Context as _, Result};
use kube::api::{Patch, PatchParams};
use serde_json::json;

/// A finalizer, and the cleanup that has to succeed before the finalizer is removed.
pub struct Finalizer {
    pub name: &'static str,
    pub cleanup: Reconcile,
}

impl Finalizer {
    /// Returns true if the object has the finalizer.
    pub fn is_held(&self, cached: &Cached) -> Result<bool> {
        let names = cached.metadata()?.finalizers.unwrap_or_default();
        Ok(names.iter().any(|name| name == self.name))
    }

    /// Adds the finalizer if `held` is true, and removes it otherwise. Returns false if the object
    /// was deleted or changed in the meantime: the next pass of the object sees the new state.
    pub async fn put(
        &self,
        cluster: &Cluster,
        key: &Key,
        cached: &Cached,
        held: bool,
    ) -> Result<bool> {
        let metadata = cached.metadata()?;
        let mut names = metadata.finalizers.unwrap_or_default();
        names.retain(|name| name != self.name);
        if held {
            names.push(self.name.to_owned());
        }
        // The API server refuses the patch if the object has changed: others have finalizers in the
        // same list.
        let metadata = json!({ "finalizers": names, "resourceVersion": metadata.resource_version });
        let patch = Patch::Merge(json!({ "metadata": metadata }));
        let place = key.place(&cluster.views.objects.kind);
        let request = place.patch(key.name(), &PatchParams::default(), &patch);
        let write = cluster.views.objects.write(key.clone());
        match cluster.send(request).await {
            // The deleted object disappears with its last finalizer.
            Ok(_) if cached.deleting && names.is_empty() => Ok(true),
            Ok(stored) => {
                cluster.keep_own(write, key, stored);
                Ok(true)
            }
            Err(kube::Error::Api(status)) if status.is_not_found() || status.is_conflict() => {
                Ok(false)
            }
            Err(error) => {
                Err(error).with_context(|| format!("the finalizer {} cannot be set", self.name))
            }
        }
    }
}
