//! Temporary folders. The name of a folder describes its content; its lock shows whether an opctl process uses it.

use crate::Result;
use crate::error::file_error;
use crate::exec::on_interrupt;
use crate::system::{belongs_to_user, create_new_file, create_private_temporary, open_regular};
use std::fs::{File, OpenOptions};
use std::path::Path;
use tempfile::TempDir;

const PREFIX: &str = "opctl-";
const LOCK: &str = "opctl.lock";

/// A folder that only this user can access. The folder is removed when this value is dropped or opctl is interrupted.
/// If opctl is killed, the folder stays until another opctl process creates a temporary folder.
#[derive(Debug)]
pub struct TemporaryFolder {
    // Closed before the folder is removed: Windows removes no open file.
    _lock: File,
    folder: TempDir,
}

impl TemporaryFolder {
    /// Creates a temporary folder with `content` in its name: `image` gives a name such as `opctl-image-x7Gt2a`.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be created.
    pub fn new(content: &str) -> Result<TemporaryFolder> {
        let parent = std::env::temp_dir();
        sweep(&parent);
        let failed = |error| file_error("make a folder in", &parent, &error);
        let folder = create_private_temporary(&parent, &format!("{PREFIX}{content}-")).map_err(failed)?;
        let path = folder.path().to_owned();
        on_interrupt(move || drop(std::fs::remove_dir_all(path)));
        let lock = lock(folder.path()).map_err(failed)?;
        Ok(TemporaryFolder { _lock: lock, folder })
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Creates and locks the lock file of a folder. The file gets its final name only after it is locked, so that no
/// other opctl process finds it unlocked.
fn lock(folder: &Path) -> std::io::Result<File> {
    let (begun, lock) = (folder.join("opctl.lock.new"), folder.join(LOCK));
    let held = create_new_file(&begun)?;
    // Without locks, as on some network file systems, the folder of a killed opctl stays.
    let _ = held.try_lock();
    std::fs::rename(begun, lock)?;
    Ok(held)
}

/// Removes this user's temporary folders whose lock is not held by any process: they may be large or contain a key.
fn sweep(parent: &Path) {
    for entry in std::fs::read_dir(parent).into_iter().flatten().flatten() {
        let is_named = entry.file_name().to_string_lossy().starts_with(PREFIX);
        // Does not follow a symlink.
        if !is_named || !entry.metadata().is_ok_and(|found| found.is_dir() && belongs_to_user(&found)) {
            continue;
        }
        let lock = open_regular(OpenOptions::new().write(true), &entry.path().join(LOCK));
        if lock.is_ok_and(|lock| lock.try_lock().is_ok()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::create_dir;

    #[test]
    fn only_what_nobody_holds_is_swept() {
        let parent = tempfile::tempdir().unwrap();
        let place = |name: &str| parent.path().join(name);
        let make = |name: &str| {
            create_dir(place(name)).unwrap();
            lock(&place(name)).unwrap()
        };
        let _held = make("opctl-image-held");
        drop(make("opctl-image-left"));
        drop(make("other"));
        create_dir(place("opctl-image-begun")).unwrap();
        std::fs::write(place("opctl-file"), "").unwrap();
        sweep(parent.path());
        for (name, is_there) in
            [("opctl-image-held", true), ("opctl-image-left", false), ("opctl-image-begun", true), ("opctl-file", true)]
        {
            assert_eq!(place(name).exists(), is_there, "{name}");
        }
        assert!(place("other").exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_symlink_is_not_followed_and_a_pipe_not_waited_for() {
        let parent = tempfile::tempdir().unwrap();
        let place = |name: &str| parent.path().join(name);
        for name in ["kept", "opctl-pipe", "opctl-link"] {
            create_dir(place(name)).unwrap();
        }
        drop(lock(&place("kept")).unwrap());
        std::os::unix::fs::symlink(place("kept"), place("opctl-folder")).unwrap();
        std::os::unix::fs::symlink(place("kept").join(LOCK), place("opctl-link").join(LOCK)).unwrap();
        let pipe = place("opctl-pipe").join(LOCK);
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        sweep(parent.path());
        for name in ["kept", "opctl-folder", "opctl-link", "opctl-pipe"] {
            assert!(place(name).exists(), "{name}");
        }
    }
}
