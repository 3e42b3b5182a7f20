//! The types whose schemas are requested, and their places.

use std::path::{Path, PathBuf};

/// The types whose schemas are requested.
#[derive(Debug)]
pub struct Request<'a> {
    /// The project's folder, as an absolute path.
    pub root: &'a Path,
    /// The folder of the api crate, relative to the project.
    pub api: &'a Path,
    /// The root module of the program that defines the types, below the api crate's folder; `None` if the crate's
    /// library defines them.
    pub program: Option<&'a Path>,
    /// The features of the api crate that the types need besides the default ones.
    pub features: &'a [String],
    /// cargo's target folder.
    pub target: &'a Path,
    /// The public paths of the types.
    pub types: &'a [String],
    /// The file of each type, relative to the project, and the name of its root type.
    pub roots: &'a [(PathBuf, String)],
    /// Compiles the types even if nothing changed.
    pub force: bool,
}
