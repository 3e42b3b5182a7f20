//! The types.
pub mod v1alpha1;
