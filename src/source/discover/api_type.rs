//! A custom resource, and the places of its parts in the source.

use crate::kube_rs::KubeAttributes;
use std::path::PathBuf;

/// A custom resource type of the api crate.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApiType {
    /// The path by which another crate names the root type, such as `v1alpha1::WebServer`.
    pub path: String,
    /// The name of the struct with the derive.
    pub spec: String,
    /// The contents of `#[kube(..)]`.
    #[serde(flatten)]
    pub resource: KubeAttributes,
    /// The path of the file, relative to the project.
    pub file: PathBuf,
    /// The line of the struct.
    pub line: usize,
    /// The name of the library that defines the type, as Rust code of other crates writes it; empty for a program's type.
    #[serde(skip)]
    pub library: String,
}

impl ApiType {
    /// Returns `file:line`, as an error shows it.
    pub fn place(&self) -> String {
        format!("{}:{}", self.file.display(), self.line)
    }
}
