//! The folder in which the demo plays.

use super::Context;
use crate::Result;
use crate::error::file_error;
use crate::exec::on_interrupt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder of the user's, or a temporary one that goes with this value or with an interrupt.
pub(super) struct Stage {
    root: PathBuf,
    temporary: Option<TempDir>,
}

impl Stage {
    pub(super) fn new(folder: Option<&Path>, context: &Context) -> Result<Self> {
        if let Some(folder) = folder {
            let root = context.directory.join(folder);
            std::fs::create_dir_all(&root).map_err(|error| file_error("create", &root, &error))?;
            return Ok(Stage { root, temporary: None });
        }
        let parent = std::env::temp_dir();
        let temporary = tempfile::Builder::new()
            .prefix("opctl-demo-")
            .tempdir_in(&parent)
            .map_err(|error| file_error("create a folder in", &parent, &error))?;
        let path = temporary.path().to_owned();
        on_interrupt(move || drop(std::fs::remove_dir_all(path)));
        let root = temporary.path().join("webserver-operator");
        std::fs::create_dir(&root).map_err(|error| file_error("create", &root, &error))?;
        Ok(Stage { root, temporary: Some(temporary) })
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The folder, if it stays.
    pub(super) fn kept(&self) -> Option<&Path> {
        self.temporary.is_none().then_some(self.root.as_path())
    }
}
