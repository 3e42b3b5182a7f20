//! Finalizers: a deleted object stays until it has been cleaned up.

use crate::cache::{Cached, Key};
use crate::cluster::Cluster;
use crate::pass::Reconcile;
use anyhow::{Context as _, Result};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::api::{Patch, PatchParams};
use serde_json::json;

/// A finalizer, and the cleanup that has to succeed before the finalizer is removed.
pub struct Finalizer {
    pub name: &'static str,
    pub cleanup: Reconcile,
}

/// The next step for an object, according to its finalizer.
#[derive(Debug, PartialEq)]
pub enum Stage {
    /// The object lacks the finalizer, which has to be added first.
    Add,
    Reconcile,
    Cleanup,
    /// The object is being deleted and no longer has the finalizer: nothing is left to do.
    Gone,
}

impl Finalizer {
    pub fn stage(&self, metadata: &ObjectMeta) -> Stage {
        let mut names = metadata.finalizers.iter().flatten();
        let held = names.any(|name| name == self.name);
        match (metadata.deletion_timestamp.is_some(), held) {
            (false, false) => Stage::Add,
            (false, true) => Stage::Reconcile,
            (true, true) => Stage::Cleanup,
            (true, false) => Stage::Gone,
        }
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
            Ok(_) if cached.deleting => Ok(true),
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
