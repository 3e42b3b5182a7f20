//! The files of the api crate that can be copied.

use crate::Error;
use crate::model::ProjectPath;
use crate::plan::Snapshot;

/// The files that can be copied.
pub struct Files<'a> {
    /// The paths, sorted.
    pub paths: &'a [ProjectPath],
    /// The contents.
    pub snapshot: &'a Snapshot,
}

impl Files<'_> {
    pub(in crate::scaffold) fn text(&self, path: &str) -> Option<&str> {
        self.snapshot.text(path)
    }

    /// Returns true if `path.rs` or `path/mod.rs` exists.
    pub(super) fn has_module(&self, path: &str) -> bool {
        [format!("{path}.rs"), format!("{path}/mod.rs")].iter().any(|file| self.paths.iter().any(|path| path == file))
    }
}

pub(in crate::scaffold) fn not_rust(path: &str, wrong: &syn::Error) -> Error {
    let start = wrong.span().start();
    Error::user(format!("`{path}:{}:{}` is not valid Rust", start.line, start.column + 1))
        .caused_by(wrong)
        .hint("fix it, then run the same command again")
}
