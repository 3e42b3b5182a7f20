//! A crate that defines custom resources: the api crate of a project, or one of those that an adopted workspace has.

use std::path::PathBuf;

/// The place of an api crate, and the way it is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiCrate {
    /// The folder of the package, below the project's root.
    pub folder: PathBuf,
    /// The root module of the program that defines the types, below the package's folder; `None` if the package's library
    /// defines them.
    pub program: Option<PathBuf>,
    /// The features of the package that the types need besides the default ones.
    pub features: Vec<String>,
}

impl ApiCrate {
    /// Returns the crate whose library in this folder defines the types.
    pub fn library(folder: impl Into<PathBuf>) -> Self {
        ApiCrate { folder: folder.into(), program: None, features: Vec::new() }
    }
}
