//! The controller owner of a child.

use super::Key;
use anyhow::Context as _;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, OwnerReference};
use kube::Resource;
use serde::Deserialize;
use serde_json::{Value, json};

/// The annotation with the owner of a child that is outside of the owner's namespace, as JSON:
/// Kubernetes does not allow an owner reference there.
pub const OWNER: &str = "opctl.dev/owner";

/// The object that owns a child.
pub struct Owner {
    pub reference: OwnerReference,
    pub key: Key,
}

impl Owner {
    pub fn of(object: &impl Resource<DynamicType = ()>) -> anyhow::Result<Self> {
        let reference = object.controller_owner_ref(&());
        let mut reference = reference.context("the owner has no uid")?;
        // `kubectl delete --cascade=foreground` waits for the child.
        reference.block_owner_deletion = Some(true);
        let key = Key::of(object);
        Ok(Self { reference, key })
    }

    /// Returns the controller owner that the metadata of a child names: in an owner reference, or
    /// else in the annotation [`OWNER`]. An owner reference has no namespace, so the key then has
    /// the namespace of the child, even if the owner is cluster-scoped.
    pub fn of_child(child: &ObjectMeta) -> Option<Self> {
        let mut owners = child.owner_references.iter().flatten();
        let Some(owner) = owners.find(|owner| owner.controller == Some(true)) else {
            return Self::elsewhere(child);
        };
        let key = Key::new(child.namespace.as_deref(), &owner.name);
        let reference = owner.clone();
        Some(Self { reference, key })
    }

    /// Returns the owner that the annotation [`OWNER`] of a child names.
    pub fn elsewhere(child: &ObjectMeta) -> Option<Self> {
        let text = child.annotations.as_ref()?.get(OWNER)?;
        let owner: Value = serde_json::from_str(text).ok()?;
        let key = Key::of_json(&owner);
        let reference = OwnerReference::deserialize(owner).ok()?;
        Some(Self { reference, key })
    }

    /// Returns the value of the annotation [`OWNER`] for the children of this object.
    pub fn annotation(&self) -> String {
        let of = &self.reference;
        let (namespace, name) = (self.key.namespace(), self.key.name());
        let owner = json!({
            "apiVersion": of.api_version, "kind": of.kind, "namespace": namespace, "name": name, "uid": of.uid,
        });
        owner.to_string()
    }

    /// Returns true if this object is the controller owner of `child`.
    pub fn owns(&self, child: &ObjectMeta) -> bool {
        let owner = Self::of_child(child);
        owner.is_some_and(|owner| owner.reference.uid == self.reference.uid)
    }
}
