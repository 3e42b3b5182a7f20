//! A request for the schemas of types, with the locations of the project, the crate and the types.

use crate::source::api_crate::ApiCrate;
use std::path::{Path, PathBuf};

/// The types of one api crate whose schemas are requested.
#[derive(Debug)]
pub struct Request<'a> {
    /// The project's folder, as an absolute path.
    pub root: &'a Path,
    /// The api crate; its folder is relative to the project.
    pub api: &'a ApiCrate,
    /// True for the project's first or only api crate. The shim (a program that prints schemas) of another crate has a
    /// digest of the crate's folder in its name.
    pub first: bool,
    /// The target folder of cargo.
    pub target: &'a Path,
    /// The public paths of the types.
    pub types: &'a [String],
    /// The source file of each type, relative to the project, and the name of the type's root struct.
    pub roots: &'a [(PathBuf, String)],
    /// True to compile the types even if nothing has changed.
    pub force: bool,
}

impl Request<'_> {
    /// Returns the folder of the api crate, as an absolute path.
    pub(super) fn folder(&self) -> PathBuf {
        self.root.join(&self.api.folder)
    }
}
