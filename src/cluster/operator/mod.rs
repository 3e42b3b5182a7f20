//! The operator in a cluster: its Deployment, its replicas and its service account.

pub(super) mod held_up_pod;
pub(super) mod identity;
pub(super) mod installed;
pub(super) mod manager;
pub(super) mod replicas;
