//! The kinds that a controller reconciles, owns or watches.

use kube::Resource;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// A kind that can be reconciled: every type that derives `CustomResource`, and every built-in
/// kind.
pub trait Object:
    Resource<DynamicType = (), Scope: 'static>
    + Clone
    + Debug
    + DeserializeOwned
    + Send
    + Sync
    + 'static
{
}
impl<K> Object for K where
    K: Resource<DynamicType = (), Scope: 'static>
        + Clone
        + Debug
        + DeserializeOwned
        + Send
        + Sync
        + 'static
{
}
