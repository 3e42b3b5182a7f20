//! The store of servers: a folder for each version of Kubernetes, in the same layout as in setup-envtest's store.
//!
//! An entry is added or replaced as a whole: a new folder is filled next to the entries, and then renamed into
//! place. If a process is killed at any time, the store contains either the old entry or the new entry.

use super::kubernetes_version::{Selector, Version};
use super::partial::Partials;
use super::places::{API_SERVER, CONTROLLER_MANAGER, ETCD, platform};
use crate::error::file_error;
use crate::report::Console;
use crate::system;
use crate::{Error, Result};
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The prefix of the folders in which new entries are prepared.
const STAGING: &str = "opctl-staging-";
/// The prefix of the folders of entries that are being replaced.
pub(super) const REPLACED: &str = "opctl-replaced-";
/// The folder of interrupted downloads, which [`Store::lock`] does not remove.
pub(super) const PARTIAL: &str = "opctl-partial";

/// A folder of control plane programs, in several versions.
#[derive(Clone, Debug)]
pub struct Store {
    pub(super) root: PathBuf,
}

/// A version in the store that contains at least etcd and kube-apiserver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The version of Kubernetes.
    pub version: Version,
    /// The folder that contains the programs, for `KUBEBUILDER_ASSETS`.
    pub directory: PathBuf,
    /// True if kube-controller-manager is installed; setup-envtest's archives lack it.
    pub controller_manager: bool,
}

impl Store {
    /// Returns the store at `root`, which need not exist.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Store { root: root.into() }
    }

    /// Returns the folder of `version` for this machine, which need not exist.
    pub fn directory(&self, version: Version) -> PathBuf {
        self.root.join("k8s").join(format!("{version}-{}", platform()))
    }

    /// Returns the installed versions for this machine, newest first.
    pub fn entries(&self) -> Vec<Entry> {
        let suffix = format!("-{}", platform());
        let names = fs::read_dir(self.root.join("k8s")).into_iter().flatten().flatten();
        let mut entries: Vec<_> = names
            .filter_map(|name| Version::parse(name.file_name().to_str()?.strip_suffix(&suffix)?))
            .filter_map(|version| self.entry(version))
            .collect();
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.version));
        entries
    }

    /// Returns the entry of `version` if etcd and kube-apiserver are installed in it.
    pub fn entry(&self, version: Version) -> Option<Entry> {
        let directory = self.directory(version);
        let there = |name: &str| directory.join(name).is_file();
        let controller_manager = there(CONTROLLER_MANAGER);
        (there(ETCD) && there(API_SERVER)).then_some(Entry { version, directory, controller_manager })
    }

    /// Returns the entry of the newest installed version that `selector` selects.
    pub fn newest(&self, selector: &Selector) -> Option<Entry> {
        self.entries().into_iter().find(|entry| selector.matches(entry.version))
    }

    /// Locks the store for changes until the returned file is dropped. Cleans up after an interrupted process: restores
    /// an entry that was being replaced, and removes staging folders.
    pub(super) fn lock(&self, console: &Console) -> Result<File> {
        system::create_folders(self.root.join("k8s")).map_err(|error| self.write_error(&error))?;
        let path = self.root.join("opctl.lock");
        let file = system::create_file(&path).map_err(|error| self.write_error(&error))?;
        if file.try_lock().is_err() {
            console.status("Waiting", "for another opctl that sets up servers");
            file.lock().map_err(|error| file_error("lock", &path, &error))?;
        }
        for left in fs::read_dir(&self.root).into_iter().flatten().flatten() {
            let name = left.file_name().to_string_lossy().into_owned();
            if let Some(entry) = name.strip_prefix(REPLACED) {
                let target = self.root.join("k8s").join(entry);
                if !target.exists() {
                    fs::rename(left.path(), &target).map_err(|error| file_error("write", &target, &error))?;
                    set_mode(&target, 0o555)?;
                    continue;
                }
            }
            if name.starts_with(STAGING) || name.starts_with(REPLACED) {
                // The next process removes what cannot be removed now.
                let _ = fs::remove_dir_all(left.path());
            }
        }
        Ok(file)
    }

    /// Returns the interrupted downloads. The caller must hold the store's lock.
    pub(super) fn partials(&self) -> Partials {
        Partials::in_folder(self.root.join(PARTIAL))
    }

    /// Creates a staging folder on the store's file system, so that an entry can be renamed into place. The folder is
    /// removed when the value is dropped or when opctl is interrupted.
    pub(super) fn staging(&self) -> Result<TempDir> {
        let staging = system::create_temporary(&self.root, STAGING).map_err(|error| self.write_error(&error))?;
        let path = staging.path().to_owned();
        crate::exec::on_interrupt(move || {
            let _ = fs::remove_dir_all(path);
        });
        Ok(staging)
    }

    /// Removes `entries` from the store.
    ///
    /// # Errors
    /// Fails if a folder cannot be moved or the store cannot be locked.
    pub fn remove(&self, entries: &[Entry], console: &Console) -> Result<()> {
        if entries.is_empty() {
            return Ok(());
        }
        let _lock = self.lock(console)?;
        for entry in entries {
            // A rename removes the entry at once, so a process that starts it meanwhile finds all of its programs or
            // none.
            let staging = self.staging()?;
            set_mode(&entry.directory, 0o755)?;
            fs::rename(&entry.directory, staging.path().join("removed"))
                .map_err(|error| file_error("remove", &entry.directory, &error))?;
        }
        self.partials().prune();
        Ok(())
    }

    fn write_error(&self, error: &std::io::Error) -> Error {
        let refused = file_error("write to the store of servers", &self.root, error);
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => refused,
            _ => refused
                .hint("make the store writable for you, or use another store: export XDG_DATA_HOME=\"$PWD/.data\""),
        }
    }
}

