//! The data that `opctl status` shows, from which the text and the JSON output are generated.

use super::count_objects::Objects;
use super::definitions::Installed;
use super::events::Warning;
use super::operator::{Leader, Operator};
use super::status_part::Part;
use crate::cluster::Manager;
use serde::Serialize;

/// The status of the operator, its kinds and their objects.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OperatorStatus {
    pub(super) context: String,
    pub(super) server: String,
    pub(super) server_version: Option<String>,
    pub(super) manager: Manager,
    /// The deployed operator; `null` if the operator is not deployed.
    pub(super) operator: Part<Option<Operator>>,
    /// The holder of the lease; `null` if the lease does not exist.
    pub(super) leader: Part<Option<Leader>>,
    pub(super) kinds: Part<Vec<KindStatus>>,
    pub(super) warnings: Part<Vec<Warning>>,
    /// The problems, each as a sentence.
    pub(super) problems: Vec<String>,
}

/// A kind of the project.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct KindStatus {
    /// The name of the CRD.
    pub(super) name: String,
    pub(super) kind: String,
    /// The live CRD; `null` if the CRD is not installed.
    pub(super) definition: Part<Option<Installed>>,
    /// The objects of the kind; `null` if the CRD is not installed, or no version is served.
    pub(super) objects: Part<Option<Objects>>,
}
