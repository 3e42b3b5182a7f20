//! Finalizers: a deleted object stays until it has been cleaned up.

use crate::cache::{Cached, Key};
use crate::cluster::Cluster;
use crate::controller::Reconcile;
use anyhow::Context as _;
use kube::api::{DynamicObject, Patch, PatchParams};
use kube::core::Request;
use kube::{Resource, ResourceExt};
use serde_json::json;

/// A finalizer, and what has to succeed before it is taken off.
pub struct Finalizer {
    pub name: &'static str,
    pub cleanup: Reconcile,
}

/// What there is to do for an object, as far as its finalizer is concerned.
#[derive(Debug, PartialEq)]
pub enum Stage {
    /// It lacks the finalizer, which goes first.
    Add,
    Reconcile,
    Cleanup,
    /// It is being deleted, and nothing is left to do.
    Gone,
}

impl Finalizer {
    pub fn stage(&self, object: &DynamicObject) -> Stage {
        let held = object.finalizers().iter().any(|name| name == self.name);
        match (object.metadata.deletion_timestamp.is_some(), held) {
            (false, false) => Stage::Add,
            (false, true) => Stage::Reconcile,
            (true, true) => Stage::Cleanup,
            (true, false) => Stage::Gone,
        }
    }

    /// Puts the finalizer on the object or takes it off. False if the object has gone or changed
    /// meanwhile: its next pass sees how.
    pub async fn put(
        &self,
        cluster: &Cluster,
        key: &Key,
        cached: &Cached,
        held: bool,
    ) -> anyhow::Result<bool> {
        let object: DynamicObject = serde_json::from_str(&cached.json)?;
        let mut names = object.finalizers().to_vec();
        names.retain(|name| name != self.name);
        if held {
            names.push(self.name.to_owned());
        }
        // Refused if the object is not what it was: others have finalizers in the same list.
        let metadata = json!({ "finalizers": names, "resourceVersion": object.resource_version() });
        let at = Request::new(DynamicObject::url_path(
            &cluster.objects.kind,
            key.0.as_deref(),
        ));
        let patch = Patch::Merge(json!({ "metadata": metadata }));
        let request = at.patch(&key.1, &PatchParams::default(), &patch);
        let write = cluster.objects.write(key.clone());
        match cluster.send(request).await {
            Ok(stored) => {
                // The last finalizer of a deleted object takes the object with it.
                if !cached.deleting {
                    cluster.keep_own(write, key, stored)?;
                }
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
