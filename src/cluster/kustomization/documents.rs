//! Parses the YAML documents of a file.

use crate::{Error, Result, conflict, yaml};
use serde_json::Value;
use std::path::Path;

/// Parses the YAML documents of a file.
///
/// # Errors
/// Fails if the text is not YAML, or has conflict markers.
pub fn parse(text: &str, path: &Path) -> Result<Vec<Value>> {
    yaml::read(text).map_err(|error| {
        let otherwise = Error::user(format!("`{}` is not YAML", path.display()))
            .caused_by(yaml::cause(&error))
            .hint("opctl manifests");
        conflict::or(&path.display().to_string(), text, otherwise)
    })
}
