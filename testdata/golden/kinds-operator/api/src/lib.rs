//! The custom resources of kinds-operator.
//!
//! Types only, without a client: other programs can depend on them at little cost.
pub mod v1alpha1;
pub mod v1beta1;
