//! The folder in which the demo plays.

use crate::Result;
use crate::cli::context::Context;
use crate::error::file_error;
use crate::exec::on_interrupt;
use std::fs::File;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const PREFIX: &str = "opctl-demo-";
const LOCK: &str = "lock";

/// A folder of the user, or a temporary folder that is removed with this value or by an interrupt.
pub(super) struct Stage {
    root: PathBuf,
    temporary: Option<Temporary>,
}

/// A temporary folder, and its lock, which is held as long as the demo lives: a folder whose lock nobody holds was left
/// by a demo that was killed.
struct Temporary {
    _lock: File,
    _folder: TempDir,
}

impl Stage {
    pub(super) fn new(folder: Option<&Path>, context: &Context) -> Result<Self> {
        if let Some(folder) = folder {
            let root = context.directory.join(folder);
            std::fs::create_dir_all(&root).map_err(|error| file_error("create", &root, &error))?;
            return Ok(Stage { root, temporary: None });
        }
        let parent = std::env::temp_dir();
        sweep(&parent);
        let temporary = tempfile::Builder::new()
            .prefix(PREFIX)
            .tempdir_in(&parent)
            .map_err(|error| file_error("create a folder in", &parent, &error))?;
        let path = temporary.path().to_owned();
        on_interrupt(move || drop(std::fs::remove_dir_all(path)));
        let lock = temporary.path().join(LOCK);
        let failed = |error| file_error("create", &lock, &error);
        let held = File::create(&lock).map_err(failed)?;
        // On a file system without locks, the folder of a killed demo stays.
        let _ = held.try_lock();
        let root = temporary.path().join("webserver-operator");
        std::fs::create_dir(&root).map_err(|error| file_error("create", &root, &error))?;
        Ok(Stage { root, temporary: Some(Temporary { _lock: held, _folder: temporary }) })
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the folder, if it stays after the demo.
    pub(super) fn kept(&self) -> Option<&Path> {
        self.temporary.is_none().then_some(self.root.as_path())
    }
}

/// Removes the folders that killed demos left: they may be large. A folder that cannot be removed is another user's.
fn sweep(parent: &Path) {
    for entry in std::fs::read_dir(parent).into_iter().flatten().flatten() {
        let folder = entry.path();
        let named = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if !named || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        let lock = File::options().write(true).open(folder.join(LOCK));
        if lock.is_ok_and(|lock| lock.try_lock().is_ok()) {
            let _ = std::fs::remove_dir_all(&folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_holds_is_swept() {
        let parent = tempfile::tempdir().unwrap();
        let make = |name: &str| {
            let folder = parent.path().join(name);
            std::fs::create_dir(&folder).unwrap();
            File::create(folder.join(LOCK)).unwrap()
        };
        let held = make("opctl-demo-held");
        held.try_lock().unwrap();
        drop(make("opctl-demo-left"));
        drop(make("other"));
        std::fs::create_dir(parent.path().join("opctl-demo-begun")).unwrap();
        sweep(parent.path());
        for (name, there) in [("held", true), ("left", false), ("begun", true)] {
            assert_eq!(parent.path().join(format!("opctl-demo-{name}")).exists(), there, "{name}");
        }
        assert!(parent.path().join("other").exists());
    }
}
