//! The types to ask, and where they are.

use std::path::{Path, PathBuf};

/// The types to ask.
#[derive(Debug)]
pub struct Request<'a> {
    /// The project, an absolute path.
    pub root: &'a Path,
    /// The folder of the api crate, relative to it.
    pub api: &'a Path,
    /// The root module of the program that defines the types, below the api crate's folder; `None` where its library does.
    pub program: Option<&'a Path>,
    /// Features of the api crate that the types need besides the default ones.
    pub features: &'a [String],
    /// cargo's target folder.
    pub target: &'a Path,
    /// The public paths of the types.
    pub types: &'a [String],
    /// The file of each of them, relative to the project, and the name of its root type.
    pub roots: &'a [(PathBuf, String)],
    /// Compile even when nothing changed.
    pub force: bool,
}
