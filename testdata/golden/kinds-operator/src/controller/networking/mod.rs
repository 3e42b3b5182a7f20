//! Controllers of the API group `networking.k8s.io`.
pub mod ingress_class;
