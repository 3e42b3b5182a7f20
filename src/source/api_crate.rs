//! A crate that defines custom resources: the api crate of a project, or a crate of an adopted workspace.

use std::path::PathBuf;

/// An api crate: the folder, and the options for the build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiCrate {
    /// The folder of the package, relative to the project's root.
    pub folder: PathBuf,
    /// The root module of the program that defines the types, relative to the package's folder; `None` if the package's
    /// library defines the types.
    pub program: Option<PathBuf>,
    /// The package's features that the types need, in addition to the default features.
    pub features: Vec<String>,
}

impl ApiCrate {
    /// Returns the api crate for the library in this folder.
    pub fn library(folder: impl Into<PathBuf>) -> Self {
        ApiCrate { folder: folder.into(), program: None, features: Vec::new() }
    }
}
