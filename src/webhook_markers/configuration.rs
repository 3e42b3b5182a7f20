//! The contents of the markers that declare webhooks and webhook configurations.

use serde_json::{Map, Value};

/// The contents of a `+opctl:webhook:` marker, with the values spelled as in the Kubernetes API.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Webhook {
    pub(super) mutating: bool,
    pub(super) name: String,
    pub(super) path: Option<String>,
    pub(super) url: Option<String>,
    pub(super) groups: Vec<String>,
    pub(super) versions: Vec<String>,
    pub(super) resources: Vec<String>,
    pub(super) operations: Vec<String>,
    pub(super) admission_review_versions: Vec<String>,
    pub(super) failure_policy: String,
    pub(super) side_effects: String,
    pub(super) match_policy: Option<String>,
    pub(super) reinvocation_policy: Option<String>,
    pub(super) timeout_seconds: Option<u32>,
    pub(super) service_name: Option<String>,
    pub(super) service_namespace: Option<String>,
    pub(super) service_port: Option<u32>,
    /// The webhook fields that the `patch` argument sets, such as `namespaceSelector`. The marker has no other
    /// arguments for these fields.
    pub(super) patch: Option<Map<String, Value>>,
}

/// The contents of a `+opctl:webhookconfiguration:` marker: the name of the object that contains the webhooks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Configuration {
    pub(super) mutating: bool,
    pub(super) name: String,
}
