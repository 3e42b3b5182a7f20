//! Older CRDs to compare with.

use crate::{Result, conflict, yaml};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The older CRDs that the project's CRDs are compared with.
#[derive(Clone, Debug, Default)]
pub struct Older {
    /// The name with which the user selected the older CRDs: a git reference such as `main`, a path, or `cluster`.
    pub name: String,
    /// The older CRDs, each with the path that its file had, relative to the project's root.
    pub definitions: Vec<(PathBuf, Value)>,
    /// The project's current CRDs that are not generated from Rust types.
    pub beside: Vec<(PathBuf, Value)>,
    /// True if the project must still have each of the older CRDs. False if the older CRDs come from a cluster, which
    /// also contains CRDs of other projects.
    pub complete: bool,
}

impl Older {
    /// Returns the CRDs in a file, including the CRDs in a Kubernetes `List`; ignores other objects.
    ///
    /// # Errors
    /// Fails if the file is not YAML.
    pub fn read(file: &Path, text: &str) -> Result<Vec<(PathBuf, Value)>> {
        let documents = yaml::read(text).map_err(|error| {
            let shown = file.display().to_string();
            conflict::or(&shown, text, yaml::unreadable_error(&shown, &error))
        })?;
        let lists = documents.into_iter().flat_map(|document| match document["items"].as_array() {
            Some(items) => items.clone(),
            None => vec![document],
        });
        let definitions = lists.filter(|document| document["kind"] == "CustomResourceDefinition");
        Ok(definitions.map(|definition| (file.to_owned(), definition)).collect())
    }
}
