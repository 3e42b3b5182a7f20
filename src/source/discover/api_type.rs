//! A custom resource, and the location of its struct in the source.

use crate::kube_rs::KubeAttributes;
use std::path::PathBuf;

/// A custom resource type of the api crate.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApiType {
    /// The path by which other crates name the root type, such as `v1alpha1::WebServer`.
    pub path: String,
    /// The name of the struct that derives `CustomResource`.
    pub spec: String,
    /// The contents of `#[kube(..)]`.
    #[serde(flatten)]
    pub resource: KubeAttributes,
    /// The path of the file, relative to the project.
    pub file: PathBuf,
    /// The line of the struct.
    pub line: usize,
    /// The name of the library that defines the type, as written in Rust code; empty for a type of a program.
    #[serde(skip)]
    pub library: String,
}

impl ApiType {
    /// Returns `file:line`, as shown in error messages.
    pub fn place(&self) -> String {
        format!("{}:{}", self.file.display(), self.line)
    }
}
