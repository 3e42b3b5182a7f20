//! Types.

pub(crate) mod v1alpha1;
