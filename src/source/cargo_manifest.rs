//! Reads `Cargo.toml`.

use crate::reading::{self, Limit};
use crate::{Error, Result, conflict, error::file_error};
use std::path::Path;

/// Reads and parses the manifest of a package or a workspace.
pub(crate) fn read_manifest(path: &Path) -> Result<toml_edit::DocumentMut> {
    let text = reading::text(path, Limit::Settings).map_err(|error| file_error("read", path, &error))?;
    text.parse().map_err(|error| {
        let otherwise = Error::user(format!("`{}` is not valid TOML", path.display()))
            .caused_by(error)
            .hint("fix the file, or restore it: git checkout Cargo.toml api/Cargo.toml");
        conflict::or(&path.display().to_string(), &text, otherwise)
    })
}

/// Returns the name of a package's library, as written in Rust code; `None` if the manifest has no package.
pub(crate) fn library_name(manifest: &toml_edit::DocumentMut) -> Option<String> {
    let name = |table: &str| manifest.get(table)?.get("name")?.as_str();
    Some(name("lib").or_else(|| name("package"))?.replace('-', "_"))
}
