//! The generated files, and the facts about them that commands need.

use super::inputs::Inputs;
use crate::finding::Finding;
use crate::model::ProjectPath;
use crate::source::discover::ApiType;
use crate::source::places::Located;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The folder of the CRDs, with the files `<group>_<plural>.yaml`.
pub const DEFINITIONS: &str = "config/crd/bases/";
/// The file of the role.
pub const ROLE_FILE: &str = "config/rbac/role.yaml";
/// The replacements by which kustomize moves Roles back to their own namespaces.
pub const ROLE_NAMESPACES_FILE: &str = "config/default/role_namespaces.yaml";
/// The file of the webhook configurations.
pub const WEBHOOKS_FILE: &str = "config/webhook/manifests.yaml";

/// The generated files, and the types and findings that belong to them.
#[derive(Debug)]
pub struct Manifests {
    /// The contents by path: the CRDs in [`DEFINITIONS`], [`ROLE_FILE`], [`ROLE_NAMESPACES_FILE`] if a marker states
    /// another namespace, and [`WEBHOOKS_FILE`] if one states a webhook.
    pub files: BTreeMap<ProjectPath, String>,
    /// The types that the api crate defines.
    pub types: Vec<ApiType>,
    /// The warnings, and the changes that break users of an older CRD.
    pub findings: Vec<Finding>,
    /// True if anything was compiled.
    pub compiled: bool,
    /// True if the compiled types answered, or there are none, so that `files` has all CRDs.
    pub complete: bool,
    /// The inputs of the CRDs; `None` if there are no types.
    pub inputs: Option<Inputs>,
    /// The CRDs, each with the types that it is made from.
    pub definitions: Vec<Generated>,
    pub(super) sources: Located,
    /// The folder that keeps the API server's answers from run to run.
    pub(super) memory: PathBuf,
}

/// A generated CRD, and the types of its versions.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The file of the CRD, `config/crd/bases/<group>_<plural>.yaml`.
    pub file: ProjectPath,
    /// The CRD.
    pub object: Value,
    /// The types of the CRD's versions, in the order of the versions.
    pub types: Vec<ApiType>,
}

impl Generated {
    /// Returns the name of the CRD, `<plural>.<group>`.
    pub fn name(&self) -> &str {
        self.object["metadata"]["name"].as_str().unwrap_or_default()
    }

    /// Returns true if the operator converts the CRD's objects from version to version.
    pub fn is_converted(&self) -> bool {
        self.object.pointer("/spec/conversion").is_some()
    }
}
