//! The status as data: the same for people and programs.

use super::definitions::Installed;
use super::events::Warning;
use super::objects::Objects;
use super::operator::{Leader, Operator};
use super::part::Part;
use crate::cluster::Manager;
use serde::Serialize;

/// All that was found.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Found {
    pub(super) context: String,
    pub(super) server: String,
    pub(super) server_version: Option<String>,
    pub(super) manager: Manager,
    /// `null` where it is not deployed.
    pub(super) operator: Part<Option<Operator>>,
    /// `null` where there is no lease.
    pub(super) leader: Part<Option<Leader>>,
    pub(super) kinds: Part<Vec<Defined>>,
    pub(super) warnings: Part<Vec<Warning>>,
    /// The problems, each as a sentence.
    pub(super) problems: Vec<String>,
}

/// A kind of the project.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Defined {
    /// The definition's name.
    pub(super) name: String,
    pub(super) kind: String,
    /// `null` where it is not installed.
    pub(super) definition: Part<Option<Installed>>,
    /// `null` where it is not installed, or not served.
    pub(super) objects: Part<Option<Objects>>,
}
