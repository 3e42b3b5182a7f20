//! The CRDs of a project, in the cluster and in `config/crd`, and the conversion of their objects.

pub(super) mod conversion;
pub(super) mod converted;
pub(super) mod crd_api;
pub(super) mod crds;
pub(super) mod live_crds;
pub(super) mod local_operator;
pub(super) mod version_removal;
