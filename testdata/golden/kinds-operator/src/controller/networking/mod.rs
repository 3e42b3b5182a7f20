//! Controllers of the group `networking`.
pub mod ingress_class;
