//! Older CRDs to compare with.

use crate::{Result, conflict, yaml};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Older CRDs to compare with.
#[derive(Clone, Debug, Default)]
pub struct Older {
    /// The user's name for the older CRDs, such as `main`.
    pub name: String,
    /// The older CRDs, each with its file at that time, below the project's root.
    pub definitions: Vec<(PathBuf, Value)>,
    /// The project's CRDs that are not made from Rust types.
    pub beside: Vec<(PathBuf, Value)>,
    /// Reports a missing CRD. False for a cluster, which also has CRDs of other projects.
    pub complete: bool,
}

impl Older {
    /// Returns the CRDs in a file, also those in a list; other objects are left out.
    ///
    /// # Errors
    /// Fails if the file is not YAML.
    pub fn read(file: &Path, text: &str) -> Result<Vec<(PathBuf, Value)>> {
        let documents = yaml::read(text).map_err(|error| {
            let shown = file.display().to_string();
            conflict::or(&shown, text, yaml::unreadable(&shown, &error))
        })?;
        let lists = documents.into_iter().flat_map(|document| match document["items"].as_array() {
            Some(items) => items.clone(),
            None => vec![document],
        });
        let definitions = lists.filter(|document| document["kind"] == "CustomResourceDefinition");
        Ok(definitions.map(|definition| (file.to_owned(), definition)).collect())
    }
}
