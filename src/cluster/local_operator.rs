//! The webhook server of an operator on this machine, and the label of what a run of it has applied to a cluster.

use k8s_openapi::ByteString;
use std::collections::BTreeMap;

/// The label of the objects that `opctl run` has applied to a cluster or changed there; its value is the project.
pub(super) const LABEL: &str = "opctl.dev/run";

/// The webhook server of an operator that runs on this machine.
#[derive(Clone, Debug)]
pub struct Served {
    /// The URL without a path, as the API server reaches it.
    pub url: String,
    /// The authority that signed the server's certificate, as PEM.
    pub authority: String,
}

/// Returns the labels of all configurations that a run of `project` applies.
pub(super) fn labels(project: &str) -> BTreeMap<String, String> {
    BTreeMap::from([(LABEL.to_owned(), project.to_owned())])
}

/// Returns the label selector of the configurations that a run of `project` applies.
pub(super) fn label(project: &str) -> String {
    format!("{LABEL}={project}")
}

/// Returns the authority in the form of a `caBundle`.
pub(super) fn bundle(served: &Served) -> ByteString {
    ByteString(served.authority.clone().into_bytes())
}
