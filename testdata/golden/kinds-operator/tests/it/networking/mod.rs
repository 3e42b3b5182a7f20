//! Controllers of the API group `networking.k8s.io`.
mod ingress_class;
