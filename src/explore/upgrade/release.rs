//! A version of the operator, and the two that an upgrade has.

use crate::explore::door::Serving;
use crate::explore::operator::Launch;
use crate::explore::samples::Samples;
use kube::Client;
use serde_json::Value;
use std::path::PathBuf;

/// A version of the operator.
pub struct Release {
    /// The name that people know it by, such as `v1.2.0`.
    pub name: String,
    /// The command that starts it.
    pub launch: Launch,
    /// Its CRDs.
    pub definitions: Vec<Value>,
    /// The configurations of its admission webhooks, which are served.
    pub admission: Vec<Value>,
    /// A client with the rights of its roles, which never retries by itself.
    pub operator: Client,
}

/// The two versions of an upgrade, and the control plane on which the CRDs of the first version are served.
pub struct Pair {
    /// The administrator's client.
    pub admin: Client,
    /// The identity of the proxies.
    pub serving: Serving,
    /// The versions before the old one, in order: the first one makes the objects, and each other takes over from the one
    /// before it. Without one, the old version makes the objects.
    pub earlier: Vec<Release>,
    /// The version that is upgraded.
    pub old: Release,
    /// The version that it is upgraded to.
    pub new: Release,
    /// The samples of the version that makes the objects.
    pub samples: Samples,
    /// The roles that the versions need in the namespace of their lease, with their bindings.
    pub roles: Vec<Value>,
    /// The folder for the kubeconfigs.
    pub folder: PathBuf,
    /// The number of plays at a time.
    pub jobs: usize,
}