pub(super) fn set_mode(path: &Path, mode: u32) -> Result<()> {
    system::set_mode(path, mode).map_err(|error| file_error("set the mode of", path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(store: &Store, version: &str, names: &[&str]) -> Version {
        let version = Version::parse(version).unwrap();
        let directory = store.directory(version);
        fs::create_dir_all(&directory).unwrap();
        for name in names {
            fs::write(directory.join(name), "").unwrap();
        }
        version
    }

    #[test]
    fn a_version_is_removed_whole() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path());
        put(&store, "1.35.0", &[ETCD, API_SERVER]);
        put(&store, "1.36.0", &[ETCD, API_SERVER]);
        let [newest, oldest] = &store.entries()[..] else { panic!("two versions are there") };
        set_mode(&oldest.directory, 0o555).unwrap();
        store.remove(std::slice::from_ref(oldest), &Console::silent()).unwrap();
        assert_eq!(store.entries(), std::slice::from_ref(newest));
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(left.iter().all(|name| !name.to_string_lossy().starts_with(STAGING)), "{left:?}");
    }

    #[test]
    fn only_whole_entries_of_this_machine_count() {
        let root = tempfile::tempdir().unwrap();
        let store = Store::new(root.path());
        assert_eq!(store.entries(), []);
        put(&store, "1.35.0", &[ETCD, API_SERVER]);
        let newest = put(&store, "1.36.2", &[ETCD, API_SERVER, CONTROLLER_MANAGER]);
        put(&store, "1.37.0", &[ETCD]);
        fs::create_dir_all(root.path().join("k8s/1.38.0-plan9-mips")).unwrap();
        let entries = store.entries();
        let versions: Vec<_> = entries.iter().map(|entry| entry.version.to_string()).collect();
        assert_eq!(versions, ["1.36.2", "1.35.0"]);
        assert!(entries[0].controller_manager && !entries[1].controller_manager);
        assert_eq!(store.newest(&"latest-on-disk".parse().unwrap()).map(|entry| entry.version), Some(newest));
        assert_eq!(store.newest(&"1.34".parse().unwrap()), None);
    }
}
