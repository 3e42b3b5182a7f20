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

/// The longest name of an object.
const LONGEST_NAME: usize = 253;

/// The object that owns a child.
pub struct Owner {
    pub reference: OwnerReference,
    pub key: Key,
    /// True if the child names this owner in the annotation [`OWNER`] only.
    pub is_elsewhere: bool,
}

impl Owner {
    pub fn of(object: &impl Resource<DynamicType = ()>) -> anyhow::Result<Self> {
        let reference = object.controller_owner_ref(&());
        let mut reference = reference.context("the owner has no uid")?;
        // `kubectl delete --cascade=foreground` waits for the child.
        reference.block_owner_deletion = Some(true);
        let (key, is_elsewhere) = (Key::of(object), false);
        Ok(Self {
            reference,
            key,
            is_elsewhere,
        })
    }

    /// Returns the controller owner that the metadata of a child names: in an owner reference, or
    /// else in the annotation [`OWNER`]. An owner reference has no namespace, so the key then has
    /// the namespace of the child, even if the owner is cluster-scoped.
    pub fn of_child(child: &ObjectMeta) -> Option<Self> {
        let mut owners = child.owner_references.iter().flatten();
        let Some(owner) = owners.find(|owner| owner.controller == Some(true)) else {
            return Self::elsewhere(child.annotations.as_ref()?.get(OWNER)?);
        };
        Some(Self {
            reference: owner.clone(),
            key: Key::new(child.namespace.as_deref(), &owner.name),
            is_elsewhere: false,
        })
    }

    /// Returns the owner that a value of the annotation [`OWNER`] names. Anyone who can create a
    /// child can write the annotation, so this function checks the names.
    fn elsewhere(annotation: &str) -> Option<Self> {
        let owner: Value = serde_json::from_str(annotation).ok()?;
        let (key, is_elsewhere) = (Key::of_json(&owner), true);
        let reference = OwnerReference::deserialize(owner).ok()?;
        let is_label = |name: &str| {
            let is_odd = |one: char| !matches!(one, 'a'..='z' | '0'..='9' | '-');
            name.len() <= 63 && !name.contains(is_odd)
        };
        let is_odd = |one: char| one.is_control() || "/\\%,=".contains(one);
        let is_name = |name: &str| name.len() <= LONGEST_NAME && !name.contains(is_odd);
        let is_valid = is_name(key.name()) && key.namespace().is_none_or(is_label);
        is_valid.then_some(Self {
            reference,
            key,
            is_elsewhere,
        })
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
