//! The custom resources of webwriter-operator.
//!
//! Types only, without a client: other programs can depend on them at little cost.
pub mod v1alpha1;
