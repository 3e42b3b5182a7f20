//! The files of the api crate that opctl reads to copy a version or to generate conversions.

use crate::model::ProjectPath;
use crate::plan::Snapshot;
use crate::syntax;
use crate::{Error, Result};
use syn::Item;

/// The files of the project from which opctl reads types and samples.
pub struct Files<'a> {
    /// The paths of the files, sorted.
    pub paths: &'a [ProjectPath],
    /// The contents of the files.
    pub snapshot: &'a Snapshot,
}

impl Files<'_> {
    pub(in crate::scaffold) fn text(&self, path: &str) -> Option<&str> {
        self.snapshot.text(path)
    }

    /// Returns the path of a module's file: `path.rs` or `path/mod.rs`.
    pub(in crate::scaffold) fn module(&self, path: &str) -> Option<String> {
        [format!("{path}.rs"), format!("{path}/mod.rs")].into_iter().find(|file| self.text(file).is_some())
    }

    /// Returns the items of a file; no items if the file does not exist.
    ///
    /// # Errors
    /// Fails if the file is not Rust.
    pub(in crate::scaffold) fn items(&self, path: &str) -> Result<Vec<Item>> {
        let parsed = syntax::parse_file(self.text(path).unwrap_or_default());
        Ok(parsed.map_err(|wrong| not_rust(path, &wrong))?.items)
    }
}

pub(super) fn not_rust(path: &str, wrong: &syn::Error) -> Error {
    let start = wrong.span().start();
    Error::user(format!("`{path}:{}:{}` is not valid Rust", start.line, start.column + 1))
        .caused_by(wrong)
        .hint("fix the syntax error, then run the same command again")
}
