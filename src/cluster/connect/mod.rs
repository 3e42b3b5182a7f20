//! The connection to a cluster: kubeconfig, credentials, credential plugins, proxies, and the deadline of a command.

pub(super) mod answers;
pub(super) mod connection;
pub(super) mod credential;
pub(super) mod credential_plugin;
pub(super) mod deadline;
pub(super) mod kubeconfig;
pub(super) mod proxy;
pub(super) mod target;
