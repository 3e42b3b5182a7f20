//! The generated files, and what is known about them.

use super::inputs::Inputs;
use crate::access::webhook::Converted;
use crate::finding::Finding;
use crate::source::discover::ApiType;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The folder of the definitions, `<group>_<plural>.yaml` each.
pub const DEFINITIONS: &str = "config/crd/bases/";
/// The file of the role.
pub const ROLE_FILE: &str = "config/rbac/role.yaml";
/// The file of the webhook configurations.
pub const WEBHOOKS_FILE: &str = "config/webhook/manifests.yaml";

/// The files as they should be.
#[derive(Clone, Debug, Default)]
pub struct Manifests {
    /// Contents by path below the project's root: those in [`DEFINITIONS`], [`ROLE_FILE`], and [`WEBHOOKS_FILE`] where a
    /// marker states a webhook.
    pub files: BTreeMap<String, String>,
    /// The types that were found.
    pub types: Vec<ApiType>,
    /// Warnings, and what breaks the users of an older definition.
    pub findings: Vec<Finding>,
    /// True if anything was compiled.
    pub compiled: bool,
    /// True if the types were asked, so that `files` has the definitions.
    pub complete: bool,
    /// The inputs of the definitions; `None` without a type.
    pub inputs: Option<Inputs>,
    /// The definitions, each with the types that it is made from.
    pub definitions: Vec<Generated>,
    /// The kinds that the code converts from version to version.
    pub(super) converted: Vec<Converted>,
    pub(super) sources: Vec<(PathBuf, String)>,
    /// The folder that keeps a server's answers from run to run.
    pub(super) memory: PathBuf,
}

impl Manifests {
    /// Returns true if the code converts the objects of the definition of this name.
    pub(super) fn has_conversion(&self, definition: &str) -> bool {
        let made = self.definitions.iter().find(|made| made.name() == definition);
        made.is_some_and(Generated::is_converted)
    }
}

/// A definition, and the types of its versions in their order.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The definition.
    pub object: Value,
    /// The types of its versions, in their order.
    pub types: Vec<ApiType>,
}

impl Generated {
    /// Its name, `<plural>.<group>`.
    pub fn name(&self) -> &str {
        self.object["metadata"]["name"].as_str().unwrap_or_default()
    }

    /// Returns true if the operator converts its objects from version to version.
    pub fn is_converted(&self) -> bool {
        self.object.pointer("/spec/conversion").is_some()
    }

    /// Its file below the project's root, `config/crd/bases/<group>_<plural>.yaml`.
    pub fn file(&self) -> PathBuf {
        let text = |pointer: &str| self.object.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        format!("{DEFINITIONS}{}_{}.yaml", text("/spec/group"), text("/spec/names/plural")).into()
    }
}
