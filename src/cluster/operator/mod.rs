//! The operator in a cluster: its Deployment, its replicas and its service account.

pub(super) mod identity;
pub(super) mod installed;
pub(super) mod manager;
pub(super) mod pod_events;
pub(super) mod replicas;
