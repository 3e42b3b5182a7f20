//! The result of `opctl manifests`: the generated files, and the types and findings that other commands need.

use super::inputs::Inputs;
use crate::finding::Finding;
use crate::model::ProjectPath;
use crate::source::discover::ApiType;
use crate::source::places::LazyPlaces;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The folder of the CRDs; the files are named `<group>_<plural>.yaml`.
pub const DEFINITIONS: &str = "config/crd/bases/";
/// The file of the roles that markers declare.
pub const ROLE_FILE: &str = "config/rbac/role.yaml";
/// The path of the file with kustomize replacements. The replacements set the namespace of each Role whose RBAC markers
/// name another namespace than the manager's, because kustomize first moves all Roles to the manager's namespace.
pub const ROLE_NAMESPACES_FILE: &str = "config/default/role_namespaces.yaml";
/// The file of the webhook configurations that markers declare.
pub const WEBHOOKS_FILE: &str = "config/webhook/manifests.yaml";

/// The generated files, with the types and the findings of the project.
#[derive(Debug)]
pub struct Manifests {
    /// The contents by path: the CRDs in [`DEFINITIONS`]; [`ROLE_FILE`]; [`ROLE_NAMESPACES_FILE`], if an RBAC marker
    /// names a namespace other than the manager's; and [`WEBHOOKS_FILE`], if a marker declares a webhook.
    pub files: BTreeMap<ProjectPath, String>,
    /// The types that the api crates define.
    pub types: Vec<ApiType>,
    /// The warnings, and the changes that break users of an older CRD.
    pub findings: Vec<Finding>,
    /// True if a crate was compiled.
    pub compiled: bool,
    /// True if `files` contains all CRDs; false if opctl did not compile the types, and the stored output of their last
    /// compilation is missing or outdated.
    pub complete: bool,
    /// The hashes of the files that determine the CRDs; `None` if the project has no types.
    pub inputs: Option<Inputs>,
    /// The CRDs, each with the types that the CRD is generated from.
    pub definitions: Vec<GeneratedDefinition>,
    pub(super) sources: LazyPlaces,
    /// The folder in which opctl records the CRDs that an API server accepted, for later runs of opctl.
    pub(super) memory: PathBuf,
}

/// A generated CRD, and the types of its versions.
#[derive(Clone, Debug)]
pub struct GeneratedDefinition {
    /// The file of the CRD, `config/crd/bases/<group>_<plural>.yaml`.
    pub file: ProjectPath,
    /// The CRD as a JSON object.
    pub object: Value,
    /// The types of the CRD's versions, in the order of the versions.
    pub types: Vec<ApiType>,
}

impl GeneratedDefinition {
    /// Returns the name of the CRD, `<plural>.<group>`.
    pub fn name(&self) -> &str {
        self.object["metadata"]["name"].as_str().unwrap_or_default()
    }

    /// Returns true if the operator converts the CRD's objects between versions.
    pub fn is_converted(&self) -> bool {
        self.object.pointer("/spec/conversion").is_some()
    }
}
