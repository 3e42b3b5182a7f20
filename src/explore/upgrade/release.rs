//! The versions of the operator that an upgrade examines.

use crate::explore::server::door::Serving;
use crate::explore::server::explored_samples::Samples;
use crate::explore::server::operator::Launch;
use kube::Client;
use serde_json::Value;
use std::path::PathBuf;

/// A version of the operator.
pub struct Release {
    /// The name of the version for users, such as `v1.2.0`.
    pub name: String,
    /// The command that starts the version.
    pub launch: Launch,
    /// The CRDs of the version.
    pub definitions: Vec<Value>,
    /// The configurations of the version's admission webhooks. The webhooks must be running before opctl applies the
    /// configurations, because the API server then calls the webhooks.
    pub admission: Vec<Value>,
    /// A client with the rights of the version's roles, which does not retry failed requests.
    pub operator: Client,
}

/// The input of the test of an upgrade: the versions of the operator, and a control plane that serves the CRDs of the
/// earliest version.
pub struct Pair {
    /// The client with the rights of the cluster's administrator.
    pub admin: Client,
    /// The certificate and key with which the proxies between the operator and the API server serve TLS.
    pub serving: Serving,
    /// The versions before the old version, in order: the first version makes the objects, and each further version
    /// takes over from the version before. If the list is empty, the old version makes the objects.
    pub earlier: Vec<Release>,
    /// The version that is upgraded.
    pub old: Release,
    /// The version to which the old version is upgraded.
    pub new: Release,
    /// The samples of the earliest version, which is the first to run.
    pub samples: Samples,
    /// The roles that the versions need in the namespace of their lease, with their bindings.
    pub roles: Vec<Value>,
    /// The folder for the kubeconfigs.
    pub folder: PathBuf,
    /// The maximum number of concurrent upgrade tests.
    pub jobs: usize,
}
