//! The webhook server of an operator on this machine, and the label of objects that `opctl run` applies.

use k8s_openapi::ByteString;
use std::collections::BTreeMap;

/// The label of the objects that `opctl run` has applied or changed in a cluster; the label's value is the project.
pub const LABEL: &str = "opctl.dev/run";

/// The webhook server of an operator that runs on this machine.
#[derive(Clone, Debug)]
pub struct WebhookServer {
    /// The URL at which the API server reaches the webhook server, without a path.
    pub url: String,
    /// The certificate of the authority that signed the server's certificate, as PEM.
    pub authority: String,
}

/// Returns the labels of all webhook configurations that `opctl run` applies for `project`.
pub fn labels(project: &str) -> BTreeMap<String, String> {
    BTreeMap::from([(LABEL.to_owned(), project.to_owned())])
}

/// Returns the label selector of the webhook configurations that `opctl run` applies for `project`.
pub fn label(project: &str) -> String {
    format!("{LABEL}={project}")
}

/// Returns the CA certificate of the webhook server `served`, as the value of a `caBundle` field.
pub fn bundle(served: &WebhookServer) -> ByteString {
    ByteString(served.authority.clone().into_bytes())
}
