//! The folder in which the demo creates its project.

use crate::Result;
use crate::commands::context::Context;
use crate::error::file_error;
use crate::exec::TemporaryFolder;
use crate::system;
use std::path::{Path, PathBuf};

/// The folder of the demo's project: a folder that the user names, or a temporary folder.
pub(super) struct Stage {
    root: PathBuf,
    temporary: Option<TemporaryFolder>,
}

impl Stage {
    pub(super) fn new(folder: Option<&Path>, context: &Context) -> Result<Self> {
        let (root, temporary) = match folder {
            Some(folder) => (context.directory.join(folder), None),
            None => {
                let temporary = TemporaryFolder::new("demo")?;
                (temporary.path().join("webserver-operator"), Some(temporary))
            }
        };
        system::create_folders(&root).map_err(|error| file_error("create", &root, &error))?;
        Ok(Stage { root, temporary })
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the folder if it remains after the demo; `None` for a temporary folder.
    pub(super) fn kept_folder(&self) -> Option<&Path> {
        self.temporary.is_none().then_some(self.root.as_path())
    }
}
