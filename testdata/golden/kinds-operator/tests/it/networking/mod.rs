//! Controllers of the group `networking`.
mod ingress_class;
