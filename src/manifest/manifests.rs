//! The generated files, and what is known about them.

use super::discover::ApiType;
use super::inputs::Inputs;
use crate::finding::Finding;
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
    /// What works, but hardly as it is meant; and what breaks the users of an older definition.
    pub findings: Vec<Finding>,
    /// Whether anything had to be compiled.
    pub compiled: bool,
    /// Whether the types were asked, so that the definitions are among the files.
    pub complete: bool,
    /// What the definitions are generated from; `None` where there is no type.
    pub inputs: Option<Inputs>,
    /// The definitions, each with the types that it is made from.
    pub definitions: Vec<Generated>,
    pub(super) sources: Vec<(PathBuf, String)>,
    /// Where what is known from earlier runs is kept.
    pub(super) memory: PathBuf,
}

/// A definition, and the types of its versions in their order.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The definition.
    pub object: Value,
    /// Where its versions come from.
    pub types: Vec<ApiType>,
}

impl Generated {
    /// Its file below the project's root, `config/crd/bases/<group>_<plural>.yaml`.
    pub fn file(&self) -> PathBuf {
        let text = |pointer: &str| self.object.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        format!("{DEFINITIONS}{}_{}.yaml", text("/spec/group"), text("/spec/names/plural")).into()
    }
}
