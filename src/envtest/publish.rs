//! Adds entries to the store of servers, replaces existing entries, and adds missing programs to entries.

use super::kubernetes_version::Version;
use super::places::CONTROLLER_MANAGER;
use super::store::{Entry, REPLACED, Store, set_mode};
use crate::error::file_error;
use crate::{Result, system};
use std::fs::{self, OpenOptions};
use std::path::Path;

impl Store {
    /// Adds `filled`, a folder inside a staging folder, to the store as the entry for `version`, by renaming the
    /// folder. Replaces an existing entry.
    pub(super) fn publish(&self, filled: &Path, version: Version) -> Result<Entry> {
        let files = fs::read_dir(filled).map_err(|error| file_error("read", filled, &error))?.flatten();
        for file in files.filter(|file| file.file_type().is_ok_and(|kind| kind.is_file())) {
            settle(&file.path())?;
            set_mode(&file.path(), 0o555)?;
        }
        let target = self.directory(version);
        if target.exists() {
            // A read-only folder cannot be moved.
            set_mode(&target, 0o755)?;
            if system::exchange(filled, &target).is_err() {
                self.replace(filled, &target)?;
            }
        } else {
            fs::rename(filled, &target).map_err(|error| file_error("write", &target, &error))?;
        }
        // The mode that setup-envtest sets. It is set last, because a read-only folder cannot be moved.
        set_mode(&target, 0o555)?;
        let controller_manager = target.join(CONTROLLER_MANAGER).is_file();
        Ok(Entry { version, directory: target, controller_manager })
    }

    /// Adds the programs in `filled`, a folder inside a staging folder, to the store's entry for `version`.
    pub(super) fn add(&self, filled: &Path, version: Version) -> Result<Entry> {
        let target = self.directory(version);
        for file in fs::read_dir(&target).map_err(|error| file_error("read", &target, &error))?.flatten() {
            let (from, to) = (file.path(), filled.join(file.file_name()));
            // A file system without links has copies.
            if !to.exists() && fs::hard_link(&from, &to).is_err() {
                system::copy_file(&from, &to).map_err(|error| file_error("write", &to, &error))?;
            }
        }
        self.publish(filled, version)
    }

    /// Replaces the folder `target` with the folder `filled` by two renames. If the process is killed between the
    /// renames, [`Store::lock`] restores the original folder.
    fn replace(&self, filled: &Path, target: &Path) -> Result<()> {
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let replaced = self.root.join(format!("{REPLACED}{name}"));
        fs::rename(target, &replaced).map_err(|error| file_error("replace", target, &error))?;
        if let Err(error) = fs::rename(filled, target) {
            let _ = fs::rename(&replaced, target);
            return Err(file_error("write", target, &error));
        }
        // The next process that locks the store removes what cannot be removed now.
        let _ = fs::remove_dir_all(&replaced);
        Ok(())
    }
}

/// Flushes a file to the disk, so that a power failure leaves no empty program in an entry.
fn settle(path: &Path) -> Result<()> {
    let file = system::open_regular(OpenOptions::new().read(true), path);
    file.and_then(|file| file.sync_all()).map_err(|error| file_error("write", path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::envtest::places::{API_SERVER, ETCD, platform};
    use crate::envtest::store::PARTIAL;
    use crate::report::Console;
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    const VERSION: Version = Version { major: 1, minor: 36, patch: 4 };

    /// Creates the folder `filled` in `root`, with a file for each of `names`. The content of each file is its name.
    fn filled(root: &Path, names: &[&str]) -> PathBuf {
        let folder = root.join("filled");
        fs::create_dir(&folder).unwrap();
        for name in names {
            fs::write(folder.join(name), name).unwrap();
        }
        folder
    }

    #[test]
    fn an_entry_that_was_moved_away_to_be_replaced_is_put_back_or_forgotten() {
        let root = tempfile::tempdir().unwrap();
        let store = Store::new(root.path());
        drop(store.lock(&Console::silent()).unwrap());
        store.publish(&filled(root.path(), &[ETCD, API_SERVER]), VERSION).unwrap();
        let target = store.directory(VERSION);
        let replaced = root.path().join(format!("{REPLACED}1.36.4-{}", platform()));
        // Killed between the two steps.
        set_mode(&target, 0o755).unwrap();
        fs::rename(&target, &replaced).unwrap();
        assert_eq!(store.entry(VERSION), None);
        drop(store.lock(&Console::silent()).unwrap());
        assert!(store.entry(VERSION).is_some() && !replaced.exists());
        // Killed after them.
        fs::create_dir(&replaced).unwrap();
        drop(store.lock(&Console::silent()).unwrap());
        assert!(store.entry(VERSION).is_some() && !replaced.exists());

        let new = filled(root.path(), &[ETCD, CONTROLLER_MANAGER]);
        set_mode(&target, 0o755).unwrap();
        store.replace(&new, &target).unwrap();
        assert!(target.join(CONTROLLER_MANAGER).is_file() && !target.join(API_SERVER).exists());
        assert!(!replaced.exists() && !new.exists());
    }

    #[test]
    fn publishing_replaces_an_entry_and_locking_clears_leftovers() {
        let root = tempfile::tempdir().unwrap();
        let store = Store::new(root.path());
        for name in ["opctl-staging-left", PARTIAL] {
            fs::create_dir(root.path().join(name)).unwrap();
        }
        let _lock = store.lock(&Console::silent()).unwrap();
        assert!(!root.path().join("opctl-staging-left").exists());
        assert!(root.path().join(PARTIAL).exists(), "downloads that broke off are kept");
        let staging = store.staging().unwrap();
        store.publish(&filled(staging.path(), &[ETCD, API_SERVER]), VERSION).unwrap();
        let staging = store.staging().unwrap();
        let entry = store.publish(&filled(staging.path(), &[ETCD, API_SERVER, "kubectl"]), VERSION).unwrap();
        assert!(!entry.controller_manager && entry.directory.join("kubectl").is_file());

        let staging = store.staging().unwrap();
        let entry = store.add(&filled(staging.path(), &[CONTROLLER_MANAGER]), VERSION).unwrap();
        assert!(entry.controller_manager);
        assert_eq!(store.entry(VERSION), Some(entry.clone()));
        for name in ["", ETCD, "kubectl", CONTROLLER_MANAGER] {
            let mode = fs::metadata(entry.directory.join(name)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o555, "{name}");
        }
        set_mode(&entry.directory, 0o755).unwrap();
    }
}
