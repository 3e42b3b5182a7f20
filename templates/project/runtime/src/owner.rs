//! The owner of a child, and the label and annotation that mark a child of the operator.

use crate::cache::Key;
use anyhow::Context as _;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, OwnerReference};
use kube::Resource;

/// The label of every child, which the watches of owned kinds use as a selector.
pub const MANAGED_BY: &str = "app.kubernetes.io/managed-by";
/// The annotation with a hash of a child's desired field names and list keys. The hash changes if a
/// field is no longer desired, which comparing other fields cannot show. Other values are not
/// hashed: more people can read annotations than Secrets, and could guess a value from its hash.
pub const HASH: &str = "opctl.dev/desired-hash";

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

    /// Returns true if this object is the controller owner of `child`.
    pub fn owns(&self, child: &ObjectMeta) -> bool {
        let mut owners = child.owner_references.iter().flatten();
        owners.any(|owner| owner.controller == Some(true) && owner.uid == self.reference.uid)
    }
}
